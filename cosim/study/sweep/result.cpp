// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/sweep/result.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/report/text_table.h"
#include "cosim/study/sweep/metric.h"

namespace fabrictwin::study::sweep {
namespace {

using Point = Result::Point;

std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

std::string status_of(const Point& point) {
  if (!point.status.ok()) return "failed";
  return point.partial() ? "partial" : "ok";
}

std::string cell(const Metric& metric, const Point& point) {
  if (!point.status.ok()) return "-";
  const std::optional<double> value = metric.value(point);
  if (!value.has_value()) return "-";
  if (metric.kind == Metric::Kind::kTruth) return *value != 0 ? "yes" : "no";
  return fmt::format("{:.{}f}", *value * metric.scale, metric.decimals);
}

std::string probe_table(const point::SaturationResult& saturation) {
  report::TextTable table({"probe", "load", "accepted", "latency", "saturated"});
  size_t number = 0;
  for (const point::SaturationResult::Probe& probe : saturation.probes) {
    const v1::TrafficReport& traffic = probe.report.traffic();
    table.add(
        {fmt::format("{}", ++number), fmt::format("{:.4f}", probe.load), fmt::format("{:.4f}", traffic.accepted_load()),
         traffic.has_latency_cycles() && !traffic.saturated() ? fmt::format("{:.2f}", traffic.latency_cycles().mean())
                                                              : "-",
         probe.saturated ? "yes" : "no"});
  }
  return table.text(0);
}

/// Lists that an experiment makes, and not the size of its machine.
bool is_kept(std::string_view list) {
  constexpr std::string_view kKept[] = {"warnings", "classes", "jobs", "faults"};
  return std::ranges::find(kKept, list) != std::end(kKept);
}

}  // namespace

bool Result::Point::partial() const {
  // A search does not use runs that are stopped.
  return done && status.ok() && saturation.probes.empty() && !report.complete();
}

size_t Result::points_partial() const {
  return static_cast<size_t>(
      std::count_if(points.begin(), points.end(), [](const Point& point) { return point.partial(); }));
}

size_t Result::points_done() const {
  return static_cast<size_t>(
      std::count_if(points.begin(), points.end(), [](const Point& point) { return point.done; }));
}

std::string Result::progress() const {
  if (!axes.empty() || !precision.has_value() || points.empty())
    return fmt::format("{} of {} points", points_done(), points.size());
  const size_t probes = points[0].saturation.probes.size();
  return fmt::format("{} probe{}", probes, probes == 1 ? "" : "s");
}

v1::Report without_lists(v1::Report report) {
  const auto* type = report.GetDescriptor();
  for (int i = 0; i < type->field_count(); ++i) {
    const std::string& name = type->field(i)->name();
    if (type->field(i)->is_repeated() && !is_kept(name)) report.GetReflection()->ClearField(&report, type->field(i));
  }
  report.clear_message_matrix();
  report.clear_rank_timeline();
  report.clear_link_series();
  report.clear_series();
  report.clear_partition_timeline();
  return report;
}

std::string to_table(const Result& result) {
  std::vector<Metric> metrics = metrics_of(result);
  std::erase_if(metrics, [](const Metric& metric) { return !metric.in_table; });
  std::vector<std::string> header;
  for (const Axis& axis : result.axes) header.push_back(axis.name);
  for (const Metric& metric : metrics) header.push_back(metric.title);
  const size_t partial = result.points_partial();
  if (partial > 0) header.emplace_back("status");
  report::TextTable table(std::move(header));
  // Rows are identified by the swept fields.
  table.set_keys(std::max<size_t>(result.axes.size(), 1));
  std::string failures;
  for (const Point& point : result.points) {
    if (!point.done) continue;
    std::vector<std::string> row;
    for (const experiment::FieldSetting& setting : point.settings) row.push_back(setting.value);
    for (const Metric& metric : metrics) row.push_back(cell(metric, point));
    if (partial > 0) row.push_back(status_of(point));
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
  if (partial > 0)
    text += fmt::format("partial: {} of {} points were stopped before they had ended\n", partial, result.points.size());
  if (!result.ended()) text += fmt::format("partial: {}\n", result.progress());
  return text;
}

std::string to_csv(const Result& result) {
  const std::vector<Metric> metrics = metrics_of(result);
  std::string text;
  for (const Axis& axis : result.axes) text += axis.path + ",";
  text += "status";
  for (const Metric& metric : metrics) text += "," + metric.key;
  text += "\n";
  for (const Point& point : result.points) {
    if (!point.done) continue;
    for (const experiment::FieldSetting& setting : point.settings) text += setting.value + ",";
    text += status_of(point);
    for (const Metric& metric : metrics) {
      const std::optional<double> value = point.status.ok() ? metric.value(point) : std::nullopt;
      text += value.has_value() ? fmt::format(",{}", *value) : ",";
    }
    text += "\n";
  }
  return text;
}

}  // namespace fabrictwin::study::sweep
