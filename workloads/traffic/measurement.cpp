// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/measurement.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "cosim/link/packet_format.h"
#include "cosim/observe/pack_latencies.h"
#include "workloads/traffic/batch_means.h"

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

double change(double now, double& before) { return std::abs((now - std::exchange(before, now)) / now); }

}  // namespace

Measurement::Measurement(const TrafficSpec& spec, const experiment::StatisticsSpec& statistics,
                         std::span<const DestinationPattern> patterns, int32_t hosts, const TimeBase& base,
                         const link::PacketFormat& packets)
    : spec_(spec),
      statistics_(statistics),
      patterns_(patterns),
      base_(base),
      words_by_(static_cast<size_t>(hosts)),
      words_before_(static_cast<size_t>(hosts)) {
  for (const ClassSpec& of_class : spec_.all_classes()) {
    packet_words_.push_back(packets.message_words(static_cast<int32_t>(of_class.payload.count)));
  }
  closed_ = std::ranges::all_of(spec_.all_classes(), [](const ClassSpec& c) { return c.process == v1::CLOSED_LOOP; });
  for (size_t i = 0; i < spec_.classes.size(); ++i)
    classes_.emplace_back(spec_.classes[i], patterns_[i], static_cast<size_t>(hosts));
  counted_.words.resize(static_cast<size_t>(hosts));
  if (spec.sampled) {
    check_cycle_ = spec.sample_cycles;
    next_check_ = base.tick_of_cycle(check_cycle_);
  } else {
    phase_ = Phase::kMeasurement;
    begin_ = 0;
    next_check_ = end_ = base.tick_at_or_after(spec.duration);
  }
}

uint64_t Measurement::words_of(const State& state, size_t host) const {
  return state.words.empty() ? words_by_[host] : state.words[host];
}

void Measurement::end_packet(int64_t created, int64_t latency) {
  if (spec_.sampled) {
    // Batches are by creation: by arrival, slow packets would be missing from the first batch.
    const auto batch =
        static_cast<size_t>(std::max<int64_t>(base_.cycle_of_tick(created) - cleared_cycle_, 0) / spec_.sample_cycles);
    if (batch >= batches_.size()) batches_.resize(batch + 1);
    ++batches_[batch].packets;
    batches_[batch].latency += static_cast<uint64_t>(latency);
  }
  --outstanding_;
  if (silent_ && outstanding_ == 0) over_ = true;
}

void Measurement::fall_silent() {
  silent_ = true;
  if (outstanding_ == 0) over_ = true;
}

void Measurement::check(const State& state) {
  if (!spec_.sampled) {
    count(state);
    reach(end_);
    begin_drain();
    next_check_ = kNever;
    return;
  }
  if (phase_ == Phase::kDrain) {
    if (too_slow(state)) saturated_ = over_ = true;
  } else {
    end_sample(state);
    if (phase_ != Phase::kDrain && (clear_next_ || (phase_ == Phase::kWarmup && samples_ % 2 == 0))) clear(state);
  }
  check_cycle_ += phase_ == Phase::kDrain ? kDrainCheck : spec_.sample_cycles;
  next_check_ = base_.tick_of_cycle(check_cycle_);
}

void Measurement::end_sample(const State& state) {
  count(state);
  const uint64_t accepted = std::accumulate(counted_.words.begin(), counted_.words.end(), uint64_t{0});
  const double latency_change =
      change(static_cast<double>(latencies_.sum()) / static_cast<double>(latencies_.count()), last_latency_);
  const double accepted_change =
      change(static_cast<double>(accepted) / static_cast<double>(counted_.slots), last_accepted_);
  if (too_slow(state)) saturated_ = true;
  ++samples_;
  progress_.add(1);
  const int64_t slots = base_.slots_before(next_check_) - base_.slots_before(std::exchange(sample_begin_, next_check_));
  if (phase_ == Phase::kWarmup) {
    if (samples_ < spec_.warmup_samples) return;
    clear_next_ = true;
    phase_ = Phase::kMeasurement;
    begin_ = next_check_;
    return;
  }
  const double capacity = static_cast<double>(slots) * static_cast<double>(counted_.words.size());
  accepted_batches_.push_back(static_cast<double>(accepted - std::exchange(accepted_before_, accepted)) / capacity);
  // Comparisons with NaN, which results if nothing has arrived, are false.
  const bool steady = (saturated_ || latency_change <= kSteadyChange) && accepted_change <= kSteadyChange;
  steady_ = steady ? steady_ + 1 : 0;
  if (steady_ >= kSteadySamples && confident()) {
    begin_drain();
  } else if (samples_ >= spec_.max_samples) {
    missed_ = spec_.confidence_target.has_value() && !narrow();
    begin_drain();
  }
}

void Measurement::begin_drain() {
  phase_ = Phase::kDrain;
  drain_ = next_check_;
  // Draining a saturated network does not show how long packets wait.
  if (saturated_) over_ = true;
}

void Measurement::clear(const State& state) {
  clear_next_ = false;
  latencies_.clear();
  paths_ = network_latency_ = routers_ = 0;
  cleared_ = next_check_;
  cleared_cycle_ = check_cycle_;
  for (size_t host = 0; host < words_before_.size(); ++host) words_before_[host] = words_of(state, host);
  for (ClassCounts& counts : classes_) counts.clear();
}

