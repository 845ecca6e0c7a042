// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One of the Verilated tops of the self-test, whichever it is.
#pragma once

#include <cstdint>
#include <memory>

namespace fabrictwin::rtl::karma {

/// The tops of rtl/karma: an APErouter alone, one APElink, a row of three nodes.
enum class TopKind { kRouter, kLink, kNode };

/// What the hardware is told; see karma_router_top.sv.
struct Pins {
  bool reset = false;
  bool clear = false;
  bool start = false;
  uint8_t senders = 1;  ///< Bit by sender.
  uint32_t packets = 0;
  bool ping = false;
  uint8_t pattern = 2;
  uint16_t payload_bytes = 0;
  uint8_t hops = 0;
  uint32_t error_rate = 0;  ///< Chance of a wrong bit in 64, times 2^32.
};

/// This has the fields of karma_pkg::result_t.
struct Counts {
  uint32_t begun = 0;
  uint32_t packets = 0;
  uint32_t errors = 0;
  uint64_t bytes = 0;
  uint32_t cycles = 0;
  uint32_t latency_min = 0;
  uint32_t latency_max = 0;
  uint64_t latency_sum = 0;
};

/// A Verilated top. Used by one thread.
class Top {
 public:
  static std::unique_ptr<Top> create(TopKind kind);
  virtual ~Top() = default;

  /// One rising edge of the clock with these inputs.
  virtual void edge(const Pins& pins) = 0;
  /// What the consumer, and sender 0's own consumer of answers, have counted.
  virtual Counts sink() const = 0;
  virtual Counts echo() const = 0;
  /// A generator has packets to send.
  virtual bool busy() const = 0;
};

}  // namespace fabrictwin::rtl::karma
