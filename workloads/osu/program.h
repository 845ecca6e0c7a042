// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The OSU micro-benchmarks as an MPI job: docs/models/osu.md.
#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "cosim/run/job_spec.h"
#include "workloads/mpi/job_program.h"

namespace fabrictwin {

/// The benchmark of `spec` on `ranks` ranks. InvalidArgument as check_osu() has it, and for ONE_WAY_LAT, which makes no
/// MPI calls (OneWayWorkload).
absl::StatusOr<std::unique_ptr<JobProgram>> make_osu_program(const OsuSpec& spec, int32_t ranks);

}  // namespace fabrictwin
