// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/trend.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "dashboards/history/units.h"

namespace fabrictwin::dashboards::history {
namespace {

std::vector<statistics::ChangePoint> exact_changes(const std::vector<double>& values) {
  std::vector<statistics::ChangePoint> changes;
  for (size_t i = 1; i < values.size(); ++i)
    if (values[i] != values[i - 1]) changes.push_back({i, values[i - 1], values[i], 0});
  return changes;
}

}  // namespace

std::vector<std::vector<SeriesMetric>> by_dimension(const std::vector<SeriesMetric>& metrics) {
  std::vector<std::vector<SeriesMetric>> groups;
  std::map<std::tuple<std::string, Better, std::string>, size_t> known;
  for (const SeriesMetric& metric : metrics) {
    const auto [at, fresh] = known.try_emplace({metric.name, metric.better, dimension_of(metric.unit)}, groups.size());
    if (fresh) groups.emplace_back();
    groups[at->second].push_back(metric);
  }
  return groups;
}

absl::StatusOr<Trend> trend_over(const Database& database, const Series& series, std::span<const SeriesMetric> metrics,
                                 std::vector<Summary> results, double least_change) {
  Trend trend{series, metrics.front(), {}, {}, {}};
  const SeriesMetric& metric = trend.metric;
  int64_t first = results.empty() ? 0 : results.front().id;
  for (const Summary& result : results) first = std::min(first, result.id);
  struct Value {
    double value = 0;
    const std::string* unit = nullptr;
  };
  std::unordered_map<int64_t, Value> told;
  int64_t newest = std::numeric_limits<int64_t>::min();
  for (const SeriesMetric& each : metrics) {
    const absl::StatusOr<std::vector<Sample>> samples = database.samples(series.id, each.id, first);
    if (!samples.ok()) return samples.status();
    for (const Sample& sample : *samples) {
      told[sample.result] = {sample.value, &each.unit};
      if (sample.result < newest) continue;
      newest = sample.result;
      trend.metric = each;
    }
  }
  std::unordered_map<int64_t, double> values;
  for (const auto& [result, value] : told) values[result] = in_unit(value.value, *value.unit, trend.metric.unit);
  std::erase_if(results, [&](const Summary& result) { return !values.contains(result.id); });
  if (metric.better != Better::kExact && !results.empty()) {
    trend.machine = results.back().machine;
    std::erase_if(results, [&](const Summary& result) { return result.machine != trend.machine; });
  }
  std::vector<double> series_values;
  for (const Summary& result : results) {
    trend.points.push_back({result.id, result.date, result.commit, values[result.id]});
    series_values.push_back(values[result.id]);
  }
  statistics::ChangePointOptions how;
  how.least_change = least_change;
  trend.changes =
      metric.better == Better::kExact ? exact_changes(series_values) : statistics::change_points(series_values, how);
  return trend;
}

absl::StatusOr<std::vector<Trend>> find_trends(const Database& database, const std::string& name,
                                               const std::string& metric, const TrendOptions& options) {
  const absl::StatusOr<std::vector<Series>> all = database.all_series();
  if (!all.ok()) return all.status();
  std::vector<Trend> trends;
  for (const Series& series : *all) {
    if (!matches(name, series.name)) continue;
    const absl::StatusOr<std::vector<SeriesMetric>> metrics = database.metrics_of(series.id);
    if (!metrics.ok()) return metrics.status();
    absl::StatusOr<std::vector<Summary>> results = database.results_of(series.id, options.last);
    if (!results.ok()) return results.status();
    for (const std::vector<SeriesMetric>& each : by_dimension(*metrics)) {
      if (!matches(metric, each.front().name)) continue;
      absl::StatusOr<Trend> trend = trend_over(database, series, each, *results, options.least_change);
      if (!trend.ok()) return trend.status();
      if (!trend->points.empty()) trends.push_back(*std::move(trend));
    }
  }
  return trends;
}

}  // namespace fabrictwin::dashboards::history
