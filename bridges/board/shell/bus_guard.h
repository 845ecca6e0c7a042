// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Windows whose memory goes away while they are mapped.
#pragma once

#include <cstddef>

namespace fabrictwin::bridges::board::shell {

/// Lets a mapping read all ones, as the bus of a card without an answer does, from the first access on that fails: its
/// file was cut off, or the device behind it was switched off. Without it SIGBUS would end the process. All of the
/// mapping changes at once, so no thread sees a half of it, and what is written to it later goes nowhere. As long as
/// there are guards the process has a handler of SIGBUS; a signal that is about no guarded mapping is passed on to what
/// handled it before. At most kMostGuards at a time guard anything. Thread-safe.
class BusGuard {
 public:
  static constexpr size_t kMostGuards = 64;

  /// `mapping` begins at a page and stays mapped as long as this lives.
  BusGuard(void* mapping, size_t bytes);
  ~BusGuard();
  BusGuard(const BusGuard&) = delete;
  BusGuard& operator=(const BusGuard&) = delete;

 private:
  size_t slot_;  ///< In the table of the handler; kMostGuards if it was full.
};

}  // namespace fabrictwin::bridges::board::shell
