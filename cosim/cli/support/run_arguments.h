// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The arguments of `fabrictwin run`, and what single runs and sweeps make of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/cli/exit_code.h"
#include "cosim/cli/experiment_options.h"
#include "cosim/run/run.h"

namespace fabrictwin {

struct RunArguments {
  ExperimentOptions experiment;
  int threads = 0;  ///< 0: chosen.
  std::string out;
  bool json = false;
  std::string metrics;
  bool dry_run = false;
  std::vector<std::string> waves;
  std::string watchdog = "30s";
  bool pin = false;
  bool quiet = false;
  std::vector<std::string> sweeps;
  bool saturation = false;
  std::optional<double> precision;
  int jobs = 1;

  bool is_sweep() const { return saturation || !sweeps.empty(); }
};

/// The options of a run but for its threads and waveforms. InvalidArgument for what is wrong in the arguments.
absl::StatusOr<RunOptions> run_options(const RunArguments& arguments);

/// Runs an experiment many times and prints what came out.
ExitCode run_sweep(const RunArguments& arguments);

}  // namespace fabrictwin
