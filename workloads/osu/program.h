// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The OSU micro-benchmarks as an MPI job: docs/models/osu.md.
#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "workloads/mpi/job_program.h"
#include "workloads/osu/spec.h"

namespace fabrictwin::osu {

/// The benchmark of `spec` on `ranks` ranks. InvalidArgument as in check_osu(), and for ONE_WAY_LAT, which makes no MPI
/// calls (see OneWayWorkload).
absl::StatusOr<std::unique_ptr<mpi::JobProgram>> make_osu_program(const OsuSpec& spec, int32_t ranks);

}  // namespace fabrictwin::osu
