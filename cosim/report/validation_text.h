// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A validation as text for people.
#pragma once

#include <string>

#include "fabrictwin/v1/validation.pb.h"

namespace fabrictwin::report {

/// The validation as text: errors, their histogram, the worst messages, digests, and the calibration, if there is one.
std::string validation_text(const v1::ValidationReport& report);
/// The calibration alone as text.
std::string calibration_text(const v1::ModelCalibration& calibration);

}  // namespace fabrictwin::report
