// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Words of the packets of the self-test, as docs/models/karma.md has them.
#pragma once

#include <cstdint>

namespace fabrictwin::test {

struct KarmaWord {
  uint64_t low = 0, high = 0;
  bool sop = false, eop = false;
  bool operator==(const KarmaWord&) const = default;
};

inline uint64_t karma_xorshift(uint64_t x) {
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return x;
}

/// Word `index` of the payload of packet `number`; patterns are those of the registers.
inline KarmaWord karma_payload(uint32_t pattern, uint32_t number, uint32_t index) {
  if (pattern == 0) return {};
  if (pattern == 1) {
    const uint64_t sum = (number + index) & 0xffff'ffff;
    return {sum << 32 | sum, sum << 32 | sum};
  }
  const uint64_t first = karma_xorshift(uint64_t{number} << 32 | uint64_t{0x2545F49} << 6 | index);
  return {karma_xorshift(first), first};
}

}  // namespace fabrictwin::test
