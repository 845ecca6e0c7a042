// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs over IP: the ends of streams and pings.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cosim/base/time.h"
#include "models/host/ip/stack.h"
#include "workloads/ip/state.h"

namespace fabrictwin::ip {

/// One end of a flow. Its stack tells it what has happened, and when. Not thread-safe.
class Program {
 public:
  virtual ~Program() = default;

  /// Makes its first calls.
  virtual void begin() = 0;
  virtual void slept(Time /*now*/) {}
  virtual void sent() {}
  virtual void received(const host::ip::Datagram& /*datagram*/, Time /*now*/) {}
  /// A datagram for it found its socket full.
  virtual void dropped() {}
  /// The kernel has replied to an echo request of the flow.
  virtual void replied() {}

  /// True once it has sent and received all that it has to; remains so.
  virtual bool done() const = 0;
  /// What it waits for if it is not done: "for 3 of 20 replies from host 1".
  virtual std::string waits_for() const = 0;
};

/// The programs of a host, by flow: none for flows of others. `state` and `stack` outlive them.
std::vector<std::unique_ptr<Program>> programs_of(int32_t host, State& state, host::ip::Stack& stack);

}  // namespace fabrictwin::ip
