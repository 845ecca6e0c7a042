// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "cosim/observe/latency_report.h"
#include "cosim/study/sweep_diagram.h"
#include "cosim/study/sweep_result.h"

namespace fabrictwin::study {
namespace {

using dashboards::html::Chart;

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();
/// An axis is logarithmic if its largest value is at least so many times the least one.
constexpr double kWide = 50;

/// A network that accepts less of the offered load in a fixed time counts as saturated.
constexpr double kShareAccepted = 0.95;

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
std::map<double, size_t> positions_of(const std::vector<SweepCurve>& curves) {
  std::map<double, size_t> positions;
  for (const SweepCurve& curve : curves) {
    for (const SweepCurve::At& at : curve.points) positions[at.x];
  }
  size_t next = 0;
  for (auto& [x, index] : positions) index = next++;
  return positions;
}

Chart::Curve chart_curve(const SweepDiagram& diagram, const SweepCurve& from,
                         const std::map<double, size_t>& positions) {
  Chart::Curve curve;
  curve.label = from.label.empty() ? diagram.y.title : from.label;
  curve.y.assign(positions.size(), kNoValue);
  std::vector<double> low = curve.y;
  std::vector<double> high = curve.y;
  bool band = false;
  for (const SweepCurve::At& at : from.points) {
    const std::optional<double> value = diagram.value(*at.point);
    if (!value.has_value()) continue;
    const size_t index = positions.at(at.x);
    curve.y[index] = low[index] = high[index] = *value;
    const std::optional<double> half = diagram.confidence ? diagram.confidence(*at.point) : std::nullopt;
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
std::vector<Chart::Mark> saturation_marks(const std::vector<SweepCurve>& curves) {
  std::vector<Chart::Mark> marks;
  for (const SweepCurve& curve : curves) {
    double first = std::numeric_limits<double>::infinity();
    for (const SweepCurve::At& at : curve.points) {
      if (at.point->report.has_traffic() && saturates(at.point->report.traffic())) first = std::min(first, at.x);
    }
    if (first < std::numeric_limits<double>::infinity())
      marks.push_back({first, curve.label.empty() ? "saturated" : fmt::format("saturated: {}", curve.label)});
  }
  return marks;
}

Chart chart_of(const SweepResult& result, size_t x_axis, const SweepDiagram& diagram,
               const std::vector<SweepCurve>& curves) {
  const std::map<double, size_t> positions = positions_of(curves);
  Chart chart{diagram.title, {result.axes[x_axis].name, ""}, {diagram.y.title, diagram.y.unit}, {}, {}};
  for (const auto& [x, index] : positions) chart.x.push_back(x);
  std::vector<double> values;
  for (const SweepCurve& curve : curves) {
    chart.curves.push_back(chart_curve(diagram, curve, positions));
    values.insert(values.end(), chart.curves.back().y.begin(), chart.curves.back().y.end());
    if (!chart.curves.back().low.empty()) chart.note = "Bands are 95 % confidence intervals.";
  }
  chart.x_axis.log = log_of(chart.x);
  chart.y_axis.log = log_of(values);
  if (!result.precision.has_value()) chart.marks = saturation_marks(curves);
  return chart;
}

/// What the search has tried, by load.
Chart probes_chart(const SaturationResult& saturation) {
  std::map<double, const v1::TrafficReport*> probes;
  for (const SaturationResult::Probe& probe : saturation.probes) probes[probe.load] = &probe.report.traffic();
  Chart chart{"Probes of the search", {"load", ""}, {"accepted load", ""}, {}, {{"accepted", {}}}};
  for (const auto& [load, traffic] : probes) {
    chart.x.push_back(load);
    chart.curves[0].y.push_back(traffic->accepted_load());
  }
  if (saturation.load_above > 0) chart.marks.push_back({saturation.load_above, "saturated"});
  return chart;
}

}  // namespace

std::vector<Chart> sweep_charts(const SweepResult& result) {
  std::vector<Chart> charts;
  if (result.axes.empty()) {
    if (result.precision.has_value() && !result.points.empty() && !result.points[0].saturation.probes.empty())
      charts.push_back(probes_chart(result.points[0].saturation));
    return charts;
  }
  const size_t x_axis = numeric_axis(result);
  if (x_axis == result.axes.size()) return charts;
  const std::vector<SweepCurve> curves = sweep_curves(result, x_axis);
  for (const SweepDiagram& diagram : sweep_diagrams(result))
    charts.push_back(chart_of(result, x_axis, diagram, curves));
  return charts;
}

}  // namespace fabrictwin::study
