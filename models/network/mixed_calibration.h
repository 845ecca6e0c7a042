// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Describes calibrated models that run together with the RTL to which they were calibrated.
#pragma once

#include <string>

#include "cosim/experiment/experiment.h"
#include "cosim/system/plan.h"

namespace fabrictwin::network {

/// The parameters of calibrated models whose values differ from their RTL, with both: "router_gap 2 cycles (RTL: 1)".
/// Empty if there are none, or no calibration.
std::string calibrated_otherwise(const experiment::Experiment& experiment);

/// How calibrated models of nodes differ from the RTL or boards in the same run: parameters with other values than the
/// RTL, and parameters of links that are ignored where a link leads from a model to something else, as both sides must
/// agree on it. One sentence with names and values; empty if there is no difference. See docs/models/validation.md.
std::string mixed_calibration(const experiment::Experiment& experiment, const system::Plan& plan);

}  // namespace fabrictwin::network
