// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the ranks of all jobs did over simulated time, and to whom they sent.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cosim/experiment/experiment.h"
#include "fabrictwin/v1/hosts_report.pb.h"
#include "fabrictwin/v1/report.pb.h"
#include "workloads/mpi/job_state.h"
#include "workloads/mpi/protocol/rank_activity.h"

namespace fabrictwin::job {

/// Makes what follows ranks, and reports on it. Immutable and thread-safe.
class Activity {
 public:
  /// Rows and columns of a matrix.
  static constexpr int32_t kMostCells = 64;
  /// Rows of a timeline, and segments of all of them.
  static constexpr int32_t kMostRows = 512;
  static constexpr int32_t kMostSegments = 72'000;

  /// For `ranks` ranks of all jobs, what is asked for.
  Activity(const experiment::StatisticsSpec& statistics, int32_t ranks);

  /// Follows a rank, the first of whose job is `first_rank` among all; null if nothing is asked for.
  std::unique_ptr<mpi::protocol::RankActivity> follow(int32_t first_rank, int32_t rank) const;
  /// What the ranks of these jobs did, as far as they are in this process.
  v1::ActivityPart part(const std::vector<mpi::JobState>& jobs) const;
  /// Whether a part that another process sent is of these ranks.
  bool fits(const v1::ActivityPart& part) const;
  /// Adds what was asked for to the report of a run whose ranks are those of `part`, in any order.
  void report(v1::ActivityPart part, v1::Report& report) const;

 private:
  int32_t ranks_;
  bool matrix_;
  bool timeline_;
  int32_t cells_;
  int32_t rows_;
};

}  // namespace fabrictwin::job
