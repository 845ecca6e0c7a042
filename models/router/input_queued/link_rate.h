// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// When a link that is slower than its router's clock can take the next flit.
#pragma once

#include <algorithm>
#include <cstdint>

namespace fabrictwin::router::input_queued {

/// A rate of one flit every `cycles` / `per` router cycles, at least 1; kept as a fraction so that it never drifts.
/// Value type.
class LinkRate {
 public:
  LinkRate() = default;
  /// Requires cycles >= per >= 1.
  LinkRate(int64_t cycles, int64_t per) : cycles_(cycles), per_(per) {}

  bool slow() const { return cycles_ > per_; }
  /// The first cycle, not before `cycle`, in which a flit may leave.
  int64_t start(int64_t cycle) const { return std::max(cycle, next_ + (part_ > 0 ? 1 : 0)); }
  /// Records that a flit leaves in `cycle`, which must be start().
  void take(int64_t cycle) {
    if (cycle > next_ + (part_ > 0 ? 1 : 0)) {
      next_ = cycle;
      part_ = 0;
    }
    next_ += cycles_ / per_;
    part_ += cycles_ % per_;
    if (part_ >= per_) {
      part_ -= per_;
      ++next_;
    }
  }
  /// Cycles that a flit occupies the link, rounded up.
  int64_t cycles() const { return cycles(1); }
  /// Cycles that so many flits occupy the link, rounded up.
  int64_t cycles(int64_t flits) const { return (flits * cycles_ + per_ - 1) / per_; }

 private:
  int64_t cycles_ = 1;
  int64_t per_ = 1;
  int64_t next_ = 0;  ///< The link is free at next_ + part_ / per_.
  int64_t part_ = 0;
};

}  // namespace fabrictwin::router::input_queued
