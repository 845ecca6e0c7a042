// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>

#include "cosim/base/time.h"

namespace fabrictwin::engine {

/// How far a partition without inbound channels advances at a time. Nothing bounds it but its own events, and whoever
/// looks at it or wants the run to stop waits for the end of an advance: one of a microsecond takes a second in large
/// networks. Results do not depend on where advances end, so that their length may follow the clock. Not thread-safe.
class FreeAdvance {
 public:
  static constexpr Time kMost = Time::from_us(1);
  static constexpr Time kLeast = Time::from_ns(10);
  /// An advance that takes longer is followed by one of half the length, one that takes less than a quarter by one of
  /// twice the length.
  static constexpr std::chrono::milliseconds kLong{20};

  Time length() const { return length_; }
  /// The last advance had this length and took so long.
  void took(std::chrono::nanoseconds time) {
    if (time > kLong) length_ = std::max(Time::from_fs(length_.fs() / 2), kLeast);
    if (time < kLong / 4) length_ = std::min(length_ + length_, kMost);
  }

 private:
  Time length_ = kMost;
};

}  // namespace fabrictwin::engine
