// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// From an experiment's jobs to what their ranks do.
#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "cosim/run/experiment.h"
#include "workloads/mpi/job_program.h"

namespace fabrictwin {

/// The program of `job`, which has places for `room` ranks. Errors (InvalidArgument, NotFound, Unimplemented, DataLoss)
/// are diagnostics at the job: a trace with calls that cannot be replayed (each by name, rank and event), with receives
/// that nothing is sent to; a problem that the application cannot divide so.
absl::StatusOr<std::unique_ptr<JobProgram>> make_job_program(const JobSpec& job, const HostSpec& host, int64_t room);

}  // namespace fabrictwin
