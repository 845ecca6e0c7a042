// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbers that runs are compared by.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::study::point {

/// A number that runs are compared by.
struct RunMetric {
  /// What it is of. Sweeps tell more of traffic than what it has in common with other workloads.
  enum class Subject { kCongestion, kTraffic };

  std::string key;    ///< The name in JSON and CSV: "slowdown_p99".
  std::string title;  ///< The title in the table.
  int decimals = 0;
  double scale = 1;  ///< A factor for values in the table.
  std::function<std::optional<double>(const v1::Report&)> value;
  bool in_table = true;  ///< Tables of comparisons have it, and not only JSON and CSV.
  Subject subject = Subject::kCongestion;
  bool in_maps = true;  ///< Maps of sweeps have it, too. There are too many sizes of flows for that.
};

/// The metrics that at least one of the reports has: those of any run, and of its own jobs, classes, destinations,
/// faults and sizes of flows, where there are at most eight of them.
std::vector<RunMetric> metrics_of(std::span<const v1::Report* const> reports);

}  // namespace fabrictwin::study::point
