// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The file that the field `calibration` of an experiment names.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "cosim/experiment/check/field_checker.h"
#include "cosim/experiment/experiment.h"
#include "fabrictwin/v1/validation.pb.h"

namespace fabrictwin::experiment {

/// Reads the calibration file, if `experiment.message` names one. `check_files` is false if the file need not exist (in
/// a worker, which has no models that use it).
void check_calibration(Experiment& experiment, bool check_files, FieldChecker& fields);

/// Parses a calibration in protobuf text format; `file` names it in errors (InvalidArgument), which are diagnostics
/// with their source locations: syntax, parameters without a name or given twice, values that are negative or absurd.
absl::StatusOr<v1::ModelCalibration> parse_calibration(std::string_view text, const std::string& file);

}  // namespace fabrictwin::experiment
