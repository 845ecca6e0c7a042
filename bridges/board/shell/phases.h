// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Clocks as a shell keeps them: a period in whole femtoseconds and a fraction, and what a jump says of an edge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "bridges/board/shell/record.h"
#include "cosim/base/clock.h"

namespace fabrictwin::bridges::board::shell {

/// A clock as registers and jumps have it: its period is whole + numerator / denominator femtoseconds.
struct Period {
  explicit Period(const Clock& clock)
      : whole(clock.numerator() / clock.denominator()),
        numerator(clock.numerator() % clock.denominator()),
        denominator(clock.denominator()) {}
  bool fits() const { return whole < int64_t{1} << (kTimeBits - 1) && denominator < int64_t{1} << kFractionBits; }
  /// The fraction of the time of edge `edge`, in units of 1 / denominator.
  uint32_t fraction(int64_t edge) const {
    return static_cast<uint32_t>(static_cast<__int128>(edge) * numerator % denominator);
  }
  int64_t whole;
  int64_t numerator;
  int64_t denominator;
};

/// Bits that a jump has for each word clock.
inline constexpr int kPhaseBits = kTimeBits + 2 + kFractionBits;

/// The record that lets an element go on at `edge` of its clock. Word clocks beyond `word_clocks` are like the first
/// one, or like the element's if there is none.
inline Slot jump_record(const Clock& element, std::span<const Clock> word_clocks, int64_t edge) {
  Slot slot;
  slot.kind = Kind::kJump;
  slot.edge = edge;
  const Time now = element.edge(edge);
  const Time next = element.edge(edge + 1);
  const auto put = [&](int bit, uint64_t value) {
    slot.words[static_cast<size_t>(bit / 64)] |= value << (bit % 64);
    if (bit % 64 != 0) {
      const uint64_t rest = value >> (64 - bit % 64);
      if (rest != 0) slot.words[static_cast<size_t>(bit / 64 + 1)] |= rest;
    }
  };
  for (size_t c = 0; c < size_t{kWordClocks}; ++c) {
    const Clock clock = word_clocks.empty() ? element : word_clocks[c < word_clocks.size() ? c : 0];
    const int64_t word = clock.edge_at_or_after(next);
    const int64_t passed = word - clock.edge_at_or_after(now);
    const int bit = static_cast<int>(c) * kPhaseBits;
    put(bit, Period(clock).fraction(word));
    put(bit + kFractionBits, static_cast<uint64_t>(passed));
    put(bit + kFractionBits + 2, static_cast<uint64_t>((clock.edge(word) - next).fs()));
  }
  put(kWordClocks * kPhaseBits, Period(element).fraction(edge + 1));
  return slot;
}

}  // namespace fabrictwin::bridges::board::shell
