// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How many series a run has of its links and partitions.
#pragma once

#include <cstddef>

namespace fabrictwin::run::metrics {

/// Links and partitions with series of their own; of all others there are only sums.
struct SeriesSelection {
  /// As many links as have carried most, and as many that packets have waited for longest. Once a link is among them,
  /// its series goes on to the end of the run, up to four times as many links.
  size_t busiest = 64;
  /// Machines with fewer directions of links have series of all of them.
  size_t all_up_to = 256;
  /// As many partitions as have simulated for longest, and those for which they wait. Once a partition is among them,
  /// its series go on to the end of the run, up to twice as many partitions.
  size_t busiest_partitions = 24;
  /// Runs with fewer partitions have series of all of them.
  size_t all_partitions_up_to = 48;
};

}  // namespace fabrictwin::run::metrics
