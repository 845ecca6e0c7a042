// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The arguments of `fabrictwin run`, for single runs and sweeps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/cli/support/exit_code.h"
#include "cosim/cli/support/metrics_option.h"
#include "cosim/cli/support/record_option.h"
#include "cosim/cli/support/security_options.h"
#include "cosim/experiment/input.h"
#include "cosim/run/run.h"

namespace fabrictwin::cli::support {

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
  int jobs = 1;

  bool is_sweep() const { return saturation || !sweeps.empty(); }
};

/// The options of a run except threads and waveforms. Reads the files of TLS. InvalidArgument for mistakes in the
/// arguments.
absl::StatusOr<run::RunOptions> run_options(const RunArguments& arguments);

}  // namespace fabrictwin::cli::support
