// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The result of a comparison as table, page, JSON and CSV.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/report/message_json.h"
#include "cosim/report/text_table.h"
#include "cosim/study/comparison/comparison.h"
#include "dashboards/report/svg.h"

namespace fabrictwin::study::comparison {
namespace {

using dashboards::report::xml_text;
using nlohmann::ordered_json;

std::vector<std::string> files_of(const std::vector<Cell>& cells) {
  std::vector<std::string> files;
  for (const Cell& cell : cells) {
    if (files.empty() || files.back() != cell.file) files.push_back(cell.file);
  }
  return files;
}

std::string text_of(const Metric& metric, const std::optional<Cell::Value>& value) {
  if (!value.has_value()) return "-";
  std::string text = fmt::format("{:.{}f}", value->mean * metric.scale, metric.decimals);
  if (value->confidence.has_value())
    text += fmt::format(" +/- {:.{}f}", *value->confidence * metric.scale, metric.decimals);
  return text;
}

std::string failures_of(const Cell& cell) {
  std::string text;
  if (!cell.refusal.empty()) text += fmt::format("{}: not possible: {}\n", cell.scheme, cell.refusal);
  for (const Cell::Run& run : cell.runs) {
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

/// Whether less or more of a metric is better, if that can be said without the others.
enum class Better { kNone, kLess, kMore };
Better better_of(const Metric& metric) {
  const std::string_view key = metric.key;
  constexpr std::string_view kMore[] = {"accepted_load",    "class_least_accepted", "goodput_gbps",
                                        "min_over_max_min", "window_goodput_gbps",  "window_min_over_max_min"};
  constexpr std::string_view kLess[] = {"job_", "cif_", "fct_", "slowdown_", "convergence_", "queue_"};
  if (std::ranges::find(kMore, key) != std::end(kMore)) return Better::kMore;
  const bool less = std::ranges::any_of(kLess, [&](std::string_view start) { return key.starts_with(start); });
  const bool delay = key.ends_with("latency_mean_seconds") || key.ends_with("latency_p99_seconds") ||
                     key.ends_with("_recovery_seconds");
  // A background job that gets more is not better.
  if (key.ends_with("goodput_gbps")) return Better::kNone;
  return less || delay ? Better::kLess : Better::kNone;
}

/// The best mean that a cell of an experiment has.
std::optional<double> best_of(const std::vector<Cell>& cells, const std::string& file, const Metric& metric) {
  const Better better = better_of(metric);
  std::optional<double> best;
  if (better == Better::kNone) return best;
  for (const Cell& cell : cells) {
    const auto value = cell.value(metric);
    if (cell.file != file || !value.has_value()) continue;
    if (!best.has_value() || (better == Better::kMore ? value->mean > *best : value->mean < *best)) best = value->mean;
  }
  return best;
}

/// The metrics of an experiment that tables have.
std::vector<Metric> columns_of(const std::vector<Cell>& cells, const std::string& file) {
  std::vector<Metric> metrics = metrics_of(cells, file);
  std::erase_if(metrics, [](const Metric& metric) { return !metric.in_table; });
  return metrics;
}

std::string page_table(const std::vector<Cell>& cells, const std::string& file) {
  const std::vector<Metric> metrics = columns_of(cells, file);
  std::string text = "<table>\n<tr><th>scheme</th>";
  for (const Metric& metric : metrics) text += fmt::format("<th>{}</th>", xml_text(metric.title));
  text += "</tr>\n";
  for (const Cell& cell : cells) {
    if (cell.file != file || !cell.refusal.empty()) continue;
    text += fmt::format("<tr><td>{}</td>", xml_text(cell.scheme));
    for (const Metric& metric : metrics) {
      const auto value = cell.value(metric);
      const bool best = value.has_value() && value->mean == best_of(cells, file, metric);
      text += fmt::format("<td{}>{}</td>", best ? " class=\"best\"" : "", text_of(metric, value));
    }
    text += "</tr>\n";
  }
  return text + "</table>\n";
}

}  // namespace

std::string to_table(const std::vector<Cell>& cells) {
  std::string text;
  for (const std::string& file : files_of(cells)) {
    const std::vector<Metric> metrics = columns_of(cells, file);
    std::vector<std::string> header{"scheme"};
    for (const Metric& metric : metrics) header.emplace_back(metric.title);
    report::TextTable table(std::move(header));
    table.set_keys(1);
    std::string failures;
    bool possible = false;
    for (const Cell& cell : cells) {
      if (cell.file != file) continue;
      failures += failures_of(cell);
      if (!cell.refusal.empty()) continue;
      possible = true;
      std::vector<std::string> row{cell.scheme};
      for (const Metric& metric : metrics) row.push_back(text_of(metric, cell.value(metric)));
      table.add(std::move(row));
    }
    if (!text.empty()) text += "\n";
    text += std::filesystem::path(file).stem().string() + "\n" + (possible ? table.text() : "") + failures;
  }
  return text;
}

absl::StatusOr<std::string> to_page(const std::vector<Cell>& cells) {
  std::string text =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Comparison of schemes</title>\n"
      "<style>body { font-family: sans-serif; margin: 2em; } table { border-collapse: collapse; } "
      "th, td { padding: 0.2em 0.8em; text-align: right; border-bottom: 1px solid #ddd; } "
      "th:first-child, td:first-child { text-align: left; } td.best { font-weight: bold; background: #e6f4e6; } "
      "svg { max-width: 100%; height: auto; }</style>\n</head>\n<body>\n<h1>Comparison of schemes</h1>\n"
      "<p>Means over the seeds, with the half width of the 95 % confidence interval. The best of each column is "
      "marked.</p>\n";
  for (const std::string& file : files_of(cells)) {
    text +=
        fmt::format("<h2>{}</h2>\n{}", xml_text(std::filesystem::path(file).stem().string()), page_table(cells, file));
    for (const Cell& cell : cells) {
      if (cell.file == file && !failures_of(cell).empty())
        text += fmt::format("<p>{}</p>\n", xml_text(failures_of(cell)));
    }
    const absl::StatusOr<std::optional<std::string>> svg = to_svg(cells, file);
    if (!svg.ok()) return svg.status();
    // The declaration of XML is for files of its own.
    if (svg->has_value()) text += (*svg)->substr((*svg)->find("<svg")) + "\n";
  }
  return text + "</body>\n</html>\n";
}

std::string to_json(const std::vector<Cell>& cells) {
  ordered_json made = ordered_json::array();
  for (const Cell& cell : cells) {
    const std::vector<Metric> metrics = metrics_of(cells, cell.file);
    ordered_json object = {{"experiment", cell.file}, {"scheme", cell.scheme}};
    for (const Metric& metric : metrics) {
      const auto value = cell.value(metric);
      if (!value.has_value()) continue;
      object[metric.key] = {{"mean", value->mean}};
      if (value->confidence.has_value()) object[metric.key]["confidence_95"] = *value->confidence;
    }
    if (!cell.refusal.empty()) object["refusal"] = cell.refusal;
    ordered_json runs = ordered_json::array();
    for (const Cell::Run& run : cell.runs) {
      ordered_json each = {{"seed", run.seed}, {"done", run.done}};
      if (run.done && !run.status.ok()) each["error"] = message_of(run.status);
      if (run.done && run.status.ok()) {
        each["complete"] = run.report.complete();
        each["timing_digest"] = run.report.timing_digest();
        for (const Metric& metric : metrics) {
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

std::string to_csv(const std::vector<Cell>& cells) {
  std::string text = "experiment,scheme,metric,mean,confidence_95\n";
  for (const Cell& cell : cells) {
    const std::vector<Metric> metrics = metrics_of(cells, cell.file);
    for (const Metric& metric : metrics) {
      const auto value = cell.value(metric);
      if (!value.has_value()) continue;
      text += fmt::format("{},{},{},{},{}\n", csv_cell(cell.file), cell.scheme, csv_cell(metric.key), value->mean,
                          value->confidence.has_value() ? fmt::format("{}", *value->confidence) : "");
    }
  }
  return text;
}

}  // namespace fabrictwin::study::comparison
