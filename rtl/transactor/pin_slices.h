// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Bits and slices of vectors at the pins of a Verilated model. A vector is a number of 8 to 64 bits, or an array of
// 32-bit words, the lowest first.
#pragma once

#include <cstdint>

#include "cosim/link/record.h"

namespace fabrictwin::rtl {

inline bool pin_bit(const uint8_t* pin, int index) { return (*pin >> index & 1) != 0; }

inline void set_pin_bit(uint8_t* pin, int index, bool value) {
  *pin = static_cast<uint8_t>((*pin & ~(1u << index)) | static_cast<unsigned>(value) << index);
}

/// Slice `index` of 128 bits.
inline link::Word pin_word(const uint32_t* data, int index) {
  const uint32_t* w = data + 4 * index;
  return link::Word{w[0] | uint64_t{w[1]} << 32, w[2] | uint64_t{w[3]} << 32};
}

inline void set_pin_word(uint32_t* data, int index, const link::Word& word) {
  uint32_t* w = data + 4 * index;
  w[0] = static_cast<uint32_t>(word.lo);
  w[1] = static_cast<uint32_t>(word.lo >> 32);
  w[2] = static_cast<uint32_t>(word.hi);
  w[3] = static_cast<uint32_t>(word.hi >> 32);
}

/// Slice `index` of 8 bits, of a vector of up to 64 bits or of a longer one.
inline uint8_t pin_byte(const uint64_t* pin, int index) { return static_cast<uint8_t>(*pin >> (8 * index)); }
inline uint8_t pin_byte(const uint32_t* words, int index) {
  return static_cast<uint8_t>(words[index / 4] >> (8 * (index % 4)));
}

inline void set_pin_byte(uint64_t* pin, int index, uint8_t value) {
  *pin = (*pin & ~(uint64_t{0xff} << (8 * index))) | uint64_t{value} << (8 * index);
}
inline void set_pin_byte(uint32_t* words, int index, uint8_t value) {
  uint32_t& word = words[index / 4];
  const int shift = 8 * (index % 4);
  word = (word & ~(0xffu << shift)) | uint32_t{value} << shift;
}

/// Slice `index` of 3 bits, of a vector of up to 64 bits or of a longer one, where it may straddle two words.
inline uint8_t pin_health(const uint64_t* pin, int index) { return static_cast<uint8_t>(*pin >> (3 * index) & 7); }
inline uint8_t pin_health(const uint32_t* words, int index) {
  const uint32_t* word = words + 3 * index / 32;
  const int shift = 3 * index % 32;
  const uint32_t low = *word >> shift;
  return static_cast<uint8_t>((shift > 29 ? low | word[1] << (32 - shift) : low) & 7);
}

inline void set_pin_health(uint64_t* pin, int index, uint8_t value) {
  *pin = (*pin & ~(uint64_t{7} << (3 * index))) | (uint64_t{value} & 7) << (3 * index);
}
inline void set_pin_health(uint32_t* words, int index, uint8_t value) {
  uint32_t* word = words + 3 * index / 32;
  const int shift = 3 * index % 32;
  *word = (*word & ~(7u << shift)) | (uint32_t{value} & 7) << shift;
  if (shift > 29) word[1] = (word[1] & ~(7u >> (32 - shift))) | (uint32_t{value} & 7) >> (32 - shift);
}

}  // namespace fabrictwin::rtl
