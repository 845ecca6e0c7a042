// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A metric over the results of a series.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dashboards/history/database.h"
#include "dashboards/statistics/change_points.h"

namespace fabrictwin::dashboards::history {

struct TrendOptions {
  int64_t last = 200;          ///< The newest so many results.
  double least_change = 0.01;  ///< Smaller changes of the level are none.
};

struct TrendPoint {
  int64_t result = 0;
  std::string date;
  std::string commit;
  double value = 0;
};

struct Trend {
  Series series;
  SeriesMetric metric;
  std::string machine;  ///< Of measured metrics: that of the newest result, and only its results are here.
  std::vector<TrendPoint> points;
  /// Where the level changes: of measured metrics by E-divisive means; of exact ones wherever the value is another one,
  /// with probability 0.
  std::vector<statistics::ChangePoint> changes;
};

/// Metrics that are one but for their units of time.
std::vector<std::vector<SeriesMetric>> by_dimension(const std::vector<SeriesMetric>& metrics);

/// The trend of a metric of a series over results of it, which are in the order of dates; `metrics` is that metric in
/// each unit that it has had, and the newest is that of the trend. Changes of the level below `least_change` are none.
absl::StatusOr<Trend> trend_over(const Database& database, const Series& series, std::span<const SeriesMetric> metrics,
                                 std::vector<Summary> results, double least_change);

/// The trends of all metrics that match a pattern of the shell, of series whose names match another one (empty: all).
absl::StatusOr<std::vector<Trend>> find_trends(const Database& database, const std::string& name,
                                               const std::string& metric, const TrendOptions& options);

}  // namespace fabrictwin::dashboards::history
