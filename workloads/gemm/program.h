// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Matrix multiplication as an MPI job.
#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "cosim/run/job_spec.h"
#include "workloads/mpi/job_program.h"

namespace fabrictwin {

/// The programs of rows x columns ranks: docs/models/gemm.md. `spec` must be one that check_jobs() takes.
absl::StatusOr<std::unique_ptr<JobProgram>> make_gemm_program(const GemmSpec& spec);

}  // namespace fabrictwin
