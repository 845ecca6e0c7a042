// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Derives the programs of ranks from an experiment's jobs.
#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "workloads/mpi/job_program.h"

namespace fabrictwin::job {

/// The program of `job`, for which at most `room` ranks fit. Errors (InvalidArgument, NotFound, Unimplemented,
/// DataLoss) are diagnostics at the job: a trace with calls that cannot be replayed (each by name, rank and event) or
/// with receives without a send; a problem that the application cannot divide in this way.
absl::StatusOr<std::unique_ptr<mpi::JobProgram>> make_job_program(const experiment::JobSpec& job,
                                                                  const experiment::HostSpec& host, int64_t room);

}  // namespace fabrictwin::job
