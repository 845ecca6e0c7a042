// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The subcommands. Each adds itself to the application; when it has been chosen and has run, `exit_code` has its exit
// code.
#pragma once

#include <CLI/CLI.hpp>

#include "cosim/cli/options/run_arguments.h"
#include "cosim/cli/support/exit_code.h"

namespace fabrictwin::cli {

void add_run_command(CLI::App& app, support::ExitCode& exit_code);
void add_check_command(CLI::App& app, support::ExitCode& exit_code);
void add_describe_command(CLI::App& app, support::ExitCode& exit_code);
void add_worker_command(CLI::App& app, support::ExitCode& exit_code);
void add_board_command(CLI::App& app, support::ExitCode& exit_code);
void add_trace_command(CLI::App& app, support::ExitCode& exit_code);
void add_karma_command(CLI::App& app, support::ExitCode& exit_code);
void add_nanet_command(CLI::App& app, support::ExitCode& exit_code);
void add_validate_command(CLI::App& app, support::ExitCode& exit_code);
void add_osu_command(CLI::App& app, support::ExitCode& exit_code);
void add_compare_command(CLI::App& app, support::ExitCode& exit_code);
void add_reproduce_command(CLI::App& app, support::ExitCode& exit_code);
void add_top_command(CLI::App& app, support::ExitCode& exit_code);
void add_conformance_command(CLI::App& app, support::ExitCode& exit_code);

/// Runs an experiment many times and prints the results: `run` with --sweep or --saturation.
support::ExitCode run_sweep(const options::RunArguments& arguments);

}  // namespace fabrictwin::cli
