// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/formats/document_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/experiment/source_location.h"
#include "dashboards/history/formats/group.h"
#include "dashboards/history/formats/markdown.h"
#include "dashboards/history/formats/newest_results.h"
#include "dashboards/statistics/quantiles.h"

namespace fabrictwin::dashboards::history::formats {
namespace {

constexpr std::string_view kColumn = " | ";
constexpr std::string_view kNextValue = " / ";
constexpr std::string_view kOver = " over ";

/// The part of a text before the first separator, which is taken away with it; the whole text if there is none.
std::optional<std::string_view> take_before(std::string_view& text, std::string_view separator) {
  const size_t at = text.find(separator);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view before = text.substr(0, at);
  text.remove_prefix(at + separator.size());
  return before;
}

absl::Status wrong(const std::string& file, std::string_view line, int32_t number, int32_t column,
                   std::string_view message) {
  return absl::InvalidArgumentError(experiment::format_diagnostic({file, std::string(line), number, column}, message));
}

absl::StatusOr<TableRow> table_row(std::string_view line, const std::string& file, int32_t number) {
  // Names of results may have the separator of columns in them, but without spaces around it: patterns of benchmarks.
  std::string_view rest = line;
  const std::optional<std::string_view> what = take_before(rest, kColumn);
  std::optional<std::string_view> values = what ? take_before(rest, kColumn) : std::nullopt;
  const std::optional<std::string_view> goal = values ? take_before(rest, kColumn) : std::nullopt;
  if (!goal || rest.empty()) {
    return wrong(file, line, number, 1,
                 "a row is WHAT | METRIC [over METRIC] [/ METRIC]... | GOAL | NAME, where NAME is that of results");
  }
  TableRow row{std::string(*what), {}, std::string(*goal), std::string(rest), std::string(line), number};
  for (bool more = true; more;) {
    std::optional<std::string_view> value = take_before(*values, kNextValue);
    more = value.has_value();
    if (!more) value = *values;
    const auto column = static_cast<int32_t>(value->data() - line.data()) + 1;
    const std::optional<std::string_view> metric = take_before(*value, kOver);
    const std::string_view over = metric ? *value : std::string_view();
    row.values.push_back({std::string(metric.value_or(*value)), std::string(over), column});
    const RowValue& read = row.values.back();
    if (read.metric.empty() || (metric && over.empty()) || (read.metric + read.over).find(' ') != std::string::npos)
      return wrong(file, line, number, column, "a value is METRIC, or METRIC over METRIC for a ratio");
  }
  return row;
}

/// Three digits, with a prefix where a number is large.
std::string short_text(double value, std::string_view unit) {
  struct Prefix {
    double factor;
    std::string_view name;
  };
  constexpr std::array<Prefix, 3> kPrefixes{{{1e9, "G"}, {1e6, "M"}, {1e4, "k"}}};
  std::string_view prefix;
  for (const Prefix& each : kPrefixes) {
    if (std::abs(value) < each.factor) continue;
    value /= each.factor == 1e4 ? 1e3 : each.factor;
    prefix = each.name;
    break;
  }
  // 1/s has no name that a prefix could stand before.
  const std::string_view shown = unit == "1/s" ? std::string_view("/s") : unit;
  const std::string digits = std::abs(value) >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
  return fmt::format("{}{}{}{}", digits, prefix.empty() && (shown.empty() || shown == "/s") ? "" : " ", prefix, shown);
}

/// What some rows have in common: results of one command.
class Measured {
 public:
  Measured(const NewestResults& results, const TableRow& row, const std::string& file)
      : results_(results), row_(row), file_(file) {}

  absl::StatusOr<std::string> text_of(const RowValue& value) const {
    const absl::StatusOr<const Metric*> metric = find(value.metric, value.column);
    if (!metric.ok()) return metric.status();
    const absl::StatusOr<std::vector<double>> values = results_.values(**metric);
    if (!values.ok()) return values.status();
    const double median = statistics::median(*values);
    if (value.over.empty()) return with_spread(short_text(median, (*metric)->unit), *values);
    const absl::StatusOr<const Metric*> over = find(value.over, value.column);
    if (!over.ok()) return over.status();
    const absl::StatusOr<std::vector<double>> others = results_.values(**over);
    if (!others.ok()) return others.status();
    const double denominator = statistics::median(*others);
    if (denominator == 0)
      return wrong(file_, row_.line, row_.number, value.column, fmt::format("the median of {} is 0", value.over));
    return short_text(median / denominator, "");
  }

