// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A study whose runs are tasks of Slurm, for commands.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>
#include <string>

#include "absl/status/status.h"
#include "cosim/cli/options/run_arguments.h"
#include "cosim/cli/slurm/launcher.h"
#include "cosim/cli/slurm/study_file.h"
#include "cosim/experiment/experiment.h"
#include "cosim/run/metrics/study_metrics.h"

namespace fabrictwin::cli::slurm {

/// What a command wants to be run.
struct StudyRequest {
  std::span<const experiment::Experiment> experiments;  ///< One for each point.
  std::function<std::string(size_t)> name;              ///< The name of a point, for people.
  TaskSettings settings;                                ///< The working directory is filled in.
  std::string out;                                      ///< The folder of the results, or empty.
  std::string fallback;  ///< The name of the folder of tasks if neither that nor --slurm-dir is given.
};

/// Runs all points by Slurm, counts them in `metrics` (which may be null), and gives their outcomes to `ended`; see
/// Launcher::run(). `arguments` must have passed check_launcher(). An error means that the user has to change
/// something, or that Slurm does not answer; unless results were there before, nothing is left of the attempt.
absl::Status run_by_slurm(const StudyRequest& request, const options::LauncherArguments& arguments,
                          const std::stop_token& stop, run::metrics::StudyMetrics* metrics,
                          const Launcher::Ended& ended);

}  // namespace fabrictwin::cli::slurm
