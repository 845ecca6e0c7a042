// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/uniform_traffic.h"

#include <utility>

#include "cosim/link/packet.h"
#include "workloads/traffic/traffic_endpoint.h"

namespace fabrictwin {

UniformTraffic::UniformTraffic(const TrafficSpec& spec, DestinationPattern pattern, Bandwidth link_rate, uint64_t seed,
                               int32_t hosts)
    : state_(std::make_shared<TrafficState>()) {
  PacketHeader packet;
  packet.payload_bytes = static_cast<uint16_t>(spec.payload.count);
  state_->spec = spec;
  state_->pattern = std::move(pattern);
  state_->seed = seed;
  state_->hosts = hosts;
  state_->word_clock = Clock::of_words(link_rate, kWordBits);
  state_->slots = state_->word_clock.edge_at_or_after(spec.duration);
  state_->packet_words = packet.packet_words();
  state_->gap = GeometricGap(spec.load / static_cast<double>(state_->packet_words));
}

absl::StatusOr<std::unique_ptr<HostProcess>> UniformTraffic::make_process(int32_t node, EndpointDigest* digest) {
  return std::make_unique<TrafficEndpoint>(node, state_, digest);
}

double UniformTraffic::done() const {
  return state_->slots <= 0 ? 1 : static_cast<double>(state_->reached.get()) / static_cast<double>(state_->slots);
}

void UniformTraffic::report(v1::Report& report) const {
  v1::TrafficReport& traffic = *report.mutable_traffic();
  const double capacity = static_cast<double>(state_->slots) * static_cast<double>(state_->hosts);
  const double words = static_cast<double>(state_->packet_words);
  traffic.set_offered_load(state_->spec.load);
  if (capacity > 0) traffic.set_accepted_load(static_cast<double>(state_->received_in_time) * words / capacity);
  traffic.set_packets_sent(state_->sent);
  traffic.set_packets_received(state_->received);
  if (state_->received > 0)
    traffic.set_mean_latency_seconds(static_cast<double>(state_->latency_fs) / static_cast<double>(state_->received) *
                                     1e-15);
  traffic.set_max_latency_seconds(state_->max_latency.seconds());
}

}  // namespace fabrictwin
