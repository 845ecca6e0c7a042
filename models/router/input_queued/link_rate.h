// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// When a link that is slower than its router's clock can take the next flit.
#pragma once

#include <algorithm>
#include <cstdint>

namespace fabrictwin::router::input_queued {

/// A rate of one flit every `cycles` / `per` router cycles, at least 1; kept as a fraction so that it never drifts. A
/// flit leaves as soon as the link is free or, with slots, when the next slot begins: slot k at k * cycles / per. Value
/// type.
class LinkRate {
 public:
  LinkRate() = default;
  /// Requires cycles >= per >= 1.
  LinkRate(int64_t cycles, int64_t per) : cycles_(cycles), per_(per) {}

  /// This rate with slots. A flit that leaves in a cycle is on the link `ahead` cycles later.
  LinkRate with_slots(int32_t ahead) const {
    LinkRate rate = *this;
    rate.ahead_ = ahead;
    return rate;
  }

  bool slow() const { return cycles_ > per_; }
  bool has_slots() const { return ahead_ >= 0; }
  /// The first cycle, not before `cycle`, in which a flit may leave.
  int64_t start(int64_t cycle) const {
    if (has_slots()) return begin_of(std::max(slot_at(cycle + ahead_), next_));
    return std::max(cycle, next_ + (part_ > 0 ? 1 : 0));
  }
  /// Records that a flit leaves in `cycle`, which must be start().
  void take(int64_t cycle) {
    if (has_slots()) {
      next_ = last_slot(cycle + ahead_) + 1;
      return;
    }
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
  static int64_t rounded_up(__int128 a, int64_t b) { return static_cast<int64_t>((a + b - 1) / b); }
  /// The first slot whose first whole cycle is not before `cycle`.
  int64_t slot_at(int64_t cycle) const { return cycle <= 0 ? 0 : last_slot(cycle - 1) + 1; }
  /// The last slot that has begun by the begin of a cycle. Products are larger than 64 bits after seconds.
  int64_t last_slot(int64_t cycle) const { return static_cast<int64_t>(static_cast<__int128>(cycle) * per_ / cycles_); }
  /// The cycle in which a flit leaves that takes a slot.
  int64_t begin_of(int64_t slot) const { return rounded_up(static_cast<__int128>(slot) * cycles_, per_) - ahead_; }

  int64_t cycles_ = 1;
  int64_t per_ = 1;
  int64_t next_ = 0;    ///< The link is free at next_ + part_ / per_, or from slot next_ on.
  int32_t ahead_ = -1;  ///< See with_slots(); -1 without.
  int64_t part_ = 0;
};

}  // namespace fabrictwin::router::input_queued
