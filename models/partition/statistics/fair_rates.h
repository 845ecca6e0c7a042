// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// When flows of a report were there, and what they could have had.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::partition::statistics {

/// When a flow starts, and when the last of it arrives, in seconds: not after its start if nothing has arrived.
struct FlowLife {
  double start = 0;
  double end = 0;
};
std::vector<FlowLife> flow_lives(const v1::Report& report);

/// The max-min fair rates of the flows of a report, as if all of them were there all the time. Flows of one path of
/// which each starts when the one before has ended, as the rounds of an incast, are one flow in this, and each of them
/// has its rate. `capacities` are by output, `paths` the outputs of each flow.
std::vector<double> fair_rates(std::span<const double> capacities, std::span<const std::vector<uint32_t>> paths,
                               const v1::Report& report);

}  // namespace fabrictwin::partition::statistics
