// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Matrix multiplication as an MPI job.
#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "workloads/gemm/accelerators.h"
#include "workloads/gemm/spec.h"
#include "workloads/mpi/job_program.h"

namespace fabrictwin::gemm {

/// The programs of rows x columns ranks: docs/models/gemm.md. `spec` has been checked; its ranks with an engine in RTL
/// get that from `accelerators`.
absl::StatusOr<std::unique_ptr<mpi::JobProgram>> make_gemm_program(const GemmSpec& spec,
                                                                   const Accelerators& accelerators = {});

}  // namespace fabrictwin::gemm
