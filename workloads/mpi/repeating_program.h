// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A background job, which starts again when it has ended.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "workloads/mpi/job_program.h"
#include "workloads/mpi/job_state.h"

namespace fabrictwin::mpi {

/// What one rank of a background job does, without end: it runs its program, frees the remaining communicators and
/// enters a barrier with all other ranks, so that messages of two rounds cannot be confused. Not thread-safe.
class RepeatingProgram final : public RankProgram {
 public:
  /// `job` outlives it. `first` is the program of the first round. `on_round` is called whenever all ranks of this
  /// partition have ended a round; an error that it returns ends the run.
  RepeatingProgram(JobState& job, int32_t rank, std::unique_ptr<RankProgram> first,
                   std::function<absl::Status(Time)> on_round)
      : job_(job), rank_(rank), on_round_(std::move(on_round)), program_(std::move(first)) {}

  absl::StatusOr<bool> next(Time now, trace::format::Event& event) override;

 private:
  absl::StatusOr<bool> next_of_program(Time now, trace::format::Event& event);
  absl::Status end_round(Time now);

  JobState& job_;
  int32_t rank_;
  std::function<absl::Status(Time)> on_round_;
  std::unique_ptr<RankProgram> program_;  ///< Null between rounds.
  Time begun_;                            ///< Start of this round.
  std::set<uint64_t> communicators_;      ///< Communicators that the program has made and not freed.
};

}  // namespace fabrictwin::mpi
