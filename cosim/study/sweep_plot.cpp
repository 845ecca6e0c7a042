// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/observe/latency_report.h"
#include "cosim/study/sweep_metric.h"
#include "cosim/study/sweep_result.h"
#include "dashboards/report/heat_map.h"
#include "dashboards/report/plot_stack.h"

namespace fabrictwin::study {
namespace {

using Point = SweepResult::Point;
using Value = std::function<std::optional<double>(const Point&)>;

/// One diagram: its axes and the value of each point.
struct Diagram {
  std::string title;
  dashboards::report::PlotAxis y;
  Value value;
};

/// Curves in the order in which they begin.
using Curves = std::vector<std::pair<std::string, std::vector<dashboards::report::PlotPoint>>>;

Curves curves_of(const SweepResult& result, size_t x_axis, const Value& value) {
  Curves curves;
  for (const Point& point : result.points) {
    if (!point.done || !point.status.ok()) continue;
    const std::optional<double> y = value(point);
    std::string label;
    for (size_t i = 0; i < point.settings.size(); ++i) {
      if (i == x_axis) continue;
      label += fmt::format("{}{}={}", label.empty() ? "" : " ", result.axes[i].name, point.settings[i].value);
    }
    auto curve = curves.begin();
    while (curve != curves.end() && curve->first != label) ++curve;
    if (curve == curves.end()) curve = curves.insert(curve, {label, {}});
    double x = 0;
    if (y.has_value() && parse_number(point.settings[x_axis].value, x)) curve->second.push_back({x, *y});
  }
  return curves;
}

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

std::vector<Diagram> diagrams_of(const SweepResult& result) {
  if (result.precision.has_value()) {
    return {{"Saturation load", {.title = "load", .from = 0}, [](const Point& p) { return p.saturation.load; }},
            {"Saturation throughput", {.title = "accepted load", .from = 0}, [](const Point& p) {
               return p.saturation.throughput;
             }}};
  }
  bool traffic = false;
  bool cycles = true;
  for (const Point& point : result.points) {
    if (!point.done || !point.status.ok()) continue;
    traffic = traffic || point.report.has_traffic();
    cycles = cycles && observe::is_sampled(point.report.traffic()) && point.report.traffic().has_latency_cycles();
  }
  if (!traffic) {
    return {{"Simulated time", {.title = "simulated time", .unit = "s", .from = 0}, [](const Point& p) {
               return p.report.simulated_seconds();
             }}};
  }
  return {{"Mean latency of packets",
           {.title = "latency", .unit = cycles ? "cycles" : "ns", .from = 0},
           cycles ? Value(latency_cycles) : Value(latency_ns)},
          {"Accepted load", {.title = "accepted load", .from = 0}, accepted_load}};
}

/// A map of each metric over two axes, the first one from left to right.
absl::Status add_maps(const SweepResult& result, std::vector<dashboards::report::Picture>& pictures) {
  if (result.axes.size() != 2 || result.axes[0].values.size() < 2 || result.axes[1].values.size() < 2)
    return absl::OkStatus();
  for (const SweepMetric& metric : sweep_metrics(result)) {
    // What was set is no result.
    if (metric.kind != SweepMetric::Kind::kNumber || metric.key == "offered_load" || metric.key == "packets_delivered")
      continue;
    dashboards::report::HeatMap map;
    map.title = metric.title;
    map.x_title = result.axes[0].name;
    map.y_title = result.axes[1].name;
    for (const SweepAxis::Value& value : result.axes[0].values) map.x.push_back(value.text);
    for (const SweepAxis::Value& value : result.axes[1].values) map.y.push_back(value.text);
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

}  // namespace

absl::StatusOr<std::optional<std::string>> sweep_svg(const SweepResult& result) {
  size_t x_axis = 0;
  while (x_axis < result.axes.size() && result.axes[x_axis].numbers().empty()) ++x_axis;
  std::vector<dashboards::report::Picture> pictures;
  for (const Diagram& diagram : x_axis < result.axes.size() ? diagrams_of(result) : std::vector<Diagram>()) {
    dashboards::report::LinePlot plot(diagram.title, {.title = result.axes[x_axis].name}, diagram.y);
    for (auto& [label, points] : curves_of(result, x_axis, diagram.value))
      plot.add_line(label.empty() ? diagram.y.title : label, std::move(points));
    absl::StatusOr<dashboards::report::Picture> picture = dashboards::report::picture_of(plot);
    if (!picture.ok()) return picture.status();
    pictures.push_back(*std::move(picture));
  }
  if (absl::Status status = add_maps(result, pictures); !status.ok()) return status;
  if (pictures.empty()) return std::optional<std::string>();
  return std::optional<std::string>(dashboards::report::stack_pictures(pictures));
}

}  // namespace fabrictwin::study
