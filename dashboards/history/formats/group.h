// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dashboards/history/database.h"

namespace fabrictwin::dashboards::history::formats {

/// Results with the same name and kind, whatever their experiments are: other tools see no more of them.
struct Group {
  std::string name;
  std::string kind;
  std::vector<int64_t> series;
  std::vector<int64_t> results;  ///< In the order in which they were given.
};

/// A metric of one of the series of a group.
struct GroupMetric {
  int64_t series = 0;
  SeriesMetric metric;
};

/// The groups of results in order of names and kinds. NotFound if a result is no longer there.
absl::StatusOr<std::vector<Group>> groups_of(const Database& database, std::span<const ResultKey> results);

/// The metrics that results of a group have: one series after the other, each by names.
absl::StatusOr<std::vector<GroupMetric>> metrics_of(const Database& database, const Group& group);

}  // namespace fabrictwin::dashboards::history::formats
