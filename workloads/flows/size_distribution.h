// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How large flows are.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace fabrictwin::flows {

/// A distribution of flow sizes by points of its cumulative distribution, linear in between. Value type.
class SizeDistribution {
 public:
  struct Point {
    double bytes = 0;
    double share = 0;  ///< Of flows that are not larger; 1 at the last point.
  };

  /// Web search in a data centre: Alizadeh et al., "Data center TCP (DCTCP)", SIGCOMM 2010, as points of it are
  /// distributed with the simulator of HPCC.
  static SizeDistribution web_search();
  /// Hadoop at Facebook: Roy et al., "Inside the social network's (datacenter) network", SIGCOMM 2015, as points of it
  /// are distributed with the simulator of HPCC.
  static SizeDistribution hadoop();
  /// A CSV file with the columns bytes and percent, and perhaps a line of units. Errors (NotFound, InvalidArgument) are
  /// diagnostics in the file.
  static absl::StatusOr<SizeDistribution> read(const std::string& file);

  /// The mean size in bytes.
  double mean() const;
  /// The size that a share of flows, in [0, 1), is below: at least 1 byte.
  uint64_t at(double share) const;

 private:
  explicit SizeDistribution(std::vector<Point> points) : points_(std::move(points)) {}

  std::vector<Point> points_;  ///< Both members rise, the first share may be above 0.
};

}  // namespace fabrictwin::flows
