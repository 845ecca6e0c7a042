// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dashboards/history/formats/export.h"
#include "dashboards/history/formats/group.h"
#include "dashboards/history/text.h"
#include "dashboards/statistics/quantiles.h"

namespace fabrictwin::dashboards::history::formats {
namespace {

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

/// Those results of a group, by their numbers, that are of the commit of `last`, on its machine. Results of another
/// commit may be between them, as commits are measured in turn.
absl::StatusOr<std::vector<int64_t>> results_like(const Database& database, const Group& group,
                                                  const v1::Provenance& last) {
  std::vector<int64_t> results;
  for (const int64_t id : group.results) {
    const absl::StatusOr<v1::Provenance> from = database.provenance_of(id);
    if (!from.ok()) return from.status();
    if (commit_name(*from) == commit_name(last) && machine_name(*from) == machine_name(last)) results.push_back(id);
  }
  std::ranges::sort(results);
  return results;
}

/// The values that a metric has in `results`, which are those of a group with these metrics.
absl::StatusOr<std::vector<double>> values_of(const Database& database, const std::vector<GroupMetric>& metrics,
                                              const std::vector<int64_t>& results, const Metric& metric) {
  std::vector<double> values;
  for (const GroupMetric& each : metrics) {
    if (each.metric.name != metric.name || each.metric.better != metric.better) continue;
    const absl::StatusOr<std::vector<Sample>> samples = database.samples(each.series, each.metric.id, results.front());
    if (!samples.ok()) return samples.status();
    for (const Sample& sample : *samples)
      if (std::ranges::binary_search(results, sample.result)) values.push_back(sample.value);
  }
  return values;
}

/// The median of a metric over results, and its robust standard deviation as a share of that.
std::string markdown_row(const Metric& metric, const std::vector<double>& values) {
  const double median = statistics::median(values);
  std::string spread;
  if (values.size() > 1 && metric.better != Better::kExact && median != 0)
    spread = fmt::format("{:.1f} %", 100 * statistics::robust_deviation(values) / std::abs(median));
  return fmt::format("| {} | {} | {} |\n", markdown_cell(metric.name), markdown_cell(value_text(median, metric.unit)),
                     spread);
}

absl::StatusOr<std::string> markdown_table(const Database& database, const Group& group) {
  const absl::StatusOr<Result> last = database.get(group.results.back());
  if (!last.ok()) return last.status();
  const v1::Provenance& from = last->provenance;
  const absl::StatusOr<std::vector<int64_t>> newest = results_like(database, group, from);
  if (!newest.ok()) return newest.status();
  // The last one is among them, unless another process has removed it meanwhile.
  if (newest->empty()) return absl::NotFoundError(fmt::format("result {} was removed meanwhile", last->id));
  const absl::StatusOr<std::vector<GroupMetric>> metrics = metrics_of(database, group);
  if (!metrics.ok()) return metrics.status();
  std::string text = fmt::format("### {}\n\n| metric | {} | spread |\n|---|---|---|\n", markdown_cell(last->name),
                                 newest->size() == 1 ? "value" : fmt::format("median of {}", newest->size()));
  for (const Metric& each : last->metrics) {
    const absl::StatusOr<std::vector<double>> values = values_of(database, *metrics, *newest, each);
    if (!values.ok()) return values.status();
    text += markdown_row(each, *values);
  }
  return text + fmt::format("\n{} of {}, commit {}, on {}.\n", markdown_cell(last->kind), markdown_cell(from.date()),
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
