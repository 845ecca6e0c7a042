// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A matrix multiplication in an experiment: docs/models/gemm.md.
#pragma once

#include <memory>

#include "workloads/gemm/accelerators.h"
#include "workloads/mpi/job_kind.h"

namespace fabrictwin::gemm {

/// The kind of job whose ranks have engines: models, or these accelerators.
std::unique_ptr<const mpi::JobKind> make_kind(Accelerators accelerators);

}  // namespace fabrictwin::gemm
