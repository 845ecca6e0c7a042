// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "cosim/cli/support/exit_code.h"

namespace fabrictwin::cli::history {

/// `fabrictwin history` with its subcommands; see cosim/cli/commands.h.
void add_history_command(CLI::App& app, support::ExitCode& exit_code);

}  // namespace fabrictwin::cli::history
