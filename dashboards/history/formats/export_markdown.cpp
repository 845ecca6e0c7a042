// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "dashboards/history/formats/export.h"
#include "dashboards/history/formats/group.h"
#include "dashboards/history/formats/markdown.h"
#include "dashboards/history/formats/newest_results.h"
#include "dashboards/history/text.h"
#include "dashboards/statistics/quantiles.h"

namespace fabrictwin::dashboards::history::formats {
namespace {

/// The median of a metric over results, and its robust standard deviation as a share of that.
std::string markdown_row(const Metric& metric, const std::vector<double>& values) {
  return fmt::format("| {} | {} | {} |\n", markdown_cell(metric.name),
                     markdown_cell(value_text(statistics::median(values), metric.unit)),
                     metric.better == Better::kExact ? "" : spread_text(values));
}

absl::StatusOr<std::string> markdown_table(const Database& database, const Group& group) {
  const absl::StatusOr<NewestResults> newest = NewestResults::of(database, group);
  if (!newest.ok()) return newest.status();
  const Result& last = newest->last();
  std::string text = fmt::format("### {}\n\n| metric | {} | spread |\n|---|---|---|\n", markdown_cell(last.name),
                                 newest->count() == 1 ? "value" : fmt::format("median of {}", newest->count()));
  for (const Metric& each : last.metrics) {
    const absl::StatusOr<std::vector<double>> values = newest->values(each);
    if (!values.ok()) return values.status();
    text += markdown_row(each, *values);
  }
  const v1::Provenance& from = last.provenance;
  return text + fmt::format("\n{} of {}, commit {}, on {}.\n", markdown_cell(last.kind), markdown_cell(from.date()),
                            markdown_cell(commit_name(from)), markdown_cell(machine_name(from)));
}

}  // namespace

absl::Status export_markdown(const Database& database, std::span<const ResultKey> results, Write write) {
  const absl::StatusOr<std::vector<Group>> groups = groups_of(database, results);
  if (!groups.ok()) return groups.status();
  std::string_view before;
  for (const Group& group : *groups) {
    const absl::StatusOr<std::string> table = markdown_table(database, group);
    if (!table.ok()) return table.status();
    if (absl::Status status = write(fmt::format("{}{}", before, *table)); !status.ok()) return status;
    before = "\n";
  }
  return absl::OkStatus();
}

}  // namespace fabrictwin::dashboards::history::formats
