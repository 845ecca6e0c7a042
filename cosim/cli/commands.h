// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The subcommands. Each adds itself to the application; when it was chosen and has run, its exit code is in
// `exit_code`.
#pragma once

#include <CLI/CLI.hpp>

#include "cosim/cli/exit_code.h"

namespace fabrictwin {

void add_run_command(CLI::App& app, ExitCode& exit_code);
void add_check_command(CLI::App& app, ExitCode& exit_code);
void add_describe_command(CLI::App& app, ExitCode& exit_code);
void add_worker_command(CLI::App& app, ExitCode& exit_code);
void add_board_command(CLI::App& app, ExitCode& exit_code);
void add_trace_command(CLI::App& app, ExitCode& exit_code);
void add_karma_command(CLI::App& app, ExitCode& exit_code);
void add_validate_command(CLI::App& app, ExitCode& exit_code);
void add_osu_command(CLI::App& app, ExitCode& exit_code);
void add_reproduce_command(CLI::App& app, ExitCode& exit_code);

}  // namespace fabrictwin
