// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Counters that hot loops touch: plain integers with one writer that any thread may read.
#pragma once

#include <atomic>
#include <cstdint>

namespace fabrictwin::link {

/// A monotonic counter with one writing thread at a time and any number of readers. It is as cheap as a plain integer.
class Counter {
 public:
  void add(uint64_t amount) {
    value_.store(value_.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }
  void set(uint64_t value) { value_.store(value, std::memory_order_relaxed); }
  uint64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_{0};
};

/// What a router or network interface counts for each direction of a link that it sends on.
struct LinkCounters {
  Counter words;                ///< Words put on the wire, headers and footers included.
  Counter packets;              ///< Packets whose footer was put on the wire.
  Counter credit_stall_cycles;  ///< Sender clock cycles in which a routed packet waited only for credits.
};

}  // namespace fabrictwin::link
