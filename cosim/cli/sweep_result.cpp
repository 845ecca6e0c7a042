// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/sweep_result.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/cli/sweep_metric.h"
#include "cosim/run/text_table.h"

namespace fabrictwin {
namespace {

using Point = SweepResult::Point;

std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

std::string cell(const SweepMetric& metric, const Point& point) {
  if (!point.status.ok()) return "-";
  const std::optional<double> value = metric.value(point);
  if (!value.has_value()) return "-";
  if (metric.kind == SweepMetric::Kind::kTruth) return *value != 0 ? "yes" : "no";
  return fmt::format("{:.{}f}", *value, metric.decimals);
}

std::string probe_table(const SaturationResult& saturation) {
  TextTable table({"probe", "load", "accepted", "latency", "saturated"});
  size_t number = 0;
  for (const SaturationResult::Probe& probe : saturation.probes) {
    const v1::TrafficReport& traffic = probe.report.traffic();
    table.add(
        {fmt::format("{}", ++number), fmt::format("{:.4f}", probe.load), fmt::format("{:.4f}", traffic.accepted_load()),
         traffic.has_latency_cycles() && !traffic.saturated() ? fmt::format("{:.2f}", traffic.latency_cycles().mean())
                                                              : "-",
         probe.saturated ? "yes" : "no"});
  }
  return table.text(0);
}

}  // namespace

size_t SweepResult::points_done() const {
  return static_cast<size_t>(
      std::count_if(points.begin(), points.end(), [](const Point& point) { return point.done; }));
}

v1::Report without_lists(v1::Report report) {
  const auto* type = report.GetDescriptor();
  for (int i = 0; i < type->field_count(); ++i) {
    if (type->field(i)->is_repeated()) report.GetReflection()->ClearField(&report, type->field(i));
  }
  return report;
}

std::string sweep_table(const SweepResult& result) {
  const std::vector<SweepMetric> metrics = sweep_metrics(result);
  std::vector<std::string> header;
  for (const SweepAxis& axis : result.axes) header.push_back(axis.name);
  for (const SweepMetric& metric : metrics) header.push_back(metric.title);
  TextTable table(std::move(header));
  std::string failures;
  for (const Point& point : result.points) {
    if (!point.done) continue;
    std::vector<std::string> row;
    for (const FieldSetting& setting : point.settings) row.push_back(setting.value);
    for (const SweepMetric& metric : metrics) row.push_back(cell(metric, point));
    table.add(std::move(row));
    if (!point.status.ok())
      failures +=
          fmt::format("{} failed: {}\n", point_name(result.axes, point.settings), first_line(message_of(point.status)));
  }
  std::string text;
  if (result.axes.empty() && result.precision.has_value() && !result.points.empty())
    text = probe_table(result.points[0].saturation) + "\n";
  if (result.points_done() > 0) text += table.text(0);
  text += failures;
  if (!result.complete()) text += fmt::format("partial: {} of {} points\n", result.points_done(), result.points.size());
  return text;
}

std::string sweep_csv(const SweepResult& result) {
  const std::vector<SweepMetric> metrics = sweep_metrics(result);
  std::string text;
  for (const SweepAxis& axis : result.axes) text += axis.path + ",";
  text += "status";
  for (const SweepMetric& metric : metrics) text += "," + metric.key;
  text += "\n";
  for (const Point& point : result.points) {
    if (!point.done) continue;
    for (const FieldSetting& setting : point.settings) text += setting.value + ",";
    text += point.status.ok() ? "ok" : "failed";
    for (const SweepMetric& metric : metrics) {
      const std::optional<double> value = point.status.ok() ? metric.value(point) : std::nullopt;
      text += value.has_value() ? fmt::format(",{}", *value) : ",";
    }
    text += "\n";
  }
  return text;
}

}  // namespace fabrictwin
