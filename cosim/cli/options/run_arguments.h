// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The arguments of `fabrictwin run`, for single runs and sweeps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/cli/options/metrics.h"
#include "cosim/cli/options/record.h"
#include "cosim/cli/options/security.h"
#include "cosim/cli/support/exit_code.h"
#include "cosim/experiment/input.h"
#include "cosim/run/run.h"

namespace fabrictwin::cli::options {

/// Where the runs of a study go on.
struct LauncherArguments {
  std::string launcher = "local";
  std::string dir;                      ///< Empty: named after the results.
  std::vector<std::string> options;     ///< Those of sbatch.
  std::optional<int> tasks;             ///< At the same time.
  std::optional<int> retries;           ///< How often a task that was lost is submitted again.
  std::optional<std::string> interval;  ///< Between two looks at the queue.

  bool is_slurm() const { return launcher == "slurm"; }
};

struct RunArguments {
  experiment::Input experiment;
  SecurityArguments security;
  int threads = 0;  ///< 0 chooses the number automatically.
  std::string out;
  bool json = false;
  MetricsArguments metrics;
  std::string metrics_file;
  std::string perfetto;
  std::string html;
  RecordArguments record;
  bool dry_run = false;
  std::vector<std::string> waves;
  std::string watchdog = "30s";
  bool pin = false;
  bool quiet = false;
  std::vector<std::string> sweeps;
  bool saturation = false;
  std::optional<double> precision;
  std::optional<int> jobs;
  LauncherArguments launcher;

  bool is_sweep() const { return saturation || !sweeps.empty(); }
};

/// The options of a run except threads and waveforms. Reads the files of TLS. InvalidArgument for mistakes in the
/// arguments.
absl::StatusOr<run::RunOptions> run_options(const RunArguments& arguments);

}  // namespace fabrictwin::cli::options
