// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The arguments that run, check and describe share: the experiment and the changes to it.
#pragma once

#include <CLI/CLI.hpp>

#include "cosim/experiment/input.h"

namespace fabrictwin::cli::options {

/// Adds FILE, --set, --use and --seed to a subcommand; `input` must live as long as the command.
void add_experiment_options(CLI::App& command, experiment::Input& input);

/// Adds --split to a subcommand that simulates or describes one run.
void add_split_option(CLI::App& command, experiment::Input& input);

/// Logs a message if --set has replaced the file's topology by another one.
void tell_overrides(const experiment::Input& input);

}  // namespace fabrictwin::cli::options
