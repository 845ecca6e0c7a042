// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Launchers of MPI for tests. FABRICTWIN_MPIRUN has those of all MPIs that the program was built for, with colons
// between them.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"

namespace fabrictwin {

/// The launchers; none if the program was built without MPI.
inline std::vector<std::string> mpi_launchers() {
  const char* text = std::getenv("FABRICTWIN_MPIRUN");
  return text == nullptr ? std::vector<std::string>() : std::vector<std::string>(absl::StrSplit(text, ':'));
}

/// What launchers need in their environment to start ranks whatever the machine has of cores, as any user, and without
/// a /sys, of which libraries of MPI complain.
inline std::vector<std::string> mpi_environment() {
  return {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_rmaps_base_oversubscribe=1",
          "UCX_LOG_LEVEL=fatal", "HWLOC_HIDE_ERRORS=2"};
}

}  // namespace fabrictwin
