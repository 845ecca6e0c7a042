// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Calibrated models beside the RTL that they were calibrated to.
#pragma once

#include <string>

#include "cosim/run/experiment.h"
#include "cosim/run/plan.h"

namespace fabrictwin {

/// The parameters of calibrated models that have other values than their RTL, with both: "router_gap 2 cycles (RTL:
/// 1)". Empty if there are none, or no calibration.
std::string calibrated_otherwise(const Experiment& experiment);

/// In what calibrated models of nodes differ from the RTL or boards in the same run: parameters that have other values
/// than the RTL, and those of links that are left out where a link goes from a model to something else, as both sides
/// must agree on it. One sentence that names them with their values; empty if there is nothing of the kind. See
/// docs/models/validation.md.
std::string mixed_calibration(const Experiment& experiment, const Plan& plan);

}  // namespace fabrictwin
