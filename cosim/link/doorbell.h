// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Lets an idle process sleep until a producer, in this or another process, has something for it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace fabrictwin::link {

/// A futex word that may lie in shared memory; zeroed memory is a valid doorbell. All calls are thread-safe.
///
///   const uint32_t ticket = bell.prepare();
///   if (nothing_to_do()) bell.sleep(ticket, 100ms);   // returns at once if somebody rang since prepare()
///   bell.done();
class Doorbell {
 public:
  /// Wakes all sleepers; costs only a fence and a load if there are none. Call it after the data has become visible.
  void ring() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (sleepers_.load(std::memory_order_relaxed) != 0) wake();
  }

  uint32_t prepare() {
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    return sequence_.load(std::memory_order_seq_cst);
  }
  void sleep(uint32_t ticket, std::chrono::nanoseconds at_most);
  void done() { sleepers_.fetch_sub(1, std::memory_order_seq_cst); }

 private:
  void wake();
  alignas(64) std::atomic<uint32_t> sequence_{0};
  std::atomic<uint32_t> sleepers_{0};
};

}  // namespace fabrictwin::link
