// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// An experiment that is run many times, each time a little different.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/cli/sweep_result.h"
#include "cosim/run/experiment.h"

namespace fabrictwin {

/// What a sweep takes from the program around it.
struct SweepParts {
  /// What is wrong with an experiment that has been loaded: its plan, its workload.
  std::function<absl::Status(const Experiment&)> check;
  /// Runs an experiment; Cancelled after a stop request. Called by several threads if there are several jobs.
  std::function<absl::StatusOr<v1::Report>(const Experiment&, std::stop_token)> run;
};

struct SweepRequest {
  std::string file;
  Overrides overrides;
  std::vector<std::string> sweeps;  ///< Arguments of --sweep.
  std::optional<double> precision;  ///< A search for saturation at each point, with loads so far apart.
  int jobs = 1;
};

/// A sweep: create() finds all mistakes, run() does the work. The result does not depend on the number of jobs.
class Sweep {
 public:
  /// Loads and checks the experiments of all points. InvalidArgument (or what loading and `parts.check` say) if one of
  /// them is wrong: then nothing is run.
  static absl::StatusOr<Sweep> create(const SweepRequest& request, SweepParts parts);

  /// Runs all points, at most request.jobs at a time. A point that fails is kept with its error; one that a stop
  /// request ends is as if it had not begun. `ended` is told the number of each point that has ended, by any thread.
  void run(const std::stop_token& stop, const std::function<void(size_t)>& ended);

  const SweepResult& result() const { return result_; }

 private:
  Sweep(SweepParts parts, int jobs) : parts_(std::move(parts)), jobs_(jobs) {}
  absl::Status load(const SweepRequest& request);
  absl::Status check_points() const;
  absl::Status check_set_of_load(const SweepRequest& request) const;
  absl::Status run_point(size_t index, const std::stop_token& stop);

  SweepParts parts_;
  int jobs_;
  std::vector<Experiment> experiments_;  ///< By point.
  SweepResult result_;
};

}  // namespace fabrictwin
