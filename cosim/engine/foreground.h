// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What partitions tell each other of the work that a run waits for, where nothing may happen after its end.
#pragma once

#include <cstdint>

#include "cosim/base/time.h"

namespace fabrictwin::engine {

/// The foreground work of one partition. Where what happens after it would show (work in the background, or answers of
/// network interfaces), a run ends with the last of its foreground work, which only the partition that has it knows. So
/// each partition tells before what time the run does not end: while its foreground work goes on the time that it has
/// reached, afterwards its end. A partition whose own foreground work is over advances no further than the greatest of
/// these times, and all partitions end at the same time (docs/decisions/end-of-background.md).
struct Foreground {
  enum class State : uint8_t {
    kUnknown,  ///< The partition has told nothing yet.
    kRuns,
    kWaits,  ///< All of it waits for messages, and does nothing without one.
    kOver,   ///< It is over, or there is none.
  };

  State state = State::kUnknown;
  /// Only with kOver: the run does not end before this time because of the partition. Zero if there is none.
  Time end;
  // For the search for deadlocks, which work in the background would hide.
  uint64_t moves = 0;     ///< Messages of foreground work that this partition has sent or received.
  int64_t under_way = 0;  ///< Sent less received; over all partitions the messages that have not arrived.

  friend bool operator==(const Foreground&, const Foreground&) = default;
};

}  // namespace fabrictwin::engine
