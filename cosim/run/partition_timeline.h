// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What partitions did over the wall-clock time of a run, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "cosim/run/run_look.h"
#include "cosim/system/plan.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::run {

/// Made of looks at a run, which need not be equally far apart. Not thread-safe.
class PartitionTimeline {
 public:
  /// When there are more intervals, each two become one.
  static constexpr size_t kMostIntervals = 400;
  /// Partitions times intervals; with many partitions there are fewer intervals.
  static constexpr size_t kMostCells = 12'000;

  /// Adds the time since the look before. A look before the simulation began, or after it ended once more, adds
  /// nothing.
  void add(const RunLook& look);

  /// The timeline, named by the plan of the run. `report`, as it is at the end, says how long partitions of other
  /// processes were busy. Without intervals if there was nothing to see.
  v1::PartitionTimeline timeline(const system::Plan& plan, const v1::Report& report) const;

 private:
  /// One partition in one interval.
  struct Cell {
    double busy = 0;                                      ///< In seconds.
    std::vector<std::pair<int32_t, uint32_t>> waits_for;  ///< Partitions, and at how many looks.
  };
  struct Interval {
    double end = 0;  ///< In seconds.
    double length = 0;
    size_t looks = 0;
    std::vector<Cell> cells;
  };

  void begin(size_t partitions);
  void make_room();
  void add_busy(size_t partition, double seconds);
  /// Gives cells of a partition their parts of its busy time in all.
  std::vector<double> spread_busy(size_t partition, double seconds) const;

  size_t most_intervals_ = kMostIntervals;
  size_t looks_each_ = 1;  ///< Looks in an interval that is full.
  double end_ = 0;         ///< The time of the last look.
  std::vector<Interval> intervals_;
  std::vector<uint64_t> busy_ns_;  ///< As of the last look.
  std::vector<bool> asked_;        ///< False for partitions whose busy time looks do not tell.
  std::map<std::pair<int32_t, int32_t>, double> waits_;
};

}  // namespace fabrictwin::run
