// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The file that the field `calibration` of an experiment names.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "cosim/run/experiment.h"
#include "cosim/run/field_checker.h"
#include "fabrictwin/v1/validation.pb.h"

namespace fabrictwin {

/// Reads the calibration that `experiment.message` names, if it does. `check_files` is false where the file need not
/// exist (in a worker, which has no models that it would be for).
void check_calibration(Experiment& experiment, bool check_files, FieldChecker& fields);

/// Parses a calibration in protobuf text format; `file` names it in errors (InvalidArgument), which are diagnostics
/// with their places: syntax, parameters without a name or given twice, values that are negative or absurd.
absl::StatusOr<v1::ModelCalibration> parse_calibration(std::string_view text, const std::string& file);

}  // namespace fabrictwin
