// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether MPI has started this process, and its world if so. MPI itself is in a library of its own that is loaded when
// it is needed, so the program runs where there is none.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "bridges/mpi/world.h"

namespace fabrictwin::bridges::mpi {

/// What the environment says of how this process was started.
struct Launch {
  int rank = 0;
  int size = 1;  ///< 1 unless a launcher of MPI has started several processes.
};

/// Reads OMPI_COMM_WORLD_RANK and _SIZE (Open MPI), PMI_RANK and PMI_SIZE (MPICH, Intel MPI and others), or PMIX_RANK
/// with SLURM_STEP_NUM_TASKS (srun). Thread-safe.
Launch launch();

/// Joins the world of a process that launch() says is one of several: loads libfabrictwin-mpi.so, or where a launcher
/// of MPICH has started it libfabrictwin-mpi-mpich.so, from the folder `lib` beside that of `executable`, or from the
/// same folder. Called once. Unimplemented if this program was built without MPI; FailedPrecondition if the library is
/// of another version, or of another MPI than the launcher.
absl::StatusOr<std::unique_ptr<World>> join_world(const std::string& executable);

}  // namespace fabrictwin::bridges::mpi