void Measurement::count(const State& state) {
  words_known_ = !state.words.empty();
  counted_.cycles = base_.cycles_before(next_check_) - cleared_cycle_;
  counted_.slots = base_.slots_before(next_check_) - base_.slots_before(cleared_);
  for (size_t host = 0; host < words_before_.size(); ++host)
    counted_.words[host] = words_of(state, host) - words_before_[host];
  for (ClassCounts& counts : classes_) counts.count();
}

std::optional<double> Measurement::latency_confidence() const {
  std::vector<double> means;
  for (const Batch& batch : batches_) {
    if (batch.packets > 0) means.push_back(static_cast<double>(batch.latency) / static_cast<double>(batch.packets));
  }
  return confidence_95(means);
}

bool Measurement::confident() const {
  if (!spec_.confidence_target.has_value()) return true;
  // With many samples the confidence is not computed each time, as this takes time proportional to their number.
  const size_t count = accepted_batches_.size();
  return count % std::max<size_t>(count / kLooks, 1) == 0 && narrow();
}

// Whether both intervals are as narrow as requested. In a saturated network, latency has no meaning.
bool Measurement::narrow() const {
  const auto narrow = [&](const std::optional<double>& half_width, double mean) {
    return half_width.has_value() && *half_width <= *spec_.confidence_target * mean;
  };
  const double latency = static_cast<double>(latencies_.sum()) / static_cast<double>(latencies_.count());
  return narrow(confidence_95(accepted_batches_), last_accepted_ / static_cast<double>(counted_.words.size())) &&
         (saturated_ || narrow(latency_confidence(), latency));
}

// What is on its way counts with its time so far; otherwise blocked packets would not show.
bool Measurement::too_slow(const State& state) const {
  if (closed_) return false;  // The window bounds the packets in a network.
  const double latency = static_cast<double>(latencies_.sum()) + state.age;
  const double count = static_cast<double>(latencies_.count()) + static_cast<double>(state.in_flight);
  return latency > static_cast<double>(base_.tick_of_cycle(spec_.latency_limit_cycles)) * count;
}

double Measurement::done() const {
  if (spec_.sampled) return static_cast<double>(progress_.get()) / static_cast<double>(spec_.max_samples);
  return std::min(1.0, static_cast<double>(reached_.get()) / static_cast<double>(end_));
}

uint64_t Measurement::bytes_received() const {
  const std::vector<uint64_t> bytes = class_bytes();
  return std::accumulate(bytes.begin(), bytes.end(), uint64_t{0});
}

std::vector<uint64_t> Measurement::class_bytes() const {
  if (classes_.empty()) return {received_ * static_cast<uint64_t>(spec_.payload.count)};
  std::vector<uint64_t> bytes;
  for (size_t i = 0; i < classes_.size(); ++i)
    bytes.push_back(classes_[i].received() * static_cast<uint64_t>(spec_.classes[i].payload.count));
  return bytes;
}

void Measurement::report_part(bool over, v1::TrafficPart& part) const {
  v1::TrafficCounts& all = *part.mutable_all();
  all.set_sent(sent_);
  all.set_received(received_);
  const std::vector<uint64_t>& words = live() ? words_by_ : counted_.words;
  all.mutable_words()->Assign(words.begin(), words.end());
  observe::pack_latencies(latencies_, *all.mutable_latencies());
  for (const ClassCounts& counts : classes_) counts.pack(*part.add_classes());
  part.set_paths(paths_);
  part.set_network_latency(network_latency_);
  part.set_routers(routers_);
  part.set_reached(static_cast<int64_t>(reached_.get()));
  part.set_over(over);
}

absl::Status Measurement::add(const v1::TrafficPart& part) {
  const auto hosts = static_cast<int>(words_by_.size());
  const auto is_of_these = [hosts](const v1::TrafficCounts& counts) {
    return counts.words_size() == hosts && observe::is_sound(counts.latencies());
  };
  const bool fits = part.classes_size() == static_cast<int>(classes_.size()) && is_of_these(part.all()) &&
                    std::all_of(part.classes().begin(), part.classes().end(), is_of_these);
  if (!fits || part.reached() < 0)
    return absl::DataLossError("a place has measured traffic of other hosts or classes than the experiment has");
  parts_over_ = part.over() && (parts_over_ || parts_ == 0);
  ++parts_;
  sent_ += part.all().sent();
  received_ += part.all().received();
  for (size_t host = 0; host < words_by_.size(); ++host) words_by_[host] += part.all().words(static_cast<int>(host));
  observe::unpack_latencies(part.all().latencies(), latencies_);
  for (size_t i = 0; i < classes_.size(); ++i) classes_[i].add(part.classes(static_cast<int>(i)));
  paths_ += part.paths();
  network_latency_ += part.network_latency();
  routers_ += part.routers();
  flit_hops_ += part.flit_hops();
  reach(part.reached());
  // What partitions send to each other is under way until the other one has it.
  over_ = parts_over_ && sent_ == received_;
  return absl::OkStatus();
}

}  // namespace fabrictwin::traffic
