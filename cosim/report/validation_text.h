// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A validation as text for people.
#pragma once

#include <string>

#include "fabrictwin/v1/validation.pb.h"

namespace fabrictwin {

/// Errors, their histogram, the worst messages, digests; and what was calibrated, if anything was.
std::string validation_text(const v1::ValidationReport& report);
/// The calibration alone.
std::string calibration_text(const v1::ModelCalibration& calibration);

}  // namespace fabrictwin
