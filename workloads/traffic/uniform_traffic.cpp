// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/uniform_traffic.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "cosim/base/jain_index.h"
#include "cosim/link/packet.h"
#include "cosim/observe/latency_report.h"
#include "fmt/format.h"
#include "workloads/traffic/traffic_endpoint.h"
#include "workloads/traffic/traffic_metrics.h"

namespace fabrictwin::traffic {

UniformTraffic::UniformTraffic(const experiment::TrafficSpec& spec, DestinationPattern pattern, Bandwidth link_rate,
                               uint64_t seed, int32_t hosts, const experiment::StatisticsSpec& statistics)
    : state_(std::make_shared<TrafficState>()) {
  link::PacketHeader packet;
  packet.payload_bytes = static_cast<uint16_t>(spec.payload.count);
  state_->spec = spec;
  state_->statistics = statistics;
  state_->received_by.resize(static_cast<size_t>(hosts));
  state_->pattern = std::move(pattern);
  state_->seed = seed;
  state_->hosts = hosts;
  state_->word_clock = Clock::of_words(link_rate, link::kWordBits);
  state_->slots = state_->word_clock.edge_at_or_after(spec.duration);
  state_->packet_words = packet.packet_words();
  state_->closed = spec.process == v1::CLOSED_LOOP;
  state_->endpoints.resize(static_cast<size_t>(hosts));
  if (!state_->closed) state_->gaps = PacketGaps(spec, state_->packet_words);
}

absl::StatusOr<std::unique_ptr<host::HostProcess>> UniformTraffic::make_process(int32_t node,
                                                                                observe::EndpointDigest* digest) {
  return std::make_unique<TrafficEndpoint>(node, state_, digest);
}

double UniformTraffic::done() const {
  const Time reached = Time::from_fs(static_cast<int64_t>(state_->reached.get()));
  return std::min(1.0, reached.seconds() / state_->spec.duration.seconds());
}

void UniformTraffic::report(v1::Report& report) const {
  add_measured(*report.mutable_traffic());
  if (state_->latencies.count() > 0) return;
  const bool stopped = state_->generating > 0 || state_->in_flight > 0;
  report.add_warnings(observe::no_latency_warning(stopped, state_->closed ? "duration" : "load or duration"));
}

void UniformTraffic::measure(metric::Sink& sink) const {
  v1::TrafficReport traffic;
  add_measured(traffic);
  measure_traffic(traffic, metric::Distribution::of(state_->latencies, 1e-15), sink);
}

void UniformTraffic::add_measured(v1::TrafficReport& traffic) const {
  // Packets count up to the end of generation, or up to now if the run has not reached it.
  const bool over = state_->generating == 0 && state_->in_flight == 0;
  const Time reached = Time::from_fs(static_cast<int64_t>(state_->reached.get()));
  const auto slots =
      static_cast<double>(over ? state_->slots : std::min(state_->slots, state_->word_clock.edge_at_or_after(reached)));
  const double capacity = slots * static_cast<double>(state_->hosts);
  const double words = static_cast<double>(state_->packet_words);
  // The offered load is over all hosts, like the accepted load.
  traffic.set_offered_load(state_->spec.load *
                           (static_cast<double>(state_->pattern.senders()) / static_cast<double>(state_->hosts)));
  if (capacity > 0) traffic.set_accepted_load(static_cast<double>(state_->received_in_time) * words / capacity);
  traffic.set_packets_sent(state_->sent);
  traffic.set_packets_received(state_->received);
  const LatencyHistogram& latencies = state_->latencies;
  traffic.set_mean_latency_seconds(latencies.mean() * 1e-15);
  traffic.set_max_latency_seconds(Time::from_fs(latencies.max()).seconds());
  if (latencies.count() > 0)
    observe::report_latencies(latencies, state_->statistics.latency_histogram, *traffic.mutable_latency_seconds());
  if (const std::optional<double> index = jain_index(state_->received_by)) traffic.set_jain_index(*index);
  if (slots <= 0) return;
  uint64_t least = state_->received_in_time;
  for (int32_t host = 0; host < state_->hosts; ++host) {
    if (state_->pattern.receives(host)) least = std::min(least, state_->received_by[host]);
  }
  traffic.set_accepted_load_min_node(static_cast<double>(least) * words / slots);
  if (!state_->statistics.per_node) return;
  for (const uint64_t received : state_->received_by)
    traffic.add_accepted_load_by_node(static_cast<double>(received) * words / slots);
}

}  // namespace fabrictwin::traffic
