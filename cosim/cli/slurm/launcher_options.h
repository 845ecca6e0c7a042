// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The option --launcher of commands that do many runs, and those of Slurm.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cosim/cli/options/run_arguments.h"

namespace fabrictwin::cli::slurm {

/// Adds the options; `arguments` must live as long as the command.
void add_launcher_options(CLI::App& command, options::LauncherArguments& arguments);

/// InvalidArgument for an unknown launcher, options of Slurm without it, and values that cannot be, FailedPrecondition
/// if Slurm is asked for and not there; to be asked before anything is loaded. `jobs` is the value of --jobs, or 0 if
/// it is not given. A dry run asks Slurm for nothing.
absl::Status check_launcher(const options::LauncherArguments& arguments, int jobs, bool dry_run = false);

/// The options for sbatch: as many cores as --threads says (0: it does not), and what the user gives, which counts
/// more.
std::vector<std::string> sbatch_options(const options::LauncherArguments& arguments, int threads);

/// The value of --slurm-interval; InvalidArgument if it is not a time above zero.
absl::StatusOr<std::chrono::milliseconds> interval_of(const options::LauncherArguments& arguments);

/// InvalidArgument if there are such options and the command does a single run.
absl::Status check_no_launcher(const options::LauncherArguments& arguments);

}  // namespace fabrictwin::cli::slurm
