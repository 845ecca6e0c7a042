// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The host port of a node's logic: records of the processor become AXI transactions, and back.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cosim/base/clock.h"
#include "cosim/base/time.h"
#include "rtl/memory_port.h"
#include "rtl/node_model.h"
#include "rtl/register_access.h"
#include "rtl/router_config.h"

namespace fabrictwin {

/// A record acts at the first edge at or after its arrival; what a handshake sends leaves at its edge, an event at the
/// edge after the one that makes it. In each evaluated cycle: drive(), NodeModel::settle() if active(), sample(), the
/// edge, send_event().
class NodeHostPort {
 public:
  NodeHostPort(std::string element, const RouterPortConfig& port, Clock clock, const NodePins& pins);

  absl::Status take_records(Time until);
  /// The first edge at which something that has arrived acts; while busy() that may be later than what is under way.
  int64_t next_cycle() const {
    return std::min(registers_.busy() ? RegisterAccess::kNever : registers_.next_cycle(), memory_.next_cycle());
  }
  /// A register access is under way.
  bool busy() const { return registers_.busy(); }
  /// Outputs may follow inputs in this cycle.
  bool active() const { return registers_.active() || memory_.active(); }

  void drive(int64_t cycle);
  absl::Status sample(int64_t cycle);
  void send_event(int64_t cycle);

  /// What a register access waits for, or empty.
  std::string wait() const;

 private:
  absl::Status broken(Time time, const std::string& channel, const absl::Status& status) const;

  std::string element_;
  RouterPortConfig port_;
  Clock clock_;
  const NodePins& pins_;
  RegisterAccess registers_;
  MemoryPort memory_;
  std::vector<HostMessage> leaving_;
};

}  // namespace fabrictwin