 private:
  absl::StatusOr<const Metric*> find(const std::string& name, int32_t column) const {
    const std::vector<Metric>& metrics = results_.last().metrics;
    const auto found = std::ranges::find(metrics, name, &Metric::name);
    if (found != metrics.end()) return &*found;
    std::string names;
    for (const Metric& each : metrics) names += (names.empty() ? "" : ", ") + each.name;
    return wrong(file_, row_.line, row_.number, column,
                 fmt::format("results of \"{}\" have no metric \"{}\"; they have: {}", row_.name, name, names));
  }

  static std::string with_spread(std::string text, const std::vector<double>& values) {
    const std::string spread = spread_text(values);
    return spread.empty() ? text : fmt::format("{} ± {}", text, spread);
  }

  const NewestResults& results_;
  const TableRow& row_;
  const std::string& file_;
};

/// Where, when and how often something was measured.
struct Source {
  std::string text;
  std::string last_date;
  std::vector<std::string> names;
};

std::string code(std::string_view text) {
  std::string shown;
  for (const char c : text) {
    // Even in code a bar ends the cell of a table.
    if (c == '|') shown += '\\';
    shown += c;
  }
  return fmt::format("`{}`", shown);
}

void add_source(std::vector<Source>& sources, const NewestResults& results) {
  const v1::Provenance& from = results.last().provenance;
  const std::string text = fmt::format(
      "{} of commit {} on {}", results.count() == 1 ? "One run" : fmt::format("Medians of {} runs", results.count()),
      markdown_cell(commit_name(from)), markdown_cell(machine_name(from)));
  auto found = std::ranges::find(sources, text, &Source::text);
  if (found == sources.end()) found = sources.insert(found, {text, from.date(), {}});
  found->last_date = std::max(found->last_date, from.date());
  found->names.push_back(results.last().name);
}

std::string sources_text(const std::vector<Source>& sources) {
  std::string text;
  for (const Source& each : sources) {
    std::string names;
    // The first one is of all rows that no other one names.
    if (&each != &sources.front())
      for (const std::string& name : each.names) names += (names.empty() ? "" : ", ") + fmt::format("`{}`", name);
    text += fmt::format("\n{}, until {}{}{}.\n", each.text, markdown_cell(each.last_date), names.empty() ? "" : ": ",
                        names);
  }
  return text;
}

}  // namespace

absl::StatusOr<std::vector<TableRow>> table_rows(std::string_view text, const std::string& file) {
  std::vector<TableRow> rows;
  int32_t number = 0;
  for (std::string_view line : split(text, "\n")) {
    ++number;
    // A name that ends with what nobody sees would find no results.
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    if (line.empty() || line.front() == '#') continue;
    absl::StatusOr<TableRow> row = table_row(line, file, number);
    if (!row.ok()) return row.status();
    rows.push_back(*std::move(row));
  }
  if (rows.empty()) return absl::InvalidArgumentError(fmt::format("{}: error: there is no row in it", file));
  return rows;
}

absl::Status export_table(const Database& database, std::span<const ResultKey> results, std::span<const TableRow> rows,
                          const std::string& file, Write write) {
  const absl::StatusOr<std::vector<Group>> groups = groups_of(database, results);
  if (!groups.ok()) return groups.status();
  std::map<std::string, NewestResults> measured;
  std::vector<Source> sources;
  std::string text = "| what | measured | goal | command |\n|---|---|---|---|\n";
  for (const TableRow& row : rows) {
    auto found = measured.find(row.name);
    if (found == measured.end()) {
      const auto group = std::ranges::find(*groups, row.name, &Group::name);
      if (group == groups->end()) {
        text += fmt::format("| {} | not measured | {} | {} |\n", row.what, row.goal, code(row.name));
        continue;
      }
      absl::StatusOr<NewestResults> newest = NewestResults::of(database, *group);
      if (!newest.ok()) return newest.status();
      found = measured.emplace(row.name, *std::move(newest)).first;
      add_source(sources, found->second);
    }
    std::string values;
    const Measured of_row(found->second, row, file);
    for (const RowValue& each : row.values) {
      const absl::StatusOr<std::string> value = of_row.text_of(each);
      if (!value.ok()) return value.status();
      values += (values.empty() ? "" : " / ") + *value;
    }
    text += fmt::format("| {} | {} | {} | {} |\n", row.what, values, row.goal, code(row.name));
  }
  return write(text + sources_text(sources));
}

}  // namespace fabrictwin::dashboards::history::formats
