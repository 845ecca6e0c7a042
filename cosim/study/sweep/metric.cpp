// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/sweep/metric.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "cosim/observe/latency_report.h"
#include "cosim/study/point/run_metrics.h"

namespace fabrictwin::study::sweep {
namespace {

using Point = Result::Point;
using google::protobuf::FieldDescriptor;

bool any(const Result& result, bool (*has)(const v1::Report&)) {
  return std::any_of(result.points.begin(), result.points.end(),
                     [&](const Point& point) { return point.done && point.status.ok() && has(point.report); });
}

/// The value of a field of LatencyCycles, so that new fields there become metrics here.
std::optional<double> latency_field(const Point& point, const FieldDescriptor* field) {
  if (!point.report.traffic().has_latency_cycles()) return std::nullopt;
  const v1::LatencyCycles& latency = point.report.traffic().latency_cycles();
  const auto* reflection = latency.GetReflection();
  if (field->has_presence() && !reflection->HasField(latency, field)) return std::nullopt;
  return reflection->GetDouble(latency, field);
}

std::vector<Metric>::iterator after_mean(std::vector<Metric>& metrics) {
  const auto mean =
      std::find_if(metrics.begin(), metrics.end(), [](const Metric& metric) { return metric.key == "latency_mean"; });
  return mean == metrics.end() ? mean : mean + 1;
}

void add_latencies(const Result& result, std::vector<Metric>& metrics) {
  const auto* type = v1::LatencyCycles::descriptor();
  for (int i = 0; i < type->field_count(); ++i) {
    const FieldDescriptor* field = type->field(i);
    if (field->is_repeated() || field->cpp_type() != FieldDescriptor::CPPTYPE_DOUBLE) continue;
    const auto value = [field](const Point& point) { return latency_field(point, field); };
    const bool there = std::any_of(result.points.begin(), result.points.end(),
                                   [&](const Point& point) { return value(point).has_value(); });
    if (!there) continue;
    const std::string name = field->name();
    std::string title = name == "mean" ? "latency" : name == "confidence" ? "+/- 95 %" : name;
    // p99_9 is the percentile 99.9.
    std::replace(title.begin(), title.end(), '_', name.starts_with("p9") ? '.' : ' ');
    Metric metric = {"latency_" + name, title, name == "min" || name == "max" ? 0 : 2, value};
    if (name == "confidence") {
      metrics.insert(after_mean(metrics), std::move(metric));
    } else {
      metrics.push_back(std::move(metric));
    }
  }
}

void add_loads(std::vector<Metric>& metrics, bool sampled) {
  metrics.push_back({"offered_load", "offered", 4, [](const Point& p) { return p.report.traffic().offered_load(); }});
  metrics.push_back({"accepted_load", "accepted", 4, [](const Point& p) -> std::optional<double> {
                       if (!observe::has_accepted_load(p.report.traffic())) return std::nullopt;
                       return p.report.traffic().accepted_load();
                     }});
  if (sampled) {
    metrics.push_back({"accepted_load_confidence", "+/- 95 %", 4, [](const Point& p) -> std::optional<double> {
                         if (!p.report.traffic().has_accepted_load_confidence()) return std::nullopt;
                         return p.report.traffic().accepted_load_confidence();
                       }});
  }
  metrics.push_back({"accepted_load_min_node", "least node", 4, [](const Point& p) -> std::optional<double> {
                       if (!p.report.traffic().has_accepted_load_min_node()) return std::nullopt;
                       return p.report.traffic().accepted_load_min_node();
                     }});
}

/// Adds the latencies of traffic that is measured for a fixed time, shown as nanoseconds in the table.
void add_seconds(std::vector<Metric>& metrics) {
  const auto add = [&](std::string key, std::string title, double (*value)(const v1::TrafficReport&)) {
    const auto measured = [value](const Point& point) -> std::optional<double> {
      if (!point.report.traffic().has_latency_seconds()) return std::nullopt;
      return value(point.report.traffic());
    };
    metrics.push_back({std::move(key), std::move(title), 2, measured, Metric::Kind::kNumber, 1e9});
  };
  using Traffic = v1::TrafficReport;
  add("mean_latency_seconds", "latency (ns)", [](const Traffic& t) { return t.mean_latency_seconds(); });
  add("p50_latency_seconds", "p50 (ns)", [](const Traffic& t) { return t.latency_seconds().p50(); });
  add("p99_latency_seconds", "p99 (ns)", [](const Traffic& t) { return t.latency_seconds().p99(); });
  add("max_latency_seconds", "max (ns)", [](const Traffic& t) { return t.max_latency_seconds(); });
}

/// What the table has of the metrics of all runs, under its own titles. The others are in CSV and maps.
struct Shown {
  std::string_view key;
  const char* title;
  int decimals;
};
constexpr Shown kShown[] = {{"fct_max_seconds", "last FCT (us)", 2},
                            {"slowdown_p50", "slowdown p50", 3},
                            {"slowdown_p99", "p99", 3},
                            {"jain_index", "Jain", 4},
                            {"min_over_max_min", "min/fair", 4},
                            {"queue_max_bytes", "queue (kB)", 1},
                            {"queue_mean_bytes", "mean (kB)", 1},
                            {"window_goodput_gbps", "window Gbit/s", 2},
                            {"window_goodput_least_gbps", "least", 2},
                            {"window_jain_index", "window Jain", 4},
                            {"pauses", "pauses", 0}};

/// Adds what flows, queues, jobs and schemes are judged by: the metrics of comparisons. Loads and latencies of traffic
/// have columns of their own here.
void add_congestion(const Result& result, std::vector<Metric>& metrics) {
  std::vector<const v1::Report*> reports;
  for (const Point& point : result.points) {
    if (point.done && point.status.ok()) reports.push_back(&point.report);
  }
  for (point::RunMetric& from : point::metrics_of(reports)) {
    if (from.subject == point::RunMetric::Subject::kTraffic || from.key == "simulated_seconds") continue;
    const auto shown = std::ranges::find(kShown, from.key, &Shown::key);
    const bool in_table = shown != std::end(kShown);
    Metric metric{from.key, in_table ? shown->title : from.key, in_table ? shown->decimals : from.decimals,
                  [value = std::move(from.value)](const Point& p) { return value(p.report); }};
    // The name of what has no column says its unit.
    if (in_table) metric.scale = from.scale;
    metric.in_table = in_table;
    metric.in_maps = from.in_maps;
    metrics.push_back(std::move(metric));
  }
}

const v1::ClassReport* class_of(const Point& point, std::string_view name) {
  for (const v1::ClassReport& of_class : point.report.classes()) {
    if (of_class.name() == name) return &of_class;
  }
  return nullptr;
}

void add_class_goodput(const Result& result, const std::string& name, std::vector<Metric>& metrics) {
  const std::string key = "classes." + name + ".goodput_gbps";
  Metric metric{key, key, 2, [name](const Point& p) -> std::optional<double> {
                  const v1::ClassReport* of_class = class_of(p, name);
                  if (of_class == nullptr || !of_class->has_goodput_gbps()) return std::nullopt;
                  return of_class->goodput_gbps();
                }};
  metric.in_table = false;
  if (std::ranges::any_of(result.points, [&](const Point& p) { return metric.value(p).has_value(); }))
    metrics.push_back(std::move(metric));
}

/// Adds what is measured of classes of traffic: "classes.victims.accepted_load".
void add_classes(const Result& result, std::vector<Metric>& metrics, bool sampled) {
  std::vector<std::string> names;
  for (const Point& point : result.points) {
    for (const v1::ClassReport& of_class : point.report.classes()) {
      if (std::ranges::find(names, of_class.name()) == names.end()) names.push_back(of_class.name());
    }
  }
  for (const std::string& name : names) {
    const std::string key = "classes." + name + ".";
    metrics.push_back({key + "accepted_load", name + " accepted", 4, [name](const Point& p) -> std::optional<double> {
                         const v1::ClassReport* of_class = class_of(p, name);
                         if (of_class == nullptr || !observe::has_accepted_load(p.report.traffic()))
                           return std::nullopt;
                         return of_class->accepted_load();
                       }});
    const auto add_latency = [&](std::string_view field, std::string_view title, bool cycles, auto value) {
      metrics.push_back({key + std::string(field), name + " " + std::string(title), 2,
                         [name, value](const Point& p) -> std::optional<double> {
                           const v1::ClassReport* of_class = class_of(p, name);
                           if (of_class == nullptr || !of_class->has_latency()) return std::nullopt;
                           return value(*of_class);
                         },
                         Metric::Kind::kNumber, cycles ? 1 : 1e9});
    };
    if (sampled) {
      add_latency("latency_mean", "latency", true, [](const v1::ClassReport& c) { return c.latency_cycles().mean(); });
      add_latency("latency_p99", "p99", true, [](const v1::ClassReport& c) { return c.latency_cycles().p99(); });
    } else {
      add_latency("mean_latency_seconds", "latency (ns)", false,
                  [](const v1::ClassReport& c) { return c.latency().mean(); });
      add_latency("p99_latency_seconds", "p99 (ns)", false, [](const v1::ClassReport& c) { return c.latency().p99(); });
    }
    add_class_goodput(result, name, metrics);
  }
}

}  // namespace

std::vector<Metric> metrics_of(const Result& result) {
  std::vector<Metric> metrics;
  if (result.precision.has_value()) {
    metrics.push_back({"saturation_load", "saturation load", 4, [](const Point& p) { return p.saturation.load; }});
    metrics.push_back({"saturation_load_above", "saturated at", 4, [](const Point& p) -> std::optional<double> {
                         if (p.saturation.load_above == 0) return std::nullopt;
                         return p.saturation.load_above;
                       }});
    metrics.push_back(
        {"saturation_throughput", "throughput", 4, [](const Point& p) { return p.saturation.throughput; }});
    metrics.push_back(
        {"probes", "probes", 0, [](const Point& p) { return static_cast<double>(p.saturation.probes.size()); }});
    return metrics;
  }
  if (!any(result, [](const v1::Report& report) { return report.has_traffic(); })) {
    metrics.push_back({"simulated_seconds", "simulated (us)", 4,
                       [](const Point& p) { return p.report.simulated_seconds(); }, Metric::Kind::kNumber, 1e6});
    metrics.push_back({"packets_delivered", "packets", 0,
                       [](const Point& p) { return static_cast<double>(p.report.packets_delivered()); }});
    add_congestion(result, metrics);
    return metrics;
  }
  const bool sampled = any(result, [](const v1::Report& report) {
    return observe::is_sampled(report.traffic()) && report.traffic().has_latency_cycles();
  });
  add_loads(metrics, sampled);
  if (!sampled) {
    add_seconds(metrics);
    add_classes(result, metrics, sampled);
    add_congestion(result, metrics);
    return metrics;
  }
  add_latencies(result, metrics);
  add_classes(result, metrics, sampled);
  add_congestion(result, metrics);
  metrics.push_back({"saturated", "saturated", 0,
                     [](const Point& p) { return p.report.traffic().saturated() ? 1.0 : 0.0; }, Metric::Kind::kTruth});
  return metrics;
}

}  // namespace fabrictwin::study::sweep
