// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The state of a running job.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cosim/base/time.h"
#include "workloads/mpi/job_program.h"
#include "workloads/mpi/rank_engine.h"

namespace fabrictwin::mpi {

/// What all ranks of a job in a partition share; it outlives them. If the partition has several threads, they only read
/// it.
struct JobState {
  std::string name;
  bool background = false;
  bool shares_memory = false;  ///< Computations state the bytes that they move, as those of a skeleton do.
  std::unique_ptr<JobProgram> program;
  uint64_t usual_events = 0;          ///< Typical of a rank, if the program has no numbers by rank; 0 if unknown.
  std::vector<int32_t> reduce_hosts;  ///< By rank; empty if MPI_Allreduce is software.
  int32_t first_rank = 0;             ///< First rank of the job in the report.
  std::vector<std::shared_ptr<RankEngine>> engines;  ///< By rank.
  int32_t here = 0;                                  ///< Ranks in this partition.
  // These are used if there is also a background job.
  int64_t under_way = 0;  ///< Messages that have not arrived, plus those whose departure has not been reported. Where
                          ///< other ranks are in other partitions, the sum over all of these counts.
  uint64_t moves = 0;     ///< Changes of `under_way`.
  int32_t waiting = 0;    ///< Ranks here that have finished or do nothing without a message.

  // These are used by a background job.
  int32_t ended = 0;         ///< Ranks here that have ended the current round.
  uint64_t completions = 0;  ///< Rounds that all ranks here have ended.
  Time finish;               ///< End of the last completed round,
  Time finish_before;        ///< and of the one before.
};

}  // namespace fabrictwin::mpi
