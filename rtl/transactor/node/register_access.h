// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Register accesses of a host port on the AXI slaves of a node's logic.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "cosim/base/fifo.h"
#include "cosim/link/host_message.h"
#include "rtl/transactor/node/model.h"

namespace fabrictwin::rtl::node {

/// Makes one access at a time, in order, whatever the region. An access that no bus can make (an absent region, more
/// bytes than the bus has, an address outside) is answered with DECERR. Within a cycle, call drive(), settle if
/// active(), sample(), the edge.
class RegisterAccess {
 public:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  explicit RegisterAccess(const Pins& pins) : pins_(pins) {}

  /// Queues an access that may begin at the edge `cycle`; cycles increase from call to call.
  void add(int64_t cycle, const link::HostMessage& access) { waiting_.push_back({cycle, access}); }
  /// The edge at which the next access begins if none is in progress, or kNever.
  int64_t next_cycle() const { return waiting_.empty() ? kNever : waiting_.front().cycle; }
  bool busy() const { return current_.has_value(); }
  /// Whether the pins of a bus are not idle.
  bool active() const { return busy() || used_ != nullptr; }

  void drive(int64_t cycle);
  /// The response that is taken at the edge, if there is one.
  std::optional<link::HostMessage> sample();

  /// The access in progress, "a write of kRdma 0x40"; call it only while busy().
  std::string describe() const;

 private:
  struct Waiting {
    int64_t cycle = 0;
    link::HostMessage access;
  };
  const RegisterBusPins& bus() const { return pins_.registers[static_cast<size_t>(current_->region)]; }
  bool is_write() const { return current_->operation == link::HostOperation::kRegisterWrite; }
  bool possible() const;

  const Pins& pins_;
  Fifo<Waiting> waiting_;
  std::optional<link::HostMessage> current_;
  const RegisterBusPins* used_ = nullptr;  ///< Bus whose pins have not been idle since the last access.
  bool impossible_ = false;
  bool address_taken_ = false;
  bool data_taken_ = false;
};

}  // namespace fabrictwin::rtl::node
