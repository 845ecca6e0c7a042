// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One flow: data that a host sends to another one.
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/base/last_time.h"
#include "cosim/base/time.h"

namespace fabrictwin::flows {

/// A flow. Plain value.
struct Flow {
  int32_t source = 0;  ///< Hosts.
  int32_t destination = 0;
  uint64_t bytes = 0;  ///< 0: it sends until `stop`, or without end.
  Time start;
  Time stop = Time::never();  ///< It sends nothing from this time on.
  bool repeats = false;       ///< It is in the background: its source starts anew when all of its flows have ended.
};

using FlowList = std::vector<Flow>;

/// The most bytes of a flow.
inline constexpr uint64_t kMaxFlowBytes = uint64_t{1} << 40;
/// The end of simulated time, before which flows start.
inline constexpr double kLatestSeconds = static_cast<double>(kLastTime.fs()) / 1e15;
/// The most flows of a run.
inline constexpr int64_t kMostFlows = 10'000'000;

}  // namespace fabrictwin::flows
