// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/metrics/run_metrics.h"

#include <algorithm>
#include <utility>

#include "cosim/link/record.h"
#include "dashboards/metrics/metric_catalogue.h"

namespace fabrictwin::dashboards::metrics {
namespace {

prometheus::MetricType type_of(MetricType type) {
  switch (type) {
    case MetricType::kCounter:
      return prometheus::MetricType::Counter;
    case MetricType::kGauge:
      return prometheus::MetricType::Gauge;
    default:
      return prometheus::MetricType::Summary;
  }
}

prometheus::MetricFamily family_of(const Metric& metric) {
  prometheus::MetricFamily family;
  family.name = metric.name;
  family.help = metric.help;
  family.type = type_of(metric.type);
  return family;
}

/// Adds one series; `label_values` in the order of the metric's labels.
void add_series(const Metric& metric, prometheus::MetricFamily& family, double value,
                std::span<const std::string> label_values) {
  prometheus::ClientMetric& series = family.metric.emplace_back();
  const std::span<const std::string_view> names = metric.labels();
  const size_t count = std::min(names.size(), label_values.size());
  series.label.reserve(count);
  for (size_t i = 0; i < count; ++i) series.label.push_back({std::string(names[i]), label_values[i]});
  if (metric.type == MetricType::kCounter) {
    series.counter.value = value;
  } else {
    series.gauge.value = value;
  }
}

/// A family with one series for each of `items`.
template <typename Items, typename Value, typename Labels>
prometheus::MetricFamily family_over(const Metric& metric, const Items& items, Value value, Labels labels) {
  prometheus::MetricFamily family = family_of(metric);
  family.metric.reserve(items.size());
  for (const auto& item : items) add_series(metric, family, static_cast<double>(value(item)), labels(item));
  return family;
}

prometheus::MetricFamily single(const Metric& metric, double value, std::span<const std::string> labels = {}) {
  prometheus::MetricFamily family = family_of(metric);
  add_series(metric, family, value, labels);
  return family;
}

/// A gauge that not every run has. If not `known`, the family has no series, because a 0 would look like a measured
/// value; but it exists, like every metric of the catalogue.
prometheus::MetricFamily single_if(bool known, const Metric& metric, double value) {
  return known ? single(metric, value) : family_of(metric);
}

/// A distribution of `count` values with this mean, in units of `unit` seconds. It has no series if there are no
/// values.
template <typename Latencies>
prometheus::MetricFamily summary(const Metric& metric, const Latencies& latencies, uint64_t count, double unit) {
  prometheus::MetricFamily family = family_of(metric);
  if (count == 0) return family;
  prometheus::ClientMetric::Summary& summary = family.metric.emplace_back().summary;
  summary.sample_count = count;
  summary.sample_sum = latencies.mean() * static_cast<double>(count) * unit;
  summary.quantile = {{0.5, latencies.p50() * unit},
                      {0.9, latencies.p90() * unit},
                      {0.99, latencies.p99() * unit},
                      {0.999, latencies.p99_9() * unit},
                      {0.9999, latencies.p99_99() * unit}};
  return family;
}

}  // namespace

RunMetrics::RunMetrics(const experiment::Experiment& experiment, const system::Plan& plan, std::string version)
    : run_labels_{std::move(version), plan.graph.topology, std::to_string(experiment.seed), experiment.file},
      cycle_seconds_(static_cast<double>(plan.graph.router_clock.numerator()) /
                     static_cast<double>(plan.graph.router_clock.denominator()) * 1e-15) {
  link_names_.reserve(static_cast<size_t>(plan.graph.channel_count()));
  for (int32_t channel = 0; channel < plan.graph.channel_count(); ++channel) {
    link_names_.push_back(plan.graph.channel_name(channel));
  }
}

std::vector<prometheus::MetricFamily> RunMetrics::collect(const run::RunSample& sample,
                                                          std::span<const link::LinkCounters> links) const {
  std::vector<prometheus::MetricFamily> families;
  families.reserve(metric_catalogue().size());
  families.push_back(single(metric::kRunInfo, 1, run_labels_));
  families.push_back(single(metric::kSimulatedSeconds, sample.simulated.seconds()));
  families.push_back(single(metric::kWallSeconds, sample.wall_seconds));

  add_links(links, families);
  add_measures(sample.measures, families);

  const auto& partitions = sample.partitions;
  const auto name = [](const v1::PartitionReport& partition) { return std::array{partition.name()}; };
  families.push_back(family_over(
      metric::kPartitionInfo, partitions, [](const auto&) { return 1; },
      [](const auto& partition) {
        return std::array{partition.name(), partition.kind(), partition.place()};
      }));
  families.push_back(family_over(
      metric::kPartitionEvents, partitions, [](const auto& p) { return p.events(); }, name));
  families.push_back(family_over(
      metric::kPartitionBusy, partitions, [](const auto& p) { return p.busy_seconds(); }, name));
  families.push_back(family_over(
      metric::kPartitionWait, partitions, [](const auto& p) { return p.wait_seconds(); }, name));
  families.push_back(family_over(
      metric::kPartitionRecordsReceived, partitions, [](const auto& p) { return p.records_in(); }, name));
  families.push_back(family_over(
      metric::kPartitionRecordsSent, partitions, [](const auto& p) { return p.records_out(); }, name));

  const auto& transports = sample.transports;
  const auto transport = [](const run::TransportCounters& counters) { return std::array{counters.transport}; };
  families.push_back(family_over(
      metric::kTransportRecords, transports, [](const auto& t) { return t.records; }, transport));
  families.push_back(family_over(
      metric::kTransportMessages, transports, [](const auto& t) { return t.messages; }, transport));
  families.push_back(family_over(
      metric::kTransportBytes, transports, [](const auto& t) { return t.bytes; }, transport));
  return families;
}

void RunMetrics::add_measures(const v1::Report& measures, std::vector<prometheus::MetricFamily>& families) const {
  const v1::TrafficReport& traffic = measures.traffic();
  // Networks of input-queued routers count cycles.
  families.push_back(
      traffic.has_latency_cycles()
          ? summary(metric::kPacketLatency, traffic.latency_cycles(), traffic.measured_packets(), cycle_seconds_)
          : summary(metric::kPacketLatency, traffic.latency_seconds(), traffic.latency_seconds().count(), 1));
  const v1::LatencySeconds& messages = measures.message_latency_seconds();
  families.push_back(summary(metric::kMessageLatency, messages, messages.count(), 1));
  // accepted_load has no presence in the proto, and 0 may be measured. A model that measures it also sets
  // accepted_load_min_node as soon as time has passed.
  const bool accepted = traffic.has_accepted_load_min_node();
  families.push_back(single_if(accepted, metric::kAcceptedLoad, traffic.accepted_load()));
  families.push_back(single_if(accepted, metric::kAcceptedLoadLeast, traffic.accepted_load_min_node()));
  families.push_back(single_if(traffic.has_jain_index(), metric::kJainIndex, traffic.jain_index()));
  const v1::OccupancyReport& occupancy = measures.occupancy();
  const bool routers = occupancy.intervals_size() > 0;
  const v1::OccupancyInterval now = routers ? occupancy.intervals(0) : v1::OccupancyInterval();
  families.push_back(single_if(routers, metric::kBufferMean, now.mean_flits()));
  families.push_back(single_if(routers, metric::kBufferMost, static_cast<double>(now.max_flits())));
  families.push_back(single_if(routers, metric::kBufferCapacity, static_cast<double>(occupancy.capacity_flits())));
}

void RunMetrics::add_links(std::span<const link::LinkCounters> links,
                           std::vector<prometheus::MetricFamily>& families) const {
  prometheus::MetricFamily bytes = family_of(metric::kLinkBytes);
  prometheus::MetricFamily packets = family_of(metric::kLinkPackets);
  prometheus::MetricFamily stall = family_of(metric::kLinkCreditStall);
  prometheus::MetricFamily ratio = family_of(metric::kLinkStallToFlit);
  const size_t count = std::min(links.size(), link_names_.size());
  for (prometheus::MetricFamily* family : {&bytes, &packets, &stall, &ratio}) family->metric.reserve(count);
  for (size_t channel = 0; channel < count; ++channel) {
    const std::span<const std::string> label(&link_names_[channel], 1);
    const link::LinkCounters& counters = links[channel];
    add_series(metric::kLinkBytes, bytes, static_cast<double>(counters.words.get()) * link::kWordBytes, label);
    add_series(metric::kLinkPackets, packets, static_cast<double>(counters.packets.get()), label);
    add_series(metric::kLinkCreditStall, stall,
               static_cast<double>(counters.credit_stall_cycles.get()) * cycle_seconds_, label);
    const auto words = static_cast<double>(counters.words.get());
    const auto stalls = static_cast<double>(counters.credit_stall_cycles.get());
    add_series(metric::kLinkStallToFlit, ratio, words > 0 ? stalls / words : 0, label);
  }
  families.push_back(std::move(bytes));
  families.push_back(std::move(packets));
  families.push_back(std::move(stall));
  families.push_back(std::move(ratio));
}

}  // namespace fabrictwin::dashboards::metrics
