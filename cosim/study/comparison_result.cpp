// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The result of a comparison as table, JSON and CSV.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cosim/base/text.h"
#include "cosim/report/message_json.h"
#include "cosim/report/text_table.h"
#include "cosim/study/comparison.h"

namespace fabrictwin::study {
namespace {

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

}  // namespace fabrictwin::study
