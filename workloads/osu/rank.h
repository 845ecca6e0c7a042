// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One rank of an OSU benchmark.
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/base/quantity.h"
#include "cosim/base/time.h"
#include "workloads/mpi/job_program.h"
#include "workloads/osu/calls.h"
#include "workloads/osu/spec.h"

namespace fabrictwin::osu {

/// Runs all sizes: a barrier, warm-up iterations, measured iterations. Sums the time of the measured ones on its own
/// clock.
class Rank final : public mpi::RankProgram {
 public:
  /// `elapsed` receives the time of the measured iterations of each size when that is complete. It outlives the rank
  /// and has no other writer.
  Rank(const OsuSpec& spec, std::vector<Bytes> sizes, int32_t rank, int32_t ranks, std::vector<Time>* elapsed);

  absl::StatusOr<bool> next(Time now, trace::format::Event& event) override;

 private:
  enum class Stage : uint8_t { kInit, kSize, kIteration, kTimed, kAfter, kFinalize, kEnd };

  /// Goes on to the next stage that has a call.
  bool advance(Time now, trace::format::Event& event);
  bool begin_size(trace::format::Event& event);
  bool begin_iteration(trace::format::Event& event);

  OsuSpec spec_;
  std::vector<Bytes> sizes_;
  int32_t rank_;
  int32_t ranks_;
  std::vector<Time>* elapsed_;

  Stage stage_ = Stage::kInit;
  Iteration calls_;
  size_t size_ = 0;  ///< Index of the current or next size.
  int32_t iteration_ = 0;
  bool together_ = false;  ///< The barrier before the measured iterations is complete.
  size_t call_ = 0;
  Time begin_;
  Time sum_;
};

}  // namespace fabrictwin::osu
