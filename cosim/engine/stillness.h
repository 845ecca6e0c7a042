// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// For how long nothing has moved.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace fabrictwin::engine {

/// Adds up the time in which a counter of activity stands. Time in which nobody looked does not count beyond
/// kMostBetween: a process that was stopped, or a machine that was suspended, has not hung. Used by one thread.
class Stillness {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  /// Those who wait look at least this often, unless they do not get to run.
  static constexpr std::chrono::milliseconds kMostBetween{1000};

  explicit Stillness(TimePoint now) : last_look_(now) {}

  /// Takes a look, and says for how long nothing has moved.
  std::chrono::nanoseconds look(uint64_t activity, TimePoint now) {
    still_ = activity != seen_ ? std::chrono::nanoseconds(0)
                               : still_ + std::min<std::chrono::nanoseconds>(now - last_look_, kMostBetween);
    seen_ = activity;
    last_look_ = now;
    return still_;
  }

 private:
  uint64_t seen_ = 0;
  TimePoint last_look_;
  std::chrono::nanoseconds still_{0};
};

}  // namespace fabrictwin::engine
