// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Bits of pins of any width.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fabrictwin::test {

/// At most 64 bits from `bit` on.
template <class Pins>
uint64_t get_bits(const Pins& pins, size_t bit, size_t width) {
  const auto* words = reinterpret_cast<const uint32_t*>(&pins);
  uint64_t value = 0;
  for (size_t i = 0; i < width; ++i) value |= uint64_t{words[(bit + i) / 32] >> ((bit + i) % 32) & 1} << i;
  return value;
}

template <class Pins>
void put_bits(Pins& pins, size_t bit, size_t width, uint64_t value) {
  auto* words = reinterpret_cast<uint32_t*>(&pins);
  for (size_t i = 0; i < width; ++i) {
    const uint32_t mask = uint32_t{1} << ((bit + i) % 32);
    uint32_t& word = words[(bit + i) / 32];
    word = (value >> i & 1) != 0 ? word | mask : word & ~mask;
  }
}

}  // namespace fabrictwin::test
