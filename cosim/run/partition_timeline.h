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
#include "fabrictwin/v1/activity_report.pb.h"

namespace fabrictwin::run {

/// Made of looks at a run, which need not be equally far apart, and of which only some may tell how long a partition
/// was busy. Not thread-safe.
class PartitionTimeline {
 public:
  /// When there are more intervals, each two become one.
  static constexpr size_t kMostIntervals = 400;
  /// Partitions times intervals; with many partitions there are fewer intervals.
  static constexpr size_t kMostCells = 12'000;

  /// Adds the time since the look before. A look before the simulation began adds nothing, and one after it ended once
  /// more only what it tells of busy times. How long a partition was busy since a look told it last is spread over the
  /// looks at which it did not wait.
  void add(const RunLook& look);

  /// The timeline, named by the plan of the run. Without intervals if there was nothing to see.
  v1::PartitionTimeline timeline(const system::Plan& plan) const;

 private:
  /// One partition in one interval.
  struct Cell {
    double busy = 0;   ///< In seconds, as far as told.
    double could = 0;  ///< At how many seconds of looks it did not wait, since its busy time was told last.
    std::vector<std::pair<int32_t, uint32_t>> waits_for;  ///< Partitions, and at how many looks.
  };
  struct Interval {
    double end = 0;  ///< In seconds.
    double length = 0;
    size_t looks = 0;
    std::vector<Cell> cells;
  };

  void begin(size_t partitions);
  void make_space();
  /// Gives cells of a partition their parts of the time for which it was busy since it was told last.
  void settle(size_t partition, double seconds);
  void add_busy(size_t partition, double seconds);

  size_t most_intervals_ = kMostIntervals;
  size_t looks_each_ = 1;  ///< Looks in an interval that is full.
  double end_ = 0;         ///< The time of the last look.
  std::vector<Interval> intervals_;
  std::vector<uint64_t> busy_ns_;  ///< As told last.
  std::vector<double> told_;       ///< When it was told last.
  std::vector<bool> in_time_;      ///< Whether it was told before the end, or there is one interval only.
  std::map<std::pair<int32_t, int32_t>, double> waits_;
};

}  // namespace fabrictwin::run
