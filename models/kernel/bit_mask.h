// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Sets of VCs or ports of a router as bits, and arbitration over them.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace fabrictwin::kernel {

constexpr uint64_t bit(int32_t index) { return uint64_t{1} << index; }

/// The first set bit of `mask`, which is not zero, at or after `start` (0 to 63), else the first set bit.
constexpr int32_t first_from(uint64_t mask, int32_t start) {
  // The rotation avoids a branch.
  return (std::countr_zero(std::rotr(mask, start)) + start) & 63;
}

/// Calls `visit` with the index of each set bit in rising order.
template <typename Visit>
void for_each_bit(uint64_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(std::countr_zero(mask));
}

/// A set of numbers below 64 * kWords. One word costs no more than a plain integer. Value type.
template <int kWords>
class BitMask {
 public:
  static constexpr BitMask bits(int32_t index) {
    BitMask mask;
    mask.set(index);
    return mask;
  }
  /// A set with `word` at bits `index` and up, which must not reach into the next word.
  static constexpr BitMask bits_at(uint64_t word, int32_t index) {
    BitMask mask;
    mask.words_[which(index)] = word << (index & 63);
    return mask;
  }

  constexpr void set(int32_t index) { words_[which(index)] |= bit(index & 63); }
  constexpr void reset(int32_t index) { words_[which(index)] &= ~bit(index & 63); }
  /// Sets a bit if `set`, without a branch, for conditions that are hard to predict.
  constexpr void set_if(int32_t index, bool set) { words_[which(index)] |= uint64_t{set} << (index & 63); }
  constexpr bool test(int32_t index) const { return (words_[which(index)] >> (index & 63) & 1) != 0; }
  /// The bits from `index` up in its word.
  constexpr uint64_t word_from(int32_t index) const { return words_[which(index)] >> (index & 63); }
  constexpr bool any() const {
    uint64_t all = 0;
    for (const uint64_t word : words_) all |= word;
    return all != 0;
  }
  constexpr bool none() const { return !any(); }

  constexpr BitMask& operator|=(const BitMask& other) {
    for (int w = 0; w < kWords; ++w) words_[w] |= other.words_[w];
    return *this;
  }
  constexpr BitMask operator|(const BitMask& other) const { return BitMask(*this) |= other; }
  constexpr BitMask operator&(const BitMask& other) const {
    BitMask mask;
    for (int w = 0; w < kWords; ++w) mask.words_[w] = words_[w] & other.words_[w];
    return mask;
  }
  /// The members of this set that are not in the other.
  constexpr BitMask without(const BitMask& other) const {
    BitMask mask;
    for (int w = 0; w < kWords; ++w) mask.words_[w] = words_[w] & ~other.words_[w];
    return mask;
  }
  constexpr void remove(const BitMask& other) { *this = without(other); }

  /// The least number; the set must not be empty.
  constexpr int32_t first() const {
    int w = 0;
    while (w + 1 < kWords && words_[w] == 0) ++w;
    return w * 64 + std::countr_zero(words_[w]);
  }
  /// The least number at or after `start`, else the least of all; the set must not be empty.
  constexpr int32_t first_from(int32_t start) const {
    if constexpr (kWords == 1) {
      return fabrictwin::kernel::first_from(words_[0], start);
    } else {
      const int from = which(start);
      const uint64_t after = words_[from] & (~uint64_t{0} << (start & 63));
      if (after != 0) return from * 64 + std::countr_zero(after);
      for (int w = from + 1; w < kWords; ++w) {
        if (words_[w] != 0) return w * 64 + std::countr_zero(words_[w]);
      }
      return first();
    }
  }
  /// Calls `visit` with each number in rising order; changes of the set during the loop have no effect on it.
  template <typename Visit>
  void for_each(Visit visit) const {
    const auto words = words_;
    uint64_t word = words[0];
    // One loop over all words lets the compiler inline `visit` once.
    for (int w = 0;;) {
      if (word == 0) {
        if (++w == kWords) return;
        word = words[w];
        continue;
      }
      visit(w * 64 + std::countr_zero(word));
      word &= word - 1;
    }
  }

 private:
  static constexpr int which(int32_t index) {
    if constexpr (kWords == 1) {
      return 0;
    } else {
      return index >> 6;
    }
  }

  std::array<uint64_t, kWords> words_{};
};

}  // namespace fabrictwin::kernel
