// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The interrupt of the mailbox: when the network interface asks for the processor.
#pragma once

#include <cstdint>
#include <optional>

#include "cosim/base/time.h"

namespace fabrictwin::nic::exanet {

/// How a driver uses the interrupt. An interrupt waits for `messages` or `delay`, whichever is first.
struct InterruptSettings {
  Time latency;          ///< From the interrupt at the processor until its driver looks.
  int32_t messages = 0;  ///< Up to kMostMessages; 0: an interrupt does not wait for a number of them.
  int32_t delay = 0;     ///< Cycles of the network interface, up to kMostDelay.

  static constexpr int32_t kMostMessages = 0xffff;
  static constexpr int32_t kMostDelay = 0xffffff;
};

/// rtl/ni/ni_interrupts.sv, bit by bit and cycle by cycle, evaluated only where something happens. An edge is the
/// number of a clock edge; calls come in the order of their edges. Not thread-safe.
class Interrupts {
 public:
  /// Bit i of `enabled`: interface i interrupts.
  Interrupts(const InterruptSettings& settings, uint64_t enabled) : settings_(settings), enabled_(enabled) {}

  /// An entry has been added to the mailbox of `interface`, at most one at an edge.
  void event(int64_t edge, int32_t interface);
  /// The processor writes what it has seen: clears these bits and takes the request back.
  void clear(int64_t edge, uint64_t bits);
  /// By interface: entries have been added that the processor has not seen.
  uint64_t pending() const { return pending_; }
  /// The edge from which the request is asserted, if nothing else happens; none if nothing is pending that is enabled.
  std::optional<int64_t> raised() const;

 private:
  bool armed() const { return (pending_ & enabled_) != 0; }

  InterruptSettings settings_;
  uint64_t enabled_;
  uint64_t pending_ = 0;
  int64_t start_ = 0;              ///< Edge from which the delay counts.
  int32_t events_ = 0;             ///< Since then, that one included.
  std::optional<int64_t> enough_;  ///< Edge at which there were enough of them.
  int64_t last_event_ = -1;        ///< Edge of the newest event,
  int32_t last_interface_ = 0;     ///< and its interface.
};

}  // namespace fabrictwin::nic::exanet
