// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Validation: pairs of runs of one experiment, with models and with the RTL or board that they model, and with coarser
// routers and with those of words.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/experiment/input.h"
#include "cosim/experiment/tenants.h"
#include "cosim/study/runner.h"
#include "fabrictwin/v1/report.pb.h"
#include "fabrictwin/v1/validation.pb.h"

namespace fabrictwin::study::calibration {

/// The experiment without its `use` rules, so that everything is a model in this process.
experiment::Experiment with_models_only(experiment::Experiment experiment);

/// Reads the reference experiment. If neither the file nor --use asks for RTL or a board, all logic becomes RTL. Errors
/// are diagnostics of the experiment itself or of routers that have no RTL.
absl::StatusOr<experiment::Experiment> load_reference(const experiment::Input& options,
                                                      const experiment::Tenants& tenants);

/// The hosts beside routers of words, by their numbers, in an experiment whose rules make other routers coarser, with
/// models instead of RTL and boards. Empty if there are none of either kind.
absl::StatusOr<std::vector<bool>> island_hosts(const experiment::Input& experiment, const Runner& runner);

/// The result of pairs of runs.
struct Validation {
  v1::ValidationReport report;
  bool complete = true;      ///< True if all runs completed their workload.
  bool interrupted = false;  ///< True if the user interrupted a run; only the pairs before are in the report.
};

/// Runs `runs` pairs with the seeds from that of the experiment on: the reference, and models, whose rules keep their
/// depths. Where there are island_hosts(), a third run has models without depths, and the report says what these change
/// for messages of the island. Fills in all but version, tolerances and calibration. At most `limit` messages of each
/// run are compared; the `worst` are named. Cancelled if the user interrupts before there is a pair.
absl::StatusOr<Validation> validate(const experiment::Input& experiment, const Runner& runner,
                                    const RunToEndOptions& options, int runs, size_t limit, size_t worst);

}  // namespace fabrictwin::study::calibration
