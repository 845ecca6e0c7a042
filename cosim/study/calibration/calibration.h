// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Fits the timing of the models of ExaNeSt nodes to their RTL.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/study/runner.h"
#include "fabrictwin/v1/validation.pb.h"

namespace fabrictwin::study::calibration {

/// Sends single messages of several sizes over several distances, on one blade with the clock, rates and latencies of
/// `experiment`, once through RTL; then searches for the parameters with which models take the same times. Errors:
/// InvalidArgument, a diagnostic, if the experiment has no ExaNeSt nodes; those of the runner.
absl::StatusOr<v1::ModelCalibration> calibrate(const experiment::Experiment& experiment, const Runner& runner,
                                               const RunToEndOptions& options);

/// The file that an experiment's field `calibration` names: parameters and errors, without the single probes.
std::string calibration_file(const v1::ModelCalibration& calibration);

}  // namespace fabrictwin::study::calibration
