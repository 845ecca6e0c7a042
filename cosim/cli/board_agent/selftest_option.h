// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The options --selftest and --json of commands that are agents of boards.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "bridges/board/shell/ring_memory.h"
#include "cosim/cli/support/exit_code.h"

namespace fabrictwin::cli::board_agent {

struct SelftestArguments {
  bool selftest = false;
  bool json = false;
};

/// Adds the options; `arguments` must live as long as the command.
void add_selftest_options(CLI::App& command, SelftestArguments& arguments);

/// Tests the board behind `window` and prints what was found; kRunFailed if a check has failed, kUsage if there is no
/// such window, or none with rings in such memory.
support::ExitCode run_selftest(const SelftestArguments& arguments, const std::string& window,
                               bridges::board::shell::RingMemory rings);

}  // namespace fabrictwin::cli::board_agent
