// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/formats/group.h"

#include <fmt/format.h>

#include <cstddef>
#include <unordered_map>
#include <utility>

namespace fabrictwin::dashboards::history::formats {

absl::StatusOr<std::vector<Group>> groups_of(const Database& database, std::span<const ResultKey> results) {
  absl::StatusOr<std::vector<Series>> all = database.all_series();
  if (!all.ok()) return all.status();
  std::vector<Group> groups;
  std::unordered_map<int64_t, size_t> group_of;
  for (Series& each : *all) {
    if (groups.empty() || groups.back().name != each.name || groups.back().kind != each.kind)
      groups.push_back({std::move(each.name), std::move(each.kind), {}, {}});
    groups.back().series.push_back(each.id);
    group_of[each.id] = groups.size() - 1;
  }
  for (const ResultKey& key : results) {
    const auto group = group_of.find(key.series);
    if (group == group_of.end())
      return absl::NotFoundError(fmt::format("result {} was removed from {} meanwhile", key.id, database.file()));
    groups[group->second].results.push_back(key.id);
  }
  std::erase_if(groups, [](const Group& group) { return group.results.empty(); });
  return groups;
}

absl::StatusOr<std::vector<GroupMetric>> metrics_of(const Database& database, const Group& group) {
  std::vector<GroupMetric> metrics;
  for (const int64_t series : group.series) {
    absl::StatusOr<std::vector<SeriesMetric>> of_series = database.metrics_of(series);
    if (!of_series.ok()) return of_series.status();
    for (SeriesMetric& metric : *of_series) metrics.push_back({series, std::move(metric)});
  }
  return metrics;
}

}  // namespace fabrictwin::dashboards::history::formats
