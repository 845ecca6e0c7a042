// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/measurement.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>

#include "cosim/base/jain_index.h"
#include "cosim/link/packet_format.h"
#include "cosim/observe/latency_report.h"
#include "cosim/observe/pack_latencies.h"
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
  traffic.clear_latency_seconds();
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

void Measurement::report(v1::Report& report) const {
  v1::TrafficReport& traffic = *report.mutable_traffic();
  add_measured(traffic);
  if (phase_ == Phase::kWarmup) clear_latencies(traffic);
  // The last sample of the warm-up remains until the first one of the measurement has ended.
  if (spec_.sampled && accepted_batches_.empty()) clear_loads(traffic);
  if (!classes_.empty()) add_classes(report);
  if (missed_) report.add_warnings(missed_warning(traffic));
  if (traffic.measured_packets() > 0 && phase_ != Phase::kWarmup) warn_of_classes(report);
  if (traffic.measured_packets() > 0) return;
  report.add_warnings(observe::no_latency_warning(!over_, fields_to_raise()));
}

// A class of which nothing was measured has no latency, and its load of 0 is not one that the network has refused.
void Measurement::warn_of_classes(v1::Report& report) const {
  for (int i = 0; i < report.classes_size(); ++i) {
    const v1::ClassReport& of_class = report.classes(i);
    if (of_class.has_latency()) continue;
    const bool live = spec_.classes[static_cast<size_t>(i)].stop.is_never();
    report.add_warnings(
        fmt::format("class {}: {}, so it has no latencies; raise {}", of_class.name(),
                    of_class.packets_sent() == 0 ? "it has sent no packet" : "none of its packets was measured",
                    live ? "its load, or measure for longer" : "its load or its stop"));
  }
}

std::string Measurement::fields_to_raise() const {
  if (!spec_.sampled) return closed_ ? "duration" : "load or duration";
  // A saturated network would not measure more packets at a higher load.
  if (saturated_) return "latency_limit_cycles or sample_cycles";
  const auto raisable = [](const ClassSpec& c) { return c.process != v1::CLOSED_LOOP && c.load < 1; };
  return std::ranges::any_of(spec_.all_classes(), raisable) ? "load or sample_cycles" : "sample_cycles";
}

std::string Measurement::missed_warning(const v1::TrafficReport& traffic) const {
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

void Measurement::measure(metric::Sink& sink) const {
  v1::TrafficReport traffic;
  add_measured(traffic);
  measure_traffic(traffic, metric::Distribution::of(latencies_, base_.tick_seconds()), sink);
  v1::Report report;
  add_classes(report);
  const std::vector<uint64_t> bytes = class_bytes();
  for (size_t i = 0; i < classes_.size(); ++i)
    measure_class(report.classes(static_cast<int>(i)), class_slots() > 0, bytes[i], classes_[i].latencies(base_), sink);
}

// In a fixed time, what has arrived counts from the start on, up to now if its end has not been reached.
Measurement::Counted Measurement::counted() const {
  if (!live()) return counted_;
  const bool whole = over_ || phase_ == Phase::kDrain;
  const int64_t now = whole ? end_ : std::min(end_, static_cast<int64_t>(reached_.get()));
  return {words_by_, base_.slots_before(now), base_.cycles_before(now)};
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

bool Measurement::receives(int32_t host) const {
  return std::ranges::any_of(patterns_, [&](const DestinationPattern& pattern) { return pattern.receives(host); });
}

// The offered load is over all hosts, like the accepted load.
double Measurement::offered() const {
  double offered = 0;
  for (size_t i = 0; i < patterns_.size(); ++i) {
    const double senders = static_cast<double>(patterns_[i].senders()) / static_cast<double>(words_by_.size());
    offered += spec_.all_classes()[i].load * senders;
  }
  return offered / base_.full_load();
}

void Measurement::add_measured(v1::TrafficReport& traffic) const {
  traffic.set_offered_load(offered());
  traffic.set_packets_sent(sent_);
  traffic.set_packets_received(received_);
  if (parts_ > 0 && base_.counts_cycles()) traffic.set_flit_hops(flit_hops_);
  if (spec_.sampled) traffic.set_saturated(saturated_);
  add_loads(traffic);
  add_latencies(traffic);
}

// Words are counted per slot; a load is a share of the rate of links.
void Measurement::add_loads(v1::TrafficReport& traffic) const {
  const Counted counted = this->counted();
  traffic.set_measured_cycles(counted.cycles);
  if (counted.slots <= 0) return;
  const uint64_t all = std::accumulate(counted.words.begin(), counted.words.end(), uint64_t{0});
  uint64_t least = all;
  for (size_t host = 0; host < counted.words.size(); ++host) {
    if (receives(static_cast<int32_t>(host))) least = std::min(least, counted.words[host]);
  }
  const auto slots = static_cast<double>(counted.slots);
  const auto load = [&](uint64_t words) { return static_cast<double>(words) / slots / base_.full_load(); };
  traffic.set_accepted_load(static_cast<double>(all) / (slots * static_cast<double>(counted.words.size())) /
                            base_.full_load());
  traffic.set_accepted_load_min_node(load(least));
  if (const std::optional<double> index = jain_index(counted.words)) traffic.set_jain_index(*index);
  if (statistics_.per_node) {
    for (const uint64_t words : counted.words) traffic.add_accepted_load_by_node(load(words));
  }
  if (const auto half_width = confidence_95(accepted_batches_))
    traffic.set_accepted_load_confidence(*half_width / base_.full_load());
}

int64_t Measurement::class_slots() const { return spec_.sampled && accepted_batches_.empty() ? 0 : counted().slots; }

// What has not been measured yet is left out as in the report of all traffic.
void Measurement::add_classes(v1::Report& report) const {
  const int64_t slots = class_slots();
  for (size_t i = 0; i < classes_.size(); ++i) {
    v1::ClassReport& of_class = *report.add_classes();
    classes_[i].report(base_, slots, live(), statistics_.latency_histogram, packet_words_[i], of_class);
    if (phase_ != Phase::kWarmup) continue;
    of_class.clear_latency();
    of_class.clear_latency_cycles();
  }
}

void Measurement::add_latencies(v1::TrafficReport& traffic) const {
  traffic.set_measured_packets(latencies_.count());
  if (latencies_.count() == 0) return;
  const double seconds = base_.tick_seconds();
  v1::LatencySeconds& times = *traffic.mutable_latency_seconds();
  observe::report_latencies(latencies_, statistics_.latency_histogram, times, seconds);
  traffic.set_mean_latency_seconds(times.mean());
  traffic.set_max_latency_seconds(times.max());
  const double cycles = base_.tick_cycles();
  v1::LatencyCycles& latency = *traffic.mutable_latency_cycles();
  latency.set_mean(latencies_.mean() * cycles);
  latency.set_min(static_cast<double>(latencies_.min()) * cycles);
  latency.set_max(static_cast<double>(latencies_.max()) * cycles);
  observe::report_percentiles(latencies_, cycles, statistics_.latency_histogram, latency);
  if (paths_ > 0) {
    latency.set_network_mean(static_cast<double>(network_latency_) / static_cast<double>(paths_) * cycles);
    traffic.set_mean_hops(static_cast<double>(routers_) / static_cast<double>(paths_));
  }
  if (!over_ || saturated_) return;
  if (const auto half_width = latency_confidence()) latency.set_confidence(*half_width * cycles);
}

}  // namespace fabrictwin::traffic
