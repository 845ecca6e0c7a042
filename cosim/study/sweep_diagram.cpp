// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/sweep_diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/observe/latency_report.h"

namespace fabrictwin::study {
namespace {

using Point = SweepResult::Point;

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

}  // namespace

std::vector<SweepDiagram> sweep_diagrams(const SweepResult& result) {
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
           cycles ? SweepDiagram::Value(latency_cycles) : SweepDiagram::Value(latency_ns),
           cycles ? SweepDiagram::Value(latency_confidence) : SweepDiagram::Value()},
          {"Accepted load", {.title = "accepted load", .from = 0}, accepted_load, accepted_load_confidence}};
}

size_t numeric_axis(const SweepResult& result) {
  size_t axis = 0;
  while (axis < result.axes.size() && result.axes[axis].numbers().empty()) ++axis;
  return axis;
}

std::vector<SweepCurve> sweep_curves(const SweepResult& result, size_t x_axis) {
  std::vector<SweepCurve> curves;
  for (const Point& point : result.points) {
    if (!point.done || !point.status.ok()) continue;
    std::string label;
    for (size_t i = 0; i < point.settings.size(); ++i) {
      if (i == x_axis) continue;
      label += fmt::format("{}{}={}", label.empty() ? "" : " ", result.axes[i].name, point.settings[i].value);
    }
    auto curve = std::ranges::find(curves, label, &SweepCurve::label);
    if (curve == curves.end()) curve = curves.insert(curve, {label, {}});
    double x = 0;
    if (parse_number(point.settings[x_axis].value, x)) curve->points.push_back({x, &point});
  }
  return curves;
}

}  // namespace fabrictwin::study
