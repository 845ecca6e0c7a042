// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The subcommands of `fabrictwin trace`.
#pragma once

#include <CLI/CLI.hpp>

#include "absl/status/status.h"
#include "cosim/cli/support/exit_code.h"

namespace fabrictwin::cli {

/// Adds `trace assemble`, which joins the parts of a recording.
void add_trace_assemble_command(CLI::App& trace, support::ExitCode& exit_code);
/// Adds `trace generate APPLICATION`, which writes traces of skeletons.
void add_trace_generate_command(CLI::App& trace, support::ExitCode& exit_code);
/// Adds `trace export`, `compare`, `check`, `cut`, `scale`, `merge` and `convert`.
void add_trace_tool_commands(CLI::App& trace, support::ExitCode& exit_code);

/// Prints the error if `status` is one, and returns the exit code.
support::ExitCode finish_trace_command(const absl::Status& status);

}  // namespace fabrictwin::cli
