// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of `fabrictwin trace`.
#pragma once

#include <CLI/CLI.hpp>

#include "absl/status/status.h"
#include "cosim/cli/exit_code.h"

namespace fabrictwin {

/// `trace assemble`: the parts of a recording.
void add_trace_assemble_command(CLI::App& trace, ExitCode& exit_code);
/// `trace generate APPLICATION`: skeletons.
void add_trace_generate_command(CLI::App& trace, ExitCode& exit_code);
/// `trace export`, `compare`, `check`, `cut`, `scale`, `merge`, `convert`.
void add_trace_tool_commands(CLI::App& trace, ExitCode& exit_code);

/// Prints the error if `status` is one, and says how the process ends.
ExitCode finish_trace_command(const absl::Status& status);

}  // namespace fabrictwin
