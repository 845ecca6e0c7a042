// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a sender remembers of a flow in IB CCA: docs/models/ib-cca.md.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cosim/base/time.h"

namespace fabrictwin::congestion {

/// The index into the table of gaps (CCTI), and its timer. Times are femtoseconds. Value type.
class CctIndex {
 public:
  static constexpr int64_t kNever = Time::never().fs();

  struct Bounds {
    int32_t increase = 0;  ///< What a notice adds.
    int32_t limit = 0;
    int32_t least = 0;  ///< Where it begins.
    int64_t timer = 0;  ///< It falls by one each so long, above zero.
  };

  explicit CctIndex(const Bounds& bounds) : bounds_(bounds), index_(bounds.least) {}

  int32_t index() const { return index_; }
  /// When the timer expires, or kNever. It runs from the first notice until the index is at its least.
  int64_t next_timer() const { return next_timer_; }

  /// A notice (BECN) has come.
  void notified(int64_t now) {
    raise();
    if (next_timer_ == kNever) next_timer_ = now + bounds_.timer;
  }
  /// The timer has expired.
  void timer(int64_t now) {
    fall();
    next_timer_ = index_ > bounds_.least ? now + bounds_.timer : kNever;
  }
  /// Lets the timer expire as often as it has by `now`.
  void advance(int64_t now) {
    while (next_timer_ <= now) timer(next_timer_);
  }

  // The steps by which the index changes.
  void raise() { index_ = std::min(index_ + bounds_.increase, bounds_.limit); }
  void fall() { index_ = std::max(index_ - 1, bounds_.least); }

 private:
  Bounds bounds_;
  int32_t index_;
  int64_t next_timer_ = kNever;
};

}  // namespace fabrictwin::congestion
