// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run will take, from its beginning.
#pragma once

#include <chrono>

#include "absl/status/statusor.h"
#include "cosim/run/run.h"

namespace fabrictwin::run {

/// What a run takes on this machine.
struct Estimate {
  double wall_seconds = 0;       ///< From the start of the command to the report.
  double memory_bytes = 0;       ///< At most, of this process and those that it starts.
  double simulated_seconds = 0;  ///< Wall-clock time of the part that was simulated for the estimate.
  double share = 1;              ///< The share of the workload that was done in it; 1 if the run was over.
};

/// Executes a run until `budget` of wall-clock time is over (up to ten times that if nothing of the workload is done by
/// then), or the run, and concludes from how fast the second half of
/// that went what the whole takes. FailedPrecondition if the workload does not say how far it is, or has not moved;
/// otherwise errors are those of Run::execute(). The run is used up.
absl::StatusOr<Estimate> estimate(Run& run, std::chrono::milliseconds budget);

/// What a share `done` of a workload after `seconds` means for all of it, if `half_done` was done after `half_seconds`.
double extrapolate(double half_seconds, double half_done, double seconds, double done);

}  // namespace fabrictwin::run
