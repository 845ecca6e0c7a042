// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs whose places are ranks of MPI: mpirun -n 4 fabrictwin run FILE --split 4.
#pragma once

#include <functional>
#include <string_view>

#include "absl/status/status.h"
#include "bridges/caller/grpc_connector.h"
#include "cosim/cli/options/run_arguments.h"
#include "cosim/cli/support/exit_code.h"
#include "cosim/experiment/experiment.h"
#include "cosim/run/place_connector.h"
#include "cosim/system/plan.h"

namespace fabrictwin::cli {

/// The ranks of a run, of which this process is the first, and how it reaches the others; without MPI, only that one.
struct Ranks {
  int count = 1;
  run::ConnectorFactory connector = bridges::caller::make_grpc_connector;
};

/// InvalidArgument if rules name ranks that there are not, or if there are ranks and no rule names one.
absl::Status check_ranks(const experiment::Experiment& experiment, const system::Plan& plan, const Ranks& ranks);

/// A run of this process, as one of those that MPI has started (bridges::mpi::launch()): rank 0 does `run`, the others
/// what it tells them, and print nothing. All ranks end with kUsage if they do not fit together.
support::ExitCode run_by_mpi(
    const options::RunArguments& arguments,
    const std::function<support::ExitCode(const options::RunArguments& arguments, const Ranks& ranks)>& run);

/// Tells the other ranks that the arguments of this one are wrong: they would wait for it in vain. Does nothing where
/// MPI has not started several. Returns when all know it.
void fail_by_mpi(std::string_view error);

}  // namespace fabrictwin::cli
