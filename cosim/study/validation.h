// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Pairs of runs of one experiment, with models and with what they are models of.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/cli/experiment_options.h"
#include "cosim/cli/run_to_end.h"
#include "cosim/run/experiment.h"
#include "fabrictwin/v1/report.pb.h"
#include "fabrictwin/v1/validation.pb.h"

namespace fabrictwin {

/// The experiment without its rules: everything is a model in this process.
Experiment with_models_only(Experiment experiment);

/// Reads the reference experiment. If neither the file nor --use asks for RTL or a board, all logic becomes RTL. Errors
/// are diagnostics: of the experiment itself, and routers of which there is no RTL.
absl::StatusOr<Experiment> load_reference(const ExperimentOptions& options);

/// What pairs of runs gave.
struct Validation {
  v1::ValidationReport report;
  bool complete = true;  ///< All runs came to the end of their workload.
};

/// Runs `runs` pairs with the seeds from that of the experiment on, and fills in all but version, tolerance and
/// calibration. At most `limit` messages of each run are compared; the `worst` are named.
absl::StatusOr<Validation> validate(const ExperimentOptions& experiment, const RunToEndOptions& options, int runs,
                                    size_t limit, size_t worst);

}  // namespace fabrictwin
