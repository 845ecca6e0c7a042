// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Clock edges that never drift: edge k is computed from k, not accumulated.
#pragma once

#include <cstdint>

#include "cosim/base/quantity.h"
#include "cosim/base/time.h"

namespace fabrictwin {

/// Edges of a periodic clock: edge k is at floor(k * period), the period being an exact fraction of femtoseconds,
/// so that 156.25, 150, 425 and 300 MHz stay exact for ever. Edge 0 is at time zero. Immutable value type.
class Clock {
 public:
  /// A clock of `frequency`, which must be positive and at most 1 PHz.
  explicit Clock(Frequency frequency);

  /// The clock that carries words of `word_bits` bits at `rate`: one edge for each word.
  static Clock of_words(Bandwidth rate, int64_t word_bits);

  /// The time of edge k (k >= 0).
  Time edge(int64_t k) const {
    if (denominator_ == 1) return Time::from_fs(k * numerator_);
    int64_t scaled;
    // A 64-bit division is several times faster.
    if (!__builtin_mul_overflow(k, numerator_, &scaled)) return Time::from_fs(scaled / denominator_);
    return Time::from_fs(static_cast<int64_t>(static_cast<__int128>(k) * numerator_ / denominator_));
  }

  /// The number of the first edge at or after `time` (time >= 0).
  int64_t edge_at_or_after(Time time) const {
    if (denominator_ == 1) return (time.fs() + numerator_ - 1) / numerator_;
    // The least k with floor(k * n / d) >= t is the least k with k * n >= t * d.
    int64_t product;
    if (!__builtin_mul_overflow(time.fs(), denominator_, &product) &&
        !__builtin_add_overflow(product, numerator_ - 1, &product))
      return product / numerator_;
    const __int128 scaled = static_cast<__int128>(time.fs()) * denominator_;
    return static_cast<int64_t>((scaled + numerator_ - 1) / numerator_);
  }

  /// The longest distance between two neighbouring edges: the period rounded up to a femtosecond.
  Time period() const { return Time::from_fs((numerator_ + denominator_ - 1) / denominator_); }

  bool operator==(const Clock&) const = default;

  /// The exact period is numerator / denominator femtoseconds, in lowest terms.
  int64_t numerator() const { return numerator_; }
  int64_t denominator() const { return denominator_; }
  /// Rebuilds a clock from `numerator()` and `denominator()`, both positive.
  static Clock from_period(int64_t numerator, int64_t denominator);

 private:
  Clock(int64_t numerator, int64_t denominator);
  int64_t numerator_;
  int64_t denominator_;
};

}  // namespace fabrictwin
