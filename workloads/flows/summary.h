// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a report says of flows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "cosim/base/time.h"
#include "fabrictwin/v1/report.pb.h"
#include "workloads/flows/process.h"

namespace fabrictwin::flows {

/// Bounds of the bins of sizes, in bytes: above one, up to the next.
inline constexpr std::array<uint64_t, 6> kSizeBounds{0,         10'000,     100'000,
                                                     1'000'000, 10'000'000, std::numeric_limits<uint64_t>::max()};

/// When the flow ended, as far as its source (with a transport) or its destination knows; never if it has not.
Time end_of(const State& state, size_t flow);
/// By how much later than its start the flow had begun that ended then.
Time shift_of(const State& state, size_t flow);

/// Fills `flows` and `flow_summary`. Flows that have not ended count up to `end`.
void report_flows(const State& state, Time end, v1::Report& report);

}  // namespace fabrictwin::flows
