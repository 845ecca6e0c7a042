// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One rank of an OSU benchmark.
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/base/quantity.h"
#include "cosim/base/time.h"
#include "cosim/run/job_spec.h"
#include "workloads/mpi/job_program.h"
#include "workloads/osu/osu_calls.h"

namespace fabrictwin {

/// Goes through all sizes: a barrier, warm-up iterations, measured iterations. Adds up the time of the measured ones as
/// its own clock shows it.
class OsuRank final : public RankProgram {
 public:
  /// `elapsed` takes the time of the measured iterations of each size when that has ended. It outlives the rank, and
  /// nobody else writes to it.
  OsuRank(const OsuSpec& spec, std::vector<Bytes> sizes, int32_t rank, int32_t ranks, std::vector<Time>* elapsed);

  absl::StatusOr<bool> next(Time now, TraceEvent& event) override;

 private:
  enum class Stage : uint8_t { kInit, kSize, kIteration, kTimed, kAfter, kFinalize, kEnd };

  /// Goes on to the next stage that has a call.
  bool advance(Time now, TraceEvent& event);
  bool begin_size(TraceEvent& event);
  bool begin_iteration(TraceEvent& event);

  OsuSpec spec_;
  std::vector<Bytes> sizes_;
  int32_t rank_;
  int32_t ranks_;
  std::vector<Time>* elapsed_;

  Stage stage_ = Stage::kInit;
  OsuIteration calls_;
  size_t size_ = 0;  ///< Index of the current or next one.
  int32_t iteration_ = 0;
  bool together_ = false;  ///< The barrier in front of the measured iterations has been.
  size_t call_ = 0;
  Time begin_;
  Time sum_;
};

}  // namespace fabrictwin
