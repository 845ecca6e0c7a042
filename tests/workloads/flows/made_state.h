// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Flows of which is said what became of them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cosim/base/time.h"
#include "workloads/flows/process.h"

namespace fabrictwin {

/// A flow, and what became of it.
struct FlowCase {
  uint64_t bytes = 1000;
  Time start;
  Time arrived = Time::never();
  Time acknowledged = Time::never();
  Time alone;
  uint64_t received = 0;
  Time stop = Time::never();
};

/// A flow whose source learns after so many microseconds that all has arrived, which would take one in an empty
/// network.
inline FlowCase acknowledged_after(int64_t us, uint64_t bytes = 1000) {
  FlowCase flow;
  flow.bytes = flow.received = bytes;
  flow.arrived = flow.acknowledged = Time::from_us(us);
  flow.alone = Time::from_us(1);
  return flow;
}

/// Each flow goes from the host with its number to the next one.
inline std::unique_ptr<flows::State> state_of(const std::vector<FlowCase>& list, bool transport = true) {
  auto state = std::make_unique<flows::State>();
  state->transport = transport;
  for (const FlowCase& one : list) {
    flows::Flow flow;
    flow.source = static_cast<int32_t>(state->flows.size());
    flow.destination = flow.source + 1;
    flow.bytes = one.bytes;
    flow.start = one.start;
    flow.stop = one.stop;
    state->flows.push_back(flow);
    flows::Outcome outcome;
    outcome.arrived = one.arrived;
    outcome.acknowledged = one.acknowledged;
    outcome.alone = one.alone;
    state->outcomes.push_back(outcome);
    state->bytes.push_back(one.received);
  }
  return state;
}

}  // namespace fabrictwin
