// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/formats/export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "cosim/metric/label_text.h"
#include "cosim/report/message_json.h"
#include "dashboards/history/text.h"
#include "dashboards/report/svg.h"
#include "dashboards/statistics/quantiles.h"

namespace fabrictwin::dashboards::history::formats {
namespace {

using dashboards::report::csv_cell;
using metric::label_text;

/// A cell of a table in Markdown: no text may end it, or begin markup.
std::string markdown_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    constexpr std::string_view kMarkup = "\\|<>&*_[]`";
    if (kMarkup.find(c) != std::string_view::npos) cell += '\\';
    cell += c == '\n' ? ' ' : c;
  }
  return cell;
}

/// Seconds since 1970 of "2026-03-01T12:00:00Z".
std::optional<int64_t> seconds_of(const std::string& date) {
  absl::Time time;
  if (!absl::ParseTime("%Y-%m-%dT%H:%M:%SZ", date, &time, nullptr)) return std::nullopt;
  return absl::ToUnixSeconds(time);
}

/// Those results of a series, in its order, that are of the commit of the last one, on its machine. Results of another
/// commit may be between them, as commits are measured in turn.
std::vector<const Result*> of_newest(std::span<const Result* const> series) {
  const v1::Provenance& newest = series.back()->provenance;
  std::vector<const Result*> results;
  std::copy_if(series.begin(), series.end(), std::back_inserter(results), [&](const Result* result) {
    return commit_name(result->provenance) == commit_name(newest) &&
           machine_name(result->provenance) == machine_name(newest);
  });
  return results;
}

/// The median of a metric over results, and its robust standard deviation as a share of that.
std::string markdown_row(const Metric& metric, std::span<const Result* const> results) {
  std::vector<double> values;
  for (const Result* result : results) {
    for (const Metric& each : result->metrics)
      if (each.name == metric.name && each.better == metric.better) values.push_back(each.value);
  }
  const double median = statistics::median(values);
  std::string spread;
  if (values.size() > 1 && metric.better != Better::kExact && median != 0)
    spread = fmt::format("{:.1f} %", 100 * statistics::robust_deviation(values) / std::abs(median));
  return fmt::format("| {} | {} | {} |\n", markdown_cell(metric.name), markdown_cell(value_text(median, metric.unit)),
                     spread);
}

}  // namespace

std::string export_csv(std::span<const Result> results) {
  std::string text = "id,name,kind,date,commit,machine,metric,value,unit,better\n";
  for (const Result& result : results) {
    const std::string begin = fmt::format("{},{},{},{},{},{}", result.id, csv_cell(result.name), csv_cell(result.kind),
                                          csv_cell(result.provenance.date()), csv_cell(commit_name(result.provenance)),
                                          csv_cell(machine_name(result.provenance)));
    for (const Metric& each : result.metrics) {
      text += fmt::format("{},{},{},{},{}\n", begin, csv_cell(each.name), each.value, csv_cell(each.unit),
                          better_name(each.better));
    }
    for (const Text& each : result.texts)
      text += fmt::format("{},{},{},,exact\n", begin, csv_cell(each.name), csv_cell(each.value));
  }
  return text;
}

std::string export_json(std::span<const Result> results) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Result& result : results) all.push_back(nlohmann::ordered_json::parse(show_json(result)));
  return fabrictwin::report::json_text({{"results", std::move(all)}}, 2) + "\n";
}

std::string export_openmetrics(std::span<const Result> results) {
  // Samples of a series stand together, in order of time.
  std::map<std::string, std::map<int64_t, double>> series;
  for (const Result& result : results) {
    const std::optional<int64_t> time = seconds_of(result.provenance.date());
    if (!time.has_value()) continue;
    for (const Metric& each : result.metrics) {
      const std::array labels = {label_text("name", result.name),
                                 label_text("kind", result.kind),
                                 label_text("metric", each.name),
                                 label_text("unit", each.unit),
                                 label_text("commit", commit_name(result.provenance)),
                                 label_text("machine", machine_name(result.provenance))};
      series[fmt::format("{{{}}}", fmt::join(labels, ","))][*time] = each.value;
    }
  }
  std::string text =
      "# TYPE fabrictwin_result gauge\n# HELP fabrictwin_result A metric of a result that was recorded.\n";
  for (const auto& [labels, samples] : series)
    for (const auto& [time, value] : samples) text += fmt::format("fabrictwin_result{} {} {}\n", labels, value, time);
  return text + "# EOF\n";
}

std::string export_markdown(std::span<const Result> results) {
  std::map<std::pair<std::string, std::string>, std::vector<const Result*>> series;
  for (const Result& result : results) series[{result.name, result.kind}].push_back(&result);
  std::string text;
  for (const auto& [key, all] : series) {
    const std::vector<const Result*> newest = of_newest(all);
    const Result& last = *newest.back();
    text += fmt::format("{}### {}\n\n| metric | {} | spread |\n|---|---|---|\n", text.empty() ? "" : "\n",
                        markdown_cell(last.name),
                        newest.size() == 1 ? "value" : fmt::format("median of {}", newest.size()));
    for (const Metric& each : last.metrics) text += markdown_row(each, newest);
    const v1::Provenance& from = last.provenance;
    text += fmt::format("\n{} of {}, commit {}, on {}.\n", markdown_cell(last.kind), markdown_cell(from.date()),
                        markdown_cell(commit_name(from)), markdown_cell(machine_name(from)));
  }
  return text;
}

}  // namespace fabrictwin::dashboards::history::formats
