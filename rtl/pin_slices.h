// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Bits and 128-bit slices of vectors at the pins of a Verilated model.
#pragma once

#include <cstdint>

#include "cosim/link/record.h"

namespace fabrictwin {

inline bool pin_bit(const uint8_t* pin, int index) { return (*pin >> index & 1) != 0; }

inline void set_pin_bit(uint8_t* pin, int index, bool value) {
  *pin = static_cast<uint8_t>((*pin & ~(1u << index)) | static_cast<unsigned>(value) << index);
}

/// Slice `index` of 128 bits.
inline Word pin_word(const uint32_t* data, int index) {
  const uint32_t* w = data + 4 * index;
  return Word{w[0] | uint64_t{w[1]} << 32, w[2] | uint64_t{w[3]} << 32};
}

inline void set_pin_word(uint32_t* data, int index, const Word& word) {
  uint32_t* w = data + 4 * index;
  w[0] = static_cast<uint32_t>(word.lo);
  w[1] = static_cast<uint32_t>(word.lo >> 32);
  w[2] = static_cast<uint32_t>(word.hi);
  w[3] = static_cast<uint32_t>(word.hi >> 32);
}

}  // namespace fabrictwin
