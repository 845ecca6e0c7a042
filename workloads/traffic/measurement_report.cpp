// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a measurement says in reports and metrics.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/base/jain_index.h"
#include "cosim/observe/latency_report.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "workloads/traffic/batch_means.h"
#include "workloads/traffic/measurement.h"
#include "workloads/traffic/traffic_metrics.h"

namespace fabrictwin::traffic {
namespace {

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

}  // namespace

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
