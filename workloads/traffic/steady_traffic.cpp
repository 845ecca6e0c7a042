// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/steady_traffic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "cosim/base/jain_index.h"
#include "cosim/link/packet.h"
#include "cosim/observe/latency_report.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "workloads/traffic/batch_means.h"
#include "workloads/traffic/traffic_metrics.h"

namespace fabrictwin::traffic {
namespace {

/// A sample is steady if latency and accepted load changed by less than this share; this many in a row end the
/// measurement.
constexpr double kSteadyChange = 0.05;
constexpr int32_t kSteadySamples = 3;
/// With many samples, the confidence is computed only every count / kLooks.
constexpr size_t kLooks = 64;
/// While draining, the latency is checked after this many cycles.
constexpr int64_t kDrainCheck = 1000;

void clear_latencies(v1::TrafficReport& traffic) {
  traffic.set_measured_packets(0);
  traffic.clear_mean_latency_seconds();
  traffic.clear_max_latency_seconds();
  traffic.clear_mean_hops();
  traffic.clear_latency_cycles();
}

void clear_loads(v1::TrafficReport& traffic) {
  traffic.set_measured_cycles(0);
  traffic.set_accepted_load(0);
  traffic.clear_accepted_load_min_node();
  traffic.clear_accepted_load_by_node();
  traffic.clear_accepted_load_confidence();
  traffic.clear_jain_index();
}

double change(double now, double& before) { return std::abs((now - std::exchange(before, now)) / now); }

}  // namespace

SteadyTraffic::SteadyTraffic(const experiment::TrafficSpec& spec, DestinationPattern pattern, uint64_t seed,
                             int32_t hosts, const experiment::StatisticsSpec& statistics)
    : spec_(spec), statistics_(statistics), pattern_(std::move(pattern)), next_check_(spec.sample_cycles) {
  link::PacketHeader header;
  header.payload_bytes = static_cast<uint16_t>(spec.payload.count);
  flits_ = static_cast<uint16_t>(header.packet_words());
  const bool closed = spec.process == v1::CLOSED_LOOP;
  if (closed) {
    ready_.resize(static_cast<size_t>(hosts));
  } else {
    gaps_ = PacketGaps(spec, flits_);
  }
  for (int32_t host = 0; host < hosts; ++host) {
    const auto element = static_cast<uint64_t>(host);
    hosts_.push_back({RandomStream(seed, element, RandomPurpose::kTrafficGap),
                      RandomStream(seed, element, RandomPurpose::kTrafficDestination),
                      RandomStream(seed, element, RandomPurpose::kTieBreak)});
    Host& made = hosts_.back();
    if (!pattern_.sends(host)) {
      made.created = router::input_queued::Traffic::kNever;
    } else if (closed) {
      made.created = 0;
      for (int32_t slot = 1; slot < spec.window; ++slot) ready_[host].push_back(0);
    } else {
      made.created += 1 + gaps_.first(made.gaps);
    }
  }
  flits_before_.resize(hosts_.size());
  flits_counted_.resize(hosts_.size());
}

absl::StatusOr<std::unique_ptr<host::Endpoint>> SteadyTraffic::make_endpoint(int32_t, observe::EndpointDigest*) {
  return absl::InternalError("steady traffic has no endpoints");
}

void SteadyTraffic::bind(std::span<observe::EndpointDigest> digests, const Clock& clock, double full_load) {
  digests_ = digests;
  clock_ = &clock;
  full_load_ = full_load;
  think_cycles_ = clock.edge_at_or_after(spec_.think_time);
}

int64_t SteadyTraffic::next_packet(int32_t index, int64_t cycle, router::input_queued::Packet& packet) {
  Host& host = hosts_[index];
  if (host.created > cycle) return host.created;
  packet.created = host.created;
  packet.source = index;
  packet.destination = pattern_.next(index, host.destinations, host.sequence);
  packet.flits = flits_;
  packet.sequence = host.sequence++;
  packet.draw = static_cast<uint32_t>(host.ties.next());
  // Packets that waited at their hosts through the warm-up and leave now count too: their waiting is part of the
  // latency.
  packet.measured = phase_ == Phase::kMeasurement || (phase_ == Phase::kDrain && packet.created < drain_);
  if (packet.measured) ++outstanding_;
  ++sent_;
  if (ready_.empty()) {
    host.created += 1 + gaps_.next(host.gaps);
  } else if (ready_[index].empty()) {
    host.created = router::input_queued::Traffic::kNever;
  } else {
    host.created = ready_[index].front();
    ready_[index].pop_front();
  }
  if (packet.created < drain_ && host.created >= drain_) --undrained_;
  return cycle;
}

void SteadyTraffic::packet_arrived(const router::input_queued::Packet& packet, int64_t cycle) {
  const std::array<uint64_t, 4> facts = {static_cast<uint64_t>(packet.source),
                                         static_cast<uint64_t>(packet.destination), packet.sequence, packet.flits};
  const uint64_t hash = observe::hash_values(facts);
  observe::EndpointDigest& digest = digests_[packet.destination];
  digest.add_arrival(clock_->edge(cycle), hash);
  digest.add_message(hash);
  ++received_;
  if (phase_ != Phase::kWarmup && !packet.measured) return;
  const int64_t latency = cycle - packet.created;
  ++sums_.packets;
  sums_.latency += static_cast<uint64_t>(latency);
  sums_.network_latency += static_cast<uint64_t>(cycle - packet.injected);
  sums_.hops += packet.hops;
  sums_.min = std::min(sums_.min, latency);
  sums_.max = std::max(sums_.max, latency);
  latencies_.add(latency);
  if (!packet.measured) return;
  add_to_batch(packet.created, latency);
  --outstanding_;
  if (phase_ == Phase::kDrain && outstanding_ == 0 && undrained_ == 0) finished_ = true;
}

int64_t SteadyTraffic::resume_source(const router::input_queued::Packet& packet, int64_t cycle) {
  if (ready_.empty()) return router::input_queued::Traffic::kNever;
  // The sender learns of it in the next cycle, so that nothing depends on the order within a cycle.
  const int64_t ready = cycle + 1 + think_cycles_;
  Host& source = hosts_[packet.source];
  if (source.created != router::input_queued::Traffic::kNever) {
    ready_[packet.source].push_back(ready);
    return router::input_queued::Traffic::kNever;
  }
  source.created = ready;
  return ready;
}

void SteadyTraffic::add_to_batch(int64_t created, int64_t latency) {
  // Batches are by creation: by arrival, slow packets would be missing from the first batch.
  const auto batch = static_cast<size_t>(std::max<int64_t>(created - cleared_, 0) / spec_.sample_cycles);
  if (batch >= batches_.size()) batches_.resize(batch + 1);
  ++batches_[batch].packets;
  batches_[batch].latency += static_cast<uint64_t>(latency);
}

void SteadyTraffic::check(int64_t cycle, const router::input_queued::Network& network) {
  if (phase_ == Phase::kDrain) {
    next_check_ += kDrainCheck;
    if (too_slow(network.in_flight(cycle))) saturated_ = finished_ = true;
    return;
  }
  next_check_ += spec_.sample_cycles;
  end_sample(cycle, network);
  if (phase_ != Phase::kDrain && (clear_next_ || (phase_ == Phase::kWarmup && samples_ % 2 == 0)))
    clear(cycle, network);
}

void SteadyTraffic::end_sample(int64_t cycle, const router::input_queued::Network& network) {
  accept(cycle, network);
  uint64_t accepted = 0;
  for (const uint64_t flits : flits_counted_) accepted += flits;
  const double latency_change =
      change(static_cast<double>(sums_.latency) / static_cast<double>(sums_.packets), last_latency_);
  const double accepted_change =
      change(static_cast<double>(accepted) / static_cast<double>(counted_cycles_), last_accepted_);
  if (too_slow(network.in_flight(cycle))) saturated_ = true;
  ++samples_;
  progress_.add(1);
  if (phase_ == Phase::kWarmup) {
    if (samples_ < spec_.warmup_samples) return;
    clear_next_ = true;
    phase_ = Phase::kMeasurement;
    return;
  }
  const auto cycles = static_cast<double>(spec_.sample_cycles) * static_cast<double>(hosts_.size());
  accepted_batches_.push_back(static_cast<double>(accepted - std::exchange(accepted_before_, accepted)) / cycles);
  // Comparisons with NaN, which results if nothing has arrived, are false.
  const bool steady = (saturated_ || latency_change <= kSteadyChange) && accepted_change <= kSteadyChange;
  steady_ = steady ? steady_ + 1 : 0;
  if (steady_ >= kSteadySamples && confident()) {
    begin_drain(cycle);
  } else if (samples_ >= spec_.max_samples) {
    missed_ = spec_.confidence_target.has_value() && !narrow();
    begin_drain(cycle);
  }
}

std::optional<double> SteadyTraffic::latency_confidence() const {
  std::vector<double> means;
  for (const Batch& batch : batches_) {
    if (batch.packets > 0) means.push_back(static_cast<double>(batch.latency) / static_cast<double>(batch.packets));
  }
  return confidence_95(means);
}

bool SteadyTraffic::confident() const {
  if (!spec_.confidence_target.has_value()) return true;
  // With many samples the confidence is not computed each time, as this takes time proportional to their number.
  const size_t count = accepted_batches_.size();
  return count % std::max<size_t>(count / kLooks, 1) == 0 && narrow();
}

// Whether both intervals are as narrow as requested. In a saturated network, latency has no meaning.
bool SteadyTraffic::narrow() const {
  const auto narrow = [&](const std::optional<double>& half_width, double mean) {
    return half_width.has_value() && *half_width <= *spec_.confidence_target * mean;
  };
  const double latency = static_cast<double>(sums_.latency) / static_cast<double>(sums_.packets);
  return narrow(confidence_95(accepted_batches_), last_accepted_ / static_cast<double>(hosts_.size())) &&
         (saturated_ || narrow(latency_confidence(), latency));
}

void SteadyTraffic::begin_drain(int64_t cycle) {
  phase_ = Phase::kDrain;
  drain_ = cycle;
  next_check_ = cycle + kDrainCheck;
  undrained_ = std::count_if(hosts_.begin(), hosts_.end(), [&](const Host& host) { return host.created < cycle; });
  // Draining a saturated network does not show how long packets wait.
  finished_ = saturated_ || (outstanding_ == 0 && undrained_ == 0);
}

void SteadyTraffic::clear(int64_t cycle, const router::input_queued::Network& network) {
  clear_next_ = false;
  sums_ = {};
  latencies_.clear();
  cleared_ = cycle;
  for (size_t host = 0; host < hosts_.size(); ++host)
    flits_before_[host] = network.flits_received(static_cast<int32_t>(host));
}

void SteadyTraffic::accept(int64_t cycle, const router::input_queued::Network& network) {
  counted_cycles_ = cycle - cleared_;
  for (size_t host = 0; host < hosts_.size(); ++host)
    flits_counted_[host] = network.flits_received(static_cast<int32_t>(host)) - flits_before_[host];
}

// Flits in flight count with their time so far; otherwise blocked flits would not show.
bool SteadyTraffic::too_slow(const router::input_queued::Network::InFlight& in_flight) const {
  if (!ready_.empty()) return false;  // The window bounds the packets in a network.
  const double latency = static_cast<double>(sums_.latency) + static_cast<double>(in_flight.age);
  const double count = static_cast<double>(sums_.packets) + static_cast<double>(in_flight.flits);
  return latency > spec_.latency_limit_cycles * count;
}

double SteadyTraffic::done() const {
  return static_cast<double>(progress_.get()) / static_cast<double>(spec_.max_samples);
}

void SteadyTraffic::report(v1::Report& report) const {
  report.set_bytes_delivered(received_ * static_cast<uint64_t>(spec_.payload.count));
  v1::TrafficReport& traffic = *report.mutable_traffic();
  add_measured(traffic);
  if (phase_ == Phase::kWarmup) clear_latencies(traffic);
  // The last sample of the warm-up remains until the first one of the measurement has ended.
  if (accepted_batches_.empty()) clear_loads(traffic);
  if (missed_) report.add_warnings(missed_warning(traffic));
  scale_loads(traffic);
  if (traffic.measured_packets() > 0) return;
  // A saturated network would not measure more packets at a higher load.
  const char* fields = "sample_cycles";
  if (saturated_) {
    fields = "latency_limit_cycles or sample_cycles";
  } else if (ready_.empty() && spec_.load < 1) {
    fields = "load or sample_cycles";
  }
  report.add_warnings(observe::no_latency_warning(!finished_, fields));
}

std::string SteadyTraffic::missed_warning(const v1::TrafficReport& traffic) const {
  const auto part = [](std::string_view name, double half_width, double mean) {
    return fmt::format("{} +/- {:.1f} %", name, 100 * half_width / mean);
  };
  std::vector<std::string> parts;
  if (traffic.latency_cycles().has_confidence())
    parts.push_back(part("latency", traffic.latency_cycles().confidence(), traffic.latency_cycles().mean()));
  if (traffic.has_accepted_load_confidence() && traffic.accepted_load() > 0)
    parts.push_back(part("accepted load", traffic.accepted_load_confidence(), traffic.accepted_load()));
  return fmt::format("confidence_target {} was not reached after max_samples {}{}; raise max_samples or sample_cycles",
                     *spec_.confidence_target, spec_.max_samples,
                     parts.empty() ? "" : fmt::format(" ({})", fmt::join(parts, ", ")));
}

void SteadyTraffic::measure(metric::Sink& sink) const {
  v1::TrafficReport traffic;
  add_measured(traffic);
  scale_loads(traffic);
  const double cycle = static_cast<double>(clock_->numerator()) / static_cast<double>(clock_->denominator()) * 1e-15;
  measure_traffic(traffic, metric::Distribution::of(latencies_, cycle), sink);
}

// Flits are counted per cycle; a load is a share of the rate of links.
void SteadyTraffic::scale_loads(v1::TrafficReport& traffic) const {
  if (full_load_ == 1) return;
  traffic.set_offered_load(traffic.offered_load() / full_load_);
  traffic.set_accepted_load(traffic.accepted_load() / full_load_);
  if (traffic.has_accepted_load_min_node())
    traffic.set_accepted_load_min_node(traffic.accepted_load_min_node() / full_load_);
  if (traffic.has_accepted_load_confidence())
    traffic.set_accepted_load_confidence(traffic.accepted_load_confidence() / full_load_);
  for (double& load : *traffic.mutable_accepted_load_by_node()) load /= full_load_;
}

void SteadyTraffic::add_measured(v1::TrafficReport& traffic) const {
  // The offered load is over all hosts, like the accepted load.
  traffic.set_offered_load(spec_.load * (static_cast<double>(pattern_.senders()) / static_cast<double>(hosts_.size())));
  traffic.set_packets_sent(sent_);
  traffic.set_packets_received(received_);
  traffic.set_saturated(saturated_);
  traffic.set_measured_packets(sums_.packets);
  traffic.set_measured_cycles(counted_cycles_);
  if (counted_cycles_ > 0) {
    uint64_t all = 0;
    for (const uint64_t flits : flits_counted_) all += flits;
    uint64_t least = all;
    for (size_t host = 0; host < hosts_.size(); ++host) {
      if (pattern_.receives(static_cast<int32_t>(host))) least = std::min(least, flits_counted_[host]);
    }
    const auto cycles = static_cast<double>(counted_cycles_);
    traffic.set_accepted_load(static_cast<double>(all) / cycles / static_cast<double>(hosts_.size()));
    traffic.set_accepted_load_min_node(static_cast<double>(least) / cycles);
    if (const std::optional<double> index = jain_index(flits_counted_)) traffic.set_jain_index(*index);
    for (size_t host = 0; statistics_.per_node && host < hosts_.size(); ++host)
      traffic.add_accepted_load_by_node(static_cast<double>(flits_counted_[host]) / cycles);
    if (const auto half_width = confidence_95(accepted_batches_)) traffic.set_accepted_load_confidence(*half_width);
  }
  if (sums_.packets == 0) return;
  const auto packets = static_cast<double>(sums_.packets);
  const double mean = static_cast<double>(sums_.latency) / packets;
  const double period = clock_->period().seconds();
  traffic.set_mean_latency_seconds(mean * period);
  traffic.set_max_latency_seconds(static_cast<double>(sums_.max) * period);
  traffic.set_mean_hops(static_cast<double>(sums_.hops) / packets);
  v1::LatencyCycles& latency = *traffic.mutable_latency_cycles();
  latency.set_mean(mean);
  latency.set_min(static_cast<double>(sums_.min));
  latency.set_max(static_cast<double>(sums_.max));
  latency.set_network_mean(static_cast<double>(sums_.network_latency) / packets);
  observe::report_percentiles(latencies_, 1, statistics_.latency_histogram, latency);
  if (!finished_ || saturated_) return;
  if (const auto half_width = latency_confidence()) latency.set_confidence(*half_width);
}

}  // namespace fabrictwin::traffic
