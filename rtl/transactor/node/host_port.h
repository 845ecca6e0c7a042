// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The host port of a node's logic: converts the processor's records to AXI transactions, and back.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cosim/base/clock.h"
#include "cosim/base/time.h"
#include "rtl/transactor/node/memory_port.h"
#include "rtl/transactor/node/model.h"
#include "rtl/transactor/node/register_access.h"
#include "rtl/transactor/router/config.h"

namespace fabrictwin::rtl::node {

/// A record takes effect at the first edge at or after its arrival; what a handshake sends leaves at its edge, an event
/// or interrupt at the edge after the one that raises it. In each evaluated cycle, call drive(), Model::settle() if
/// active(), sample(), the edge, send_events().
class HostPort {
 public:
  HostPort(std::string element, const router::PortConfig& port, Clock clock, const Pins& pins);

  absl::Status take_records(Time until);
  /// The first edge at which an arrival takes effect; while busy(), that may be later than the access in progress.
  int64_t next_cycle() const {
    return std::min(registers_.busy() ? RegisterAccess::kNever : registers_.next_cycle(), memory_.next_cycle());
  }
  /// Whether a register access is in progress.
  bool busy() const { return registers_.busy(); }
  /// Whether outputs may depend on inputs in this cycle.
  bool active() const { return registers_.active() || memory_.active(); }

  void drive(int64_t cycle);
  absl::Status sample(int64_t cycle);
  /// Tells of what the edge of `cycle` has raised: an event, the interrupt.
  void send_events(int64_t cycle);

  /// What a register access waits for; empty if there is none.
  std::string wait() const;

 private:
  absl::Status broken(Time time, const std::string& channel, const absl::Status& status) const;

  std::string element_;
  router::PortConfig port_;
  Clock clock_;
  const Pins& pins_;
  RegisterAccess registers_;
  MemoryPort memory_;
  std::vector<link::HostMessage> leaving_;
  bool interrupt_ = false;  ///< The interrupt was asserted after the last edge.
};

}  // namespace fabrictwin::rtl::node
