// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A sweep: an experiment that is run many times with different settings.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/experiment/tenants.h"
#include "cosim/study/point/outcome.h"
#include "cosim/study/sweep/result.h"

namespace fabrictwin::study::sweep {

/// The functions of the surrounding program that a sweep uses.
struct Parts {
  /// Checks the plan and the workload of a loaded experiment.
  std::function<absl::Status(const experiment::Experiment&)> check;
  /// Runs an experiment; Cancelled after a stop request. Called by several threads if there are several jobs.
  std::function<absl::StatusOr<v1::Report>(const experiment::Experiment&, std::stop_token)> run;
  experiment::Tenants tenants;  ///< What experiments can name.
};

struct Request {
  std::string file;
  experiment::Overrides overrides;
  std::vector<std::string> sweeps;  ///< The arguments of --sweep.
  std::optional<double> precision;  ///< If set, each point is a search for saturation with this precision of the load.
  int jobs = 1;
};

/// A sweep: create() finds all mistakes, run() does the work. The result does not depend on the number of jobs.
class Sweep {
 public:
  /// Loads and checks the experiments of all points. If one of them is wrong, the error is InvalidArgument, or that of
  /// loading or `parts.check`, and nothing is run.
  static absl::StatusOr<Sweep> create(const Request& request, Parts parts);

  /// Runs all points, at most request.jobs at a time. A point that fails is kept with its error; one that a stop
  /// request ends counts as not begun. `ended` is called, from any thread, with the number of each point that has
  /// ended.
  void run(const std::stop_token& stop, const std::function<void(size_t)>& ended);

  /// The experiment of each point, for whoever runs them elsewhere.
  const std::vector<experiment::Experiment>& experiments() const { return experiments_; }
  /// Keeps the outcome of a point that was run elsewhere, without lists in its reports. Cancelled: it counts as not
  /// begun. Several threads may take different points.
  void take(size_t index, point::Outcome outcome);

  const Result& result() const { return result_; }

 private:
  Sweep(Parts parts, int jobs) : parts_(std::move(parts)), jobs_(jobs) {}
  absl::Status load(const Request& request);
  absl::Status check_points() const;
  absl::Status check_set_of_load(const Request& request) const;
  point::Outcome run_point(size_t index, const std::stop_token& stop) const;

  Parts parts_;
  int jobs_;
  std::vector<experiment::Experiment> experiments_;  ///< One for each point.
  Result result_;
};

}  // namespace fabrictwin::study::sweep
