// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "cosim/metric/label_text.h"
#include "dashboards/history/formats/export.h"
#include "dashboards/history/formats/group.h"
#include "dashboards/statistics/quantiles.h"

namespace fabrictwin::dashboards::history::formats {
namespace {

using metric::label_text;

/// Seconds since 1970 of "2026-03-01T12:00:00Z".
std::optional<int64_t> seconds_of(const std::string& date) {
  absl::Time time;
  if (!absl::ParseTime("%Y-%m-%dT%H:%M:%SZ", date, &time, nullptr)) return std::nullopt;
  return absl::ToUnixSeconds(time);
}

/// What all samples of a result have in common.
struct Stamp {
  std::string labels;
  int64_t time = 0;
  int64_t result = 0;

  bool is_like(const Stamp& other) const { return labels == other.labels && time == other.time; }
};

/// The stamps of those results of a group that have a date, in the order of the export.
absl::StatusOr<std::vector<Stamp>> stamps_of(const Database& database, const Group& group) {
  std::vector<Stamp> stamps;
  for (const int64_t id : group.results) {
    const absl::StatusOr<v1::Provenance> from = database.provenance_of(id);
    if (!from.ok()) return from.status();
    const std::optional<int64_t> time = seconds_of(from->date());
    if (!time.has_value()) continue;
    stamps.push_back(
        {fmt::format("{},{}", label_text("commit", commit_name(*from)), label_text("machine", machine_name(*from))),
         *time, id});
  }
  std::ranges::stable_sort(
      stamps, [](const Stamp& a, const Stamp& b) { return std::tie(a.labels, a.time) < std::tie(b.labels, b.time); });
  return stamps;
}

/// A group with what finds its samples.
struct Stamped {
  std::string labels;
  std::vector<Stamp> stamps;
  std::vector<std::pair<int64_t, size_t>> by_result;  ///< Results and the indices of their stamps, by results.
};

/// A value, and the index of its stamp.
using Value = std::pair<size_t, double>;

absl::Status add_values(const Database& database, const Stamped& group, const GroupMetric& metric,
                        std::vector<Value>& values) {
  const absl::StatusOr<std::vector<Sample>> samples =
      database.samples(metric.series, metric.metric.id, group.by_result.front().first);
  if (!samples.ok()) return samples.status();
  for (const Sample& sample : *samples) {
    const auto found = std::ranges::lower_bound(group.by_result, sample.result, {}, &std::pair<int64_t, size_t>::first);
    if (found != group.by_result.end() && found->first == sample.result)
      values.emplace_back(found->second, sample.value);
  }
  return absl::OkStatus();
}

/// The samples of one metric. Results with the same labels and second, as repetitions have, are one: their median.
std::string sample_lines(const Stamped& group, const std::string& metric, std::vector<Value> values) {
  std::ranges::stable_sort(values, {}, &Value::first);
  std::string text;
  std::vector<double> alike;
  for (size_t i = 0; i < values.size(); ++i) {
    const Stamp& stamp = group.stamps[values[i].first];
    alike.push_back(values[i].second);
    if (i + 1 < values.size() && stamp.is_like(group.stamps[values[i + 1].first])) continue;
    text += fmt::format("fabrictwin_result{{{},{},{}}} {} {}\n", group.labels, metric, stamp.labels,
                        statistics::median(alike), stamp.time);
    alike.clear();
  }
  return text;
}

absl::Status export_group(const Database& database, const Group& group, const std::string& labels, Write write) {
  absl::StatusOr<std::vector<Stamp>> stamps = stamps_of(database, group);
  if (!stamps.ok()) return stamps.status();
  if (stamps->empty()) return absl::OkStatus();
  Stamped stamped{labels, *std::move(stamps), {}};
  for (size_t i = 0; i < stamped.stamps.size(); ++i) stamped.by_result.emplace_back(stamped.stamps[i].result, i);
  std::ranges::sort(stamped.by_result);

  absl::StatusOr<std::vector<GroupMetric>> metrics = metrics_of(database, group);
  if (!metrics.ok()) return metrics.status();
  std::vector<std::pair<std::string, const GroupMetric*>> labelled;
  for (const GroupMetric& each : *metrics) {
    labelled.emplace_back(
        fmt::format("{},{}", label_text("metric", each.metric.name), label_text("unit", each.metric.unit)), &each);
  }
  std::ranges::stable_sort(labelled, {}, &decltype(labelled)::value_type::first);
  for (auto first = labelled.begin(); first != labelled.end();) {
    std::vector<Value> values;
    auto next = first;
    for (; next != labelled.end() && next->first == first->first; ++next) {
      if (absl::Status status = add_values(database, stamped, *next->second, values); !status.ok()) return status;
    }
    if (absl::Status status = write(sample_lines(stamped, first->first, std::move(values))); !status.ok())
      return status;
    first = next;
  }
  return absl::OkStatus();
}

}  // namespace

// Series are in the order of their labels as text. No label is the beginning of another one of its name, as the quote
// at its end is in no value; so sorting by the labels of a group, then by those of its metrics, and then by those of
// its results is sorting by all of them.
absl::Status export_openmetrics(const Database& database, std::span<const ResultKey> results, Write write) {
  const absl::StatusOr<std::vector<Group>> groups = groups_of(database, results);
  if (!groups.ok()) return groups.status();
  std::vector<std::pair<std::string, const Group*>> labelled;
  for (const Group& each : *groups)
    labelled.emplace_back(fmt::format("{},{}", label_text("name", each.name), label_text("kind", each.kind)), &each);
  std::ranges::sort(labelled);
  if (absl::Status status =
          write("# TYPE fabrictwin_result gauge\n# HELP fabrictwin_result A metric of a result that was recorded.\n");
      !status.ok())
    return status;
  for (const auto& [labels, group] : labelled) {
    if (absl::Status status = export_group(database, *group, labels, write); !status.ok()) return status;
  }
  return write("# EOF\n");
}

}  // namespace fabrictwin::dashboards::history::formats
