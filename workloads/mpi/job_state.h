// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A job while it runs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cosim/base/time.h"
#include "workloads/mpi/job_program.h"
#include "workloads/mpi/rank_engine.h"

namespace fabrictwin {

/// What all ranks of a job share. All are in one partition; if that has several threads, it only reads. It outlives
/// them.
struct JobState {
  std::string name;
  bool background = false;
  bool shares_memory = false;  ///< Computations say what they move: those of a skeleton.
  std::unique_ptr<JobProgram> program;
  int32_t first_rank = 0;                            ///< In the report.
  std::vector<std::shared_ptr<RankEngine>> engines;  ///< By rank.
  // Beside a job in the background.
  int64_t under_way = 0;  ///< Messages that have not come, and those whose leaving has not been told.
  uint64_t moves = 0;     ///< Changes of `under_way`.

  // In the background.
  int32_t ended = 0;         ///< Ranks that have ended the present round.
  uint64_t completions = 0;  ///< Rounds that all ranks have ended.
  Time finish;               ///< Of the last one.
};

}  // namespace fabrictwin
