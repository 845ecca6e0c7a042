// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The credits that a network interface has for a link of words.
#pragma once

#include <cstdint>
#include <deque>

#include "cosim/base/time.h"

namespace fabrictwin::nic {

/// Free words in the neighbour's buffer of a VC. Credits that are under way count from their arrival. Not thread-safe.
class CreditCounter {
 public:
  /// All `words` of the buffer are free.
  explicit CreditCounter(int32_t words = 0) : free_(words) {}

  /// `count` credits arrive at `time`, not before the previous ones.
  void add(Time time, int32_t count) { coming_.push_back({time, count}); }
  /// Adds those that have come by `now`.
  void collect(Time now) {
    for (; !coming_.empty() && coming_.front().time <= now; coming_.pop_front()) free_ += coming_.front().count;
  }
  /// Uses credits that are there.
  void take(int32_t count) { free_ -= count; }

  int32_t free() const { return free_; }
  /// When the next ones come; never() if none are under way.
  Time next() const { return coming_.empty() ? Time::never() : coming_.front().time; }

 private:
  struct Coming {
    Time time;
    int32_t count = 0;
  };

  int32_t free_;
  std::deque<Coming> coming_;
};

}  // namespace fabrictwin::nic
