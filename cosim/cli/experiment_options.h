// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The arguments that run, check and describe share: which experiment, and what to change in it.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/run/experiment.h"
#include "cosim/run/plan.h"

namespace fabrictwin {

/// FILE, --set, --use and --seed.
struct ExperimentOptions {
  std::string file;
  Overrides overrides;

  /// Adds them to a subcommand; `this` must live as long as the command.
  void add_to(CLI::App& command);
  /// Reads and checks the experiment.
  absl::StatusOr<Experiment> load() const { return load_experiment(file, overrides); }
  /// Logs it if --set has put another topology into the place of the file's.
  void tell_overrides() const;
};

}  // namespace fabrictwin
