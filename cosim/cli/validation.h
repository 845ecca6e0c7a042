// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Pairs of runs of one experiment, with models and with what they are models of.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/cli/experiment_options.h"
#include "cosim/run/experiment.h"
#include "cosim/run/message_log.h"
#include "cosim/run/registry.h"
#include "fabrictwin/v1/report.pb.h"
#include "fabrictwin/v1/validation.pb.h"

namespace fabrictwin {

/// How runs of a validation are done.
struct ValidationRunOptions {
  int threads = 0;  ///< 0: chosen.
  std::chrono::milliseconds watchdog{30'000};
  bool quiet = false;  ///< No progress.
};

/// The experiment without its rules: everything is a model in this process.
Experiment with_models_only(Experiment experiment);

/// Reads the reference experiment. If neither the file nor --use asks for RTL or a board, all logic becomes RTL. Errors
/// are diagnostics: of the experiment itself, and routers of which there is no RTL.
absl::StatusOr<Experiment> load_reference(const ExperimentOptions& options);

/// Runs an experiment to its end and records its messages in `log`. Cancelled if the user interrupts; InvalidArgument
/// if the experiment is to blame for a failure.
absl::StatusOr<v1::Report> run_recorded(const Experiment& experiment, const Registry& registry,
                                        const ValidationRunOptions& options, MessageLog& log);

/// What pairs of runs gave.
struct Validation {
  v1::ValidationReport report;
  bool complete = true;  ///< All runs came to the end of their workload.
};

/// Runs `runs` pairs with the seeds from that of the experiment on, and fills in all but version, tolerance and
/// calibration. At most `limit` messages of each run are compared; the `worst` are named.
absl::StatusOr<Validation> validate(const ExperimentOptions& experiment, const ValidationRunOptions& options, int runs,
                                    size_t limit, size_t worst);

}  // namespace fabrictwin
