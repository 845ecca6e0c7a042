// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The option --metrics-file of a run.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "cosim/cli/support/exit_code.h"
#include "cosim/experiment/experiment.h"
#include "cosim/run/metrics/run_metrics.h"
#include "cosim/run/run.h"
#include "cosim/system/plan.h"
#include "dashboards/metrics/metrics_file.h"

namespace fabrictwin::cli::options {

/// A file with the metrics of a run over simulated time; none if no file was named.
class MetricsFileOption {
 public:
  explicit MetricsFileOption(std::string file) : file_(std::move(file)) {}

  static void add_to(CLI::App& command, std::string& file);
  /// InvalidArgument if the file cannot be written, also into `out`, the folder of --out, which is made before; to be
  /// asked before there is something to write.
  static absl::Status check(const std::string& file, const std::string& out);
  /// Begins with the samples of a run that begins now. They are those of `run::RunOptions::metrics`; null if no file
  /// was named.
  run::MetricSampler* begin(const experiment::Experiment& experiment, const system::Plan& plan,
                            const run::metrics::SeriesSelection& series);
  /// Writes the file of a run that has ended, complete or not, with which the command ends with `code`. No other thread
  /// may sample the run meanwhile.
  absl::Status write(const run::Run& run, support::ExitCode code);

 private:
  std::string file_;
  std::unique_ptr<dashboards::metrics::MetricsFile> samples_;
};

}  // namespace fabrictwin::cli::options
