// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A rank that simulates parts of the runs of rank 0.
#pragma once

#include "absl/status/status.h"
#include "bridges/mpi/world.h"
#include "cosim/run/registry.h"

namespace fabrictwin::bridges::mpi {

/// Serves one run after another on the calling thread until rank 0 says dismiss(). Errors of runs go to rank 0; those
/// of this function are of the world itself, or messages of rank 0 that are none.
absl::Status serve_rank(World& world, const run::Registry& registry);

}  // namespace fabrictwin::bridges::mpi
