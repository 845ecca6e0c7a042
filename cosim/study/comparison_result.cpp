// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The result of a comparison as table, JSON, CSV and plots.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cosim/base/text.h"
#include "cosim/report/message_json.h"
#include "cosim/report/text_table.h"
#include "cosim/study/comparison.h"
#include "dashboards/report/plot_stack.h"

namespace fabrictwin::study {
namespace {

using dashboards::report::LinePlot;
using dashboards::report::PlotPoint;
using nlohmann::ordered_json;

/// The metrics that a cell of an experiment has.
std::vector<ComparisonMetric> metrics_of(const std::vector<ComparisonCell>& cells, const std::string& file) {
  std::vector<ComparisonMetric> metrics;
  for (const ComparisonMetric& metric : comparison_metrics()) {
    for (const ComparisonCell& cell : cells) {
      if (cell.file != file || !cell.value(metric).has_value()) continue;
      metrics.push_back(metric);
      break;
    }
  }
  return metrics;
}

std::vector<std::string> files_of(const std::vector<ComparisonCell>& cells) {
  std::vector<std::string> files;
  for (const ComparisonCell& cell : cells) {
    if (files.empty() || files.back() != cell.file) files.push_back(cell.file);
  }
  return files;
}

std::string text_of(const ComparisonMetric& metric, const std::optional<ComparisonCell::Value>& value) {
  if (!value.has_value()) return "-";
  std::string text = fmt::format("{:.{}f}", value->mean * metric.scale, metric.decimals);
  if (value->confidence.has_value())
    text += fmt::format(" +/- {:.{}f}", *value->confidence * metric.scale, metric.decimals);
  return text;
}

std::string failures_of(const ComparisonCell& cell) {
  std::string text;
  for (const ComparisonCell::Run& run : cell.runs) {
    if (!run.done) {
      text += fmt::format("{}, seed {}: not run\n", cell.scheme, run.seed);
    } else if (!run.status.ok()) {
      text += fmt::format("{}, seed {}: failed: {}\n", cell.scheme, run.seed, message_of(run.status));
    } else if (!run.report.complete()) {
      text += fmt::format("{}, seed {}: partial: {}\n", cell.scheme, run.seed, run.report.reason());
    }
  }
  return text;
}

/// The report of the first run of a cell; null if it has not succeeded.
const v1::Report* first_report(const ComparisonCell& cell) {
  const ComparisonCell::Run& run = cell.runs.front();
  return run.done && run.status.ok() ? &run.report : nullptr;
}

void add_series(const ComparisonCell& cell, LinePlot& goodput, LinePlot& queue) {
  const v1::Report* report = first_report(cell);
  if (report == nullptr || !report->has_series()) return;
  std::vector<PlotPoint> rates;
  std::vector<PlotPoint> queues;
  double before = 0;
  for (const v1::SeriesPoint& point : report->series().points()) {
    uint64_t bytes = 0;
    for (const uint64_t flow : point.flow_bytes()) bytes += flow;
    const double ms = point.seconds() * 1e3;
    rates.push_back({ms, static_cast<double>(bytes) * 8e-9 / (point.seconds() - before)});
    queues.push_back({ms, static_cast<double>(point.queue_bytes()) / 1e3});
    before = point.seconds();
  }
  goodput.add_line(cell.scheme, std::move(rates));
  queue.add_line(cell.scheme, std::move(queues));
}

bool add_slowdowns(const ComparisonCell& cell, LinePlot& plot) {
  const v1::Report* report = first_report(cell);
  if (report == nullptr || report->flow_summary().bins_size() < 3) return false;
  std::vector<PlotPoint> points;
  for (const v1::FlowBin& bin : report->flow_summary().bins()) {
    // The first bin has all flows.
    if (&bin == &report->flow_summary().bins(0) || bin.slowdown_p99() == 0) continue;
    // Flows of the last bin are larger than its lower bound.
    const bool open = bin.up_to_bytes() == ~uint64_t{0};
    points.push_back({static_cast<double>(open ? 10 * bin.above_bytes() : bin.up_to_bytes()), bin.slowdown_p99()});
  }
  plot.add_line(cell.scheme, std::move(points));
  return true;
}

}  // namespace

std::string comparison_table(const std::vector<ComparisonCell>& cells) {
  std::string text;
  for (const std::string& file : files_of(cells)) {
    const std::vector<ComparisonMetric> metrics = metrics_of(cells, file);
    std::vector<std::string> header{"scheme"};
    for (const ComparisonMetric& metric : metrics) header.emplace_back(metric.title);
    report::TextTable table(std::move(header));
    table.set_keys(1);
    std::string failures;
    for (const ComparisonCell& cell : cells) {
      if (cell.file != file) continue;
      std::vector<std::string> row{cell.scheme};
      for (const ComparisonMetric& metric : metrics) row.push_back(text_of(metric, cell.value(metric)));
      table.add(std::move(row));
      failures += failures_of(cell);
    }
    if (!text.empty()) text += "\n";
    text += std::filesystem::path(file).stem().string() + "\n" + table.text() + failures;
  }
  return text;
}

std::string comparison_json(const std::vector<ComparisonCell>& cells) {
  ordered_json made = ordered_json::array();
  for (const ComparisonCell& cell : cells) {
    ordered_json object = {{"experiment", cell.file}, {"scheme", cell.scheme}};
    for (const ComparisonMetric& metric : comparison_metrics()) {
      const auto value = cell.value(metric);
      if (!value.has_value()) continue;
      object[metric.key] = {{"mean", value->mean}};
      if (value->confidence.has_value()) object[metric.key]["confidence_95"] = *value->confidence;
    }
    ordered_json runs = ordered_json::array();
    for (const ComparisonCell::Run& run : cell.runs) {
      ordered_json each = {{"seed", run.seed}, {"done", run.done}};
      if (run.done && !run.status.ok()) each["error"] = message_of(run.status);
      if (run.done && run.status.ok()) {
        each["complete"] = run.report.complete();
        each["timing_digest"] = run.report.timing_digest();
        for (const ComparisonMetric& metric : comparison_metrics()) {
          if (const auto value = metric.value(run.report); value.has_value()) each[metric.key] = *value;
        }
      }
      runs.push_back(std::move(each));
    }
    object["runs"] = std::move(runs);
    made.push_back(std::move(object));
  }
  return report::json_text({{"comparison", std::move(made)}}) + "\n";
}

std::string comparison_csv(const std::vector<ComparisonCell>& cells) {
  std::string text = "experiment,scheme,metric,mean,confidence_95\n";
  for (const ComparisonCell& cell : cells) {
    for (const ComparisonMetric& metric : comparison_metrics()) {
      const auto value = cell.value(metric);
      if (!value.has_value()) continue;
      text += fmt::format("{},{},{},{},{}\n", cell.file, cell.scheme, metric.key, value->mean,
                          value->confidence.has_value() ? fmt::format("{}", *value->confidence) : "");
    }
  }
  return text;
}

absl::StatusOr<std::optional<std::string>> comparison_svg(const std::vector<ComparisonCell>& cells,
                                                          const std::string& file) {
  const std::string name = std::filesystem::path(file).stem().string();
  LinePlot goodput(name + ": goodput of all flows", {"time", "ms"}, {"goodput", "Gbit/s", false, 0.0});
  LinePlot queue(name + ": longest queue", {"time", "ms"}, {"queue", "kB", false, 0.0});
  LinePlot slowdowns(name + ": 99th percentile of slowdowns", {"size of flows up to", "B", true},
                     {"slowdown", "", true, 1.0});
  bool series = false;
  bool sizes = false;
  for (const ComparisonCell& cell : cells) {
    if (cell.file != file) continue;
    const v1::Report* report = first_report(cell);
    series = series || (report != nullptr && report->series().points_size() > 0);
    add_series(cell, goodput, queue);
    sizes = add_slowdowns(cell, slowdowns) || sizes;
  }
  std::vector<LinePlot> plots;
  if (series) {
    plots.push_back(std::move(goodput));
    plots.push_back(std::move(queue));
  }
  if (sizes) plots.push_back(std::move(slowdowns));
  if (plots.empty()) return std::nullopt;
  absl::StatusOr<std::string> svg = dashboards::report::stack_plots(plots);
  if (!svg.ok()) return svg.status();
  return std::optional<std::string>(*std::move(svg));
}

}  // namespace fabrictwin::study
