// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cosim/observe/latency_report.h"
#include "cosim/study/sweep/metric.h"
#include "cosim/study/sweep/result.h"
#include "dashboards/html/page.h"
#include "dashboards/report/heat_map.h"
#include "dashboards/report/line_plot.h"
#include "dashboards/report/plot_stack.h"

namespace fabrictwin::study::sweep {
namespace {

using dashboards::html::Chart;
using Point = Result::Point;

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();
/// An axis is logarithmic if its largest value is at least so many times the least one.
constexpr double kWide = 50;

/// A network that accepts less of the offered load in a fixed time counts as saturated.
constexpr double kShareAccepted = 0.95;

using Value = std::function<std::optional<double>(const Point&)>;

/// What a diagram shows of each point.
struct Quantity {
  std::string label;  ///< "hot"; empty if a diagram has only one.
  Value value;
  Value confidence{};  ///< Half the width of the 95 % confidence interval; empty if there is none.
};

/// One diagram: its axes, and curves of each quantity.
struct Diagram {
  std::string title;
  dashboards::report::PlotAxis y;
  std::vector<Quantity> quantities;
};

/// The points that differ only in the value of one axis.
struct Curve {
  struct At {
    double x = 0;
    const Result::Point* point = nullptr;  ///< It has succeeded.
  };
  std::string label;  ///< The values of the other axes: "pattern=uniform"; empty if there are none.
  std::vector<At> points;
};

std::optional<double> latency_cycles(const Point& point) {
  const v1::TrafficReport& traffic = point.report.traffic();
  if (traffic.saturated() || !traffic.has_latency_cycles()) return std::nullopt;
  return traffic.latency_cycles().mean();
}

std::optional<double> latency_ns(const Point& point) {
  if (!point.report.has_traffic() || point.report.traffic().saturated()) return std::nullopt;
  const double latency = point.report.traffic().mean_latency_seconds();
  if (latency == 0) return std::nullopt;  // There were no packets.
  return latency * 1e9;
}

std::optional<double> accepted_load(const Point& point) {
  if (!observe::has_accepted_load(point.report.traffic())) return std::nullopt;
  return point.report.traffic().accepted_load();
}

std::optional<double> latency_confidence(const Point& point) {
  const v1::TrafficReport& traffic = point.report.traffic();
  if (traffic.saturated() || !traffic.latency_cycles().has_confidence()) return std::nullopt;
  return traffic.latency_cycles().confidence();
}

std::optional<double> accepted_load_confidence(const Point& point) {
  const v1::TrafficReport& traffic = point.report.traffic();
  if (!traffic.has_accepted_load_confidence()) return std::nullopt;
  return traffic.accepted_load_confidence();
}

/// Adds diagrams of what flows and queues are judged by, as far as the points have it.
void add_congestion(const Result& result, std::vector<Diagram>& diagrams) {
  struct Judged {
    std::string_view key;
    const char* title;
    dashboards::report::PlotAxis y;
  };
  const Judged all[] = {
      {"fct_max_seconds", "Completion of the last flow", {.title = "completion time", .unit = "s", .from = 0}},
      {"slowdown_p99", "Slowdown of flows, 99 of 100", {.title = "slowdown", .from = 0}},
      {"min_over_max_min", "Least share of a fair rate", {.title = "share", .from = 0}},
      {"queue_max_bytes", "Longest queue", {.title = "queue", .unit = "B", .from = 0}},
      {"pauses", "Pauses", {.title = "pauses", .from = 0}}};
  for (Metric& metric : metrics_of(result)) {
    const auto judged = std::ranges::find(all, metric.key, &Judged::key);
    if (judged != std::end(all)) diagrams.push_back({judged->title, judged->y, {{"", std::move(metric.value)}}});
  }
}

/// The class of a metric of one: "hot" of "classes.hot.accepted_load"; nothing if it is no such metric.
std::optional<std::string> class_in(std::string_view key, std::string_view field) {
  constexpr std::string_view kClasses = "classes.";
  if (!key.starts_with(kClasses) || !key.ends_with(field)) return std::nullopt;
  return std::string(key.substr(kClasses.size(), key.size() - kClasses.size() - field.size()));
}

/// Adds diagrams with a curve for each class of traffic, if there are any.
void add_classes_of_traffic(const Result& result, bool cycles, std::vector<Diagram>& diagrams) {
  Diagram load{"Accepted load by class", {.title = "accepted load", .from = 0}, {}};
  Diagram latency{"Latency by class", {.title = "latency", .unit = cycles ? "cycles" : "ns", .from = 0}, {}};
  for (const Metric& metric : metrics_of(result)) {
    if (const auto name = class_in(metric.key, ".accepted_load")) load.quantities.push_back({*name, metric.value});
    const auto name = class_in(metric.key, cycles ? ".latency_mean" : ".mean_latency_seconds");
    if (!name.has_value()) continue;
    latency.quantities.push_back({*name, [metric](const Point& point) -> std::optional<double> {
                                    if (point.report.traffic().saturated()) return std::nullopt;
                                    const std::optional<double> value = metric.value(point);
                                    return value.has_value() ? std::optional(*value * metric.scale) : std::nullopt;
                                  }});
  }
  for (Diagram* diagram : {&load, &latency}) {
    if (!diagram->quantities.empty()) diagrams.push_back(std::move(*diagram));
  }
}

/// The diagrams of what the points have: of searches, of traffic, or of any run.
std::vector<Diagram> diagrams_of(const Result& result) {
  if (result.precision.has_value()) {
    return {{"Saturation load", {.title = "load", .from = 0}, {{"", [](const Point& p) { return p.saturation.load; }}}},
            {"Saturation throughput", {.title = "accepted load", .from = 0}, {{"", [](const Point& p) {
                                                                                 return p.saturation.throughput;
                                                                               }}}}};
  }
  bool traffic = false;
  bool cycles = true;
  for (const Point& point : result.points) {
    if (!point.done || !point.status.ok()) continue;
    traffic = traffic || point.report.has_traffic();
    cycles = cycles && observe::is_sampled(point.report.traffic()) && point.report.traffic().has_latency_cycles();
  }
  if (!traffic) {
    std::vector<Diagram> diagrams;
    diagrams.push_back({"Simulated time",
                        {.title = "simulated time", .unit = "s", .from = 0},
                        {{"", [](const Point& p) { return p.report.simulated_seconds(); }}}});
    add_congestion(result, diagrams);
    return diagrams;
  }
  std::vector<Diagram> diagrams{
      {"Mean latency of packets",
       {.title = "latency", .unit = cycles ? "cycles" : "ns", .from = 0},
       {{"", cycles ? Value(latency_cycles) : Value(latency_ns), cycles ? Value(latency_confidence) : Value()}}},
      {"Accepted load",
       {.title = "accepted load", .from = 0},
       {{"", Value(accepted_load), Value(accepted_load_confidence)}}}};
  add_classes_of_traffic(result, cycles, diagrams);
  add_congestion(result, diagrams);
  return diagrams;
}

/// The first axis whose values are numbers; the number of axes if there is none.
size_t numeric_axis(const Result& result) {
  size_t axis = 0;
  while (axis < result.axes.size() && result.axes[axis].numbers().values.empty()) ++axis;
  return axis;
}

/// The curves over that axis, in the order in which they begin. They refer to points of `result`.
std::vector<Curve> curves_of(const Result& result, size_t x_axis) {
  std::vector<Curve> curves;
  const Axis& axis = result.axes[x_axis];
  const std::vector<double> numbers = axis.numbers().values;
  for (const Point& point : result.points) {
    if (!point.done || !point.status.ok()) continue;
    std::string label;
    for (size_t i = 0; i < point.settings.size(); ++i) {
      if (i == x_axis) continue;
      label += fmt::format("{}{}={}", label.empty() ? "" : " ", result.axes[i].name, point.settings[i].value);
    }
    auto curve = std::ranges::find(curves, label, &Curve::label);
    if (curve == curves.end()) curve = curves.insert(curve, {label, {}});
    const auto value = std::ranges::find(axis.values, point.settings[x_axis].value, &Axis::Value::text);
    if (value == axis.values.end()) continue;
    curve->points.push_back({numbers[static_cast<size_t>(value - axis.values.begin())], &point});
  }
  return curves;
}

/// A map of each metric over two axes, the first one from left to right.
absl::Status add_maps(const Result& result, std::vector<dashboards::report::Picture>& pictures) {
  if (result.axes.size() != 2 || result.axes[0].values.size() < 2 || result.axes[1].values.size() < 2)
    return absl::OkStatus();
  for (const Metric& metric : metrics_of(result)) {
    // What was set is no result.
    if (metric.kind != Metric::Kind::kNumber || !metric.in_maps || metric.key == "offered_load" ||
        metric.key == "packets_delivered")
      continue;
    dashboards::report::HeatMap map;
    map.title = metric.title;
    map.x_title = result.axes[0].name;
    map.y_title = result.axes[1].name;
    for (const Axis::Value& value : result.axes[0].values) map.x.push_back(value.text);
    for (const Axis::Value& value : result.axes[1].values) map.y.push_back(value.text);
    bool any = false;
    for (const Point& point : result.points) {
      std::optional<double> value;
      if (point.done && point.status.ok()) value = metric.value(point);
      any = any || value.has_value();
      if (value.has_value()) value = *value * metric.scale;
      map.values.push_back(value);
    }
    if (!any) continue;
    absl::StatusOr<dashboards::report::Picture> picture = dashboards::report::heat_map_picture(map);
    if (!picture.ok()) return picture.status();
    pictures.push_back(*std::move(picture));
  }
  return absl::OkStatus();
}

/// The base of an axis with these values: 0 for a linear one.
int log_of(const std::vector<double>& values) {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (const double value : values) {
    if (value <= 0) return 0;
    // Comparisons with NaN are false.
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return most >= kWide * least ? 10 : 0;
}

/// The positions of all points, rising, and the index of each.
std::map<double, size_t> positions_of(const std::vector<Curve>& curves) {
  std::map<double, size_t> positions;
  for (const Curve& curve : curves) {
    for (const Curve::At& at : curve.points) positions[at.x];
  }
  size_t next = 0;
  for (auto& [x, index] : positions) index = next++;
  return positions;
}

/// What a curve of a diagram is called: "hot", "pattern=uniform", "hot pattern=uniform", or as its axis.
std::string label_of(const Diagram& diagram, const Quantity& quantity, const Curve& curve) {
  if (quantity.label.empty()) return curve.label.empty() ? diagram.y.title : curve.label;
  return curve.label.empty() ? quantity.label : quantity.label + " " + curve.label;
}

Chart::Curve chart_curve(const Quantity& quantity, const Curve& from, const std::map<double, size_t>& positions) {
  Chart::Curve curve;
  curve.y.assign(positions.size(), kNoValue);
  std::vector<double> low = curve.y;
  std::vector<double> high = curve.y;
  bool band = false;
  for (const Curve::At& at : from.points) {
    const std::optional<double> value = quantity.value(*at.point);
    if (!value.has_value()) continue;
    const size_t index = positions.at(at.x);
    curve.y[index] = low[index] = high[index] = *value;
    const std::optional<double> half = quantity.confidence ? quantity.confidence(*at.point) : std::nullopt;
    if (!half.has_value()) continue;
    band = true;
    low[index] -= *half;
    high[index] += *half;
  }
  if (!band) return curve;
  curve.low = std::move(low);
  curve.high = std::move(high);
  return curve;
}

/// What is measured for a fixed time says only what was accepted, and has no confidence interval.
bool saturates(const v1::TrafficReport& traffic) {
  if (traffic.has_saturated()) return traffic.saturated();
  return observe::has_accepted_load(traffic) && traffic.accepted_load() < kShareAccepted * traffic.offered_load();
}

/// Where each curve saturates first.
std::vector<Chart::Mark> saturation_marks(const std::vector<Curve>& curves) {
  std::vector<Chart::Mark> marks;
  for (const Curve& curve : curves) {
    double first = std::numeric_limits<double>::infinity();
    for (const Curve::At& at : curve.points) {
      if (at.point->report.has_traffic() && saturates(at.point->report.traffic())) first = std::min(first, at.x);
    }
    if (first < std::numeric_limits<double>::infinity())
      marks.push_back({first, curve.label.empty() ? "saturated" : fmt::format("saturated: {}", curve.label)});
  }
  return marks;
}

Chart chart_of(const Result& result, size_t x_axis, const Diagram& diagram, const std::vector<Curve>& curves) {
  const std::map<double, size_t> positions = positions_of(curves);
  const Axis& axis = result.axes[x_axis];
  Chart chart{diagram.title, {axis.name, axis.numbers().unit}, {diagram.y.title, diagram.y.unit}, {}, {}};
  for (const auto& [x, index] : positions) chart.x.push_back(x);
  std::vector<double> values;
  for (const Quantity& quantity : diagram.quantities) {
    for (const Curve& curve : curves) {
      chart.curves.push_back(chart_curve(quantity, curve, positions));
      chart.curves.back().label = label_of(diagram, quantity, curve);
      values.insert(values.end(), chart.curves.back().y.begin(), chart.curves.back().y.end());
      if (!chart.curves.back().low.empty()) chart.note = "Bands are 95 % confidence intervals.";
    }
  }
  chart.x_axis.log = log_of(chart.x);
  chart.y_axis.log = log_of(values);
  if (!result.precision.has_value()) chart.marks = saturation_marks(curves);
  return chart;
}

/// What the search has tried, by load.
Chart probes_chart(const point::SaturationResult& saturation) {
  std::map<double, const v1::TrafficReport*> probes;
  for (const point::SaturationResult::Probe& probe : saturation.probes) probes[probe.load] = &probe.report.traffic();
  Chart chart{"Probes of the search", {"load", ""}, {"accepted load", ""}, {}, {{"accepted", {}}}};
  for (const auto& [load, traffic] : probes) {
    chart.x.push_back(load);
    chart.curves[0].y.push_back(traffic->accepted_load());
  }
  if (saturation.load_above > 0) chart.marks.push_back({saturation.load_above, "saturated"});
  return chart;
}

}  // namespace

absl::StatusOr<std::optional<std::string>> to_svg(const Result& result) {
  const size_t x_axis = numeric_axis(result);
  std::vector<dashboards::report::Picture> pictures;
  for (const Diagram& diagram : x_axis < result.axes.size() ? diagrams_of(result) : std::vector<Diagram>()) {
    const Axis& axis = result.axes[x_axis];
    dashboards::report::LinePlot plot(diagram.title, {.title = axis.name, .unit = axis.numbers().unit}, diagram.y);
    for (const Quantity& quantity : diagram.quantities) {
      for (const Curve& curve : curves_of(result, x_axis)) {
        std::vector<dashboards::report::PlotPoint> points;
        for (const Curve::At& at : curve.points) {
          const std::optional<double> y = quantity.value(*at.point);
          if (y.has_value()) points.push_back({at.x, *y});
        }
        plot.add_line(label_of(diagram, quantity, curve), std::move(points));
      }
    }
    absl::StatusOr<dashboards::report::Picture> picture = dashboards::report::picture_of(plot);
    if (!picture.ok()) return picture.status();
    pictures.push_back(*std::move(picture));
  }
  if (absl::Status status = add_maps(result, pictures); !status.ok()) return status;
  if (pictures.empty()) return std::optional<std::string>();
  return std::optional<std::string>(dashboards::report::stack_pictures(pictures));
}

std::vector<Chart> to_charts(const Result& result) {
  std::vector<Chart> charts;
  if (result.axes.empty()) {
    if (result.precision.has_value() && !result.points.empty() && !result.points[0].saturation.probes.empty())
      charts.push_back(probes_chart(result.points[0].saturation));
    return charts;
  }
  const size_t x_axis = numeric_axis(result);
  if (x_axis == result.axes.size()) return charts;
  const std::vector<Curve> curves = curves_of(result, x_axis);
  for (const Diagram& diagram : diagrams_of(result)) charts.push_back(chart_of(result, x_axis, diagram, curves));
  return charts;
}

}  // namespace fabrictwin::study::sweep
