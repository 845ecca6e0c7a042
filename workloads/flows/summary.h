// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a report says of flows.
#pragma once

#include "cosim/base/time.h"
#include "fabrictwin/v1/report.pb.h"
#include "workloads/flows/process.h"

namespace fabrictwin::flows {

/// Fills `flows` and `flow_summary`. Flows that have not ended count up to `end`.
void report_flows(const State& state, Time end, v1::Report& report);

}  // namespace fabrictwin::flows
