// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How the ranks of a run begin and end together.
#pragma once

#include <chrono>
#include <string>

#include "absl/status/status.h"
#include "bridges/mpi/world.h"

namespace fabrictwin::bridges::mpi {

/// What must be the same in all ranks.
struct Identity {
  std::string version;     ///< The version of the software.
  std::string commit;      ///< The commit of its sources; empty if not known.
  std::string experiment;  ///< A hash of the text of the experiment; empty if it cannot be read.
  std::string changes;     ///< Arguments that change the experiment: "--set seed=3 --split 2".
  std::string failure;     ///< What is wrong with the arguments of the rank alone; empty if nothing is.
};

/// Compares the identities of all ranks, each of which calls this once. FailedPrecondition, in all of them, if that of
/// one differs from that of rank 0, or a rank has failed; the message names it. Other errors are those of the world.
absl::Status greet(World& world, const Identity& identity);

/// Lets serve_rank() of all other ranks end. Called by rank 0, at its end, whatever has become of the run. If one does
/// not answer for so long all are aborted, as a world cannot end without one of its ranks.
void dismiss(World& world, std::chrono::milliseconds patience);

}  // namespace fabrictwin::bridges::mpi
