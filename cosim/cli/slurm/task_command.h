// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The command that tasks of Slurm are.
#pragma once

#include <CLI/CLI.hpp>

#include "cosim/cli/support/exit_code.h"

namespace fabrictwin::cli::slurm {

/// The threads of a task: as many as are wanted, or, for 0, as Slurm gives it cores; no more than it may use.
int threads_of_task(int wanted);

/// Adds `slurm-task`, which runs one point of a study and writes its result. It is for Slurm, not for people.
void add_task_command(CLI::App& app, support::ExitCode& exit_code);

}  // namespace fabrictwin::cli::slurm
