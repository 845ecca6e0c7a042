// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cosim/study/sweep_diagram.h"
#include "cosim/study/sweep_metric.h"
#include "cosim/study/sweep_result.h"
#include "dashboards/report/heat_map.h"
#include "dashboards/report/plot_stack.h"

namespace fabrictwin::study {
namespace {

using Point = SweepResult::Point;

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
  const size_t x_axis = numeric_axis(result);
  std::vector<dashboards::report::Picture> pictures;
  for (const SweepDiagram& diagram :
       x_axis < result.axes.size() ? sweep_diagrams(result) : std::vector<SweepDiagram>()) {
    dashboards::report::LinePlot plot(diagram.title, {.title = result.axes[x_axis].name}, diagram.y);
    for (const SweepCurve& curve : sweep_curves(result, x_axis)) {
      std::vector<dashboards::report::PlotPoint> points;
      for (const SweepCurve::At& at : curve.points) {
        const std::optional<double> y = diagram.value(*at.point);
        if (y.has_value()) points.push_back({at.x, *y});
      }
      plot.add_line(curve.label.empty() ? diagram.y.title : curve.label, std::move(points));
    }
    absl::StatusOr<dashboards::report::Picture> picture = dashboards::report::picture_of(plot);
    if (!picture.ok()) return picture.status();
    pictures.push_back(*std::move(picture));
  }
  if (absl::Status status = add_maps(result, pictures); !status.ok()) return status;
  if (pictures.empty()) return std::optional<std::string>();
  return std::optional<std::string>(dashboards::report::stack_pictures(pictures));
}

}  // namespace fabrictwin::study
