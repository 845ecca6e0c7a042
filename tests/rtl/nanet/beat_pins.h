// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Words of frames at the pins of Verilated models.
#pragma once

#include <cstdint>

#include "rtl/nanet/beat.h"
#include "verilated.h"

namespace fabrictwin::test {

inline void set_beat(VlWide<3>& pins, const rtl::nanet::Beat& beat) {
  pins[0] = static_cast<uint32_t>(beat.data);
  pins[1] = static_cast<uint32_t>(beat.data >> 32);
  pins[2] = beat.keep | uint32_t{beat.error} << 8 | uint32_t{beat.last} << 9;
}

inline rtl::nanet::Beat beat_of(const VlWide<3>& pins) {
  return {.data = pins[0] | uint64_t{pins[1]} << 32,
          .keep = static_cast<uint8_t>(pins[2]),
          .error = (pins[2] >> 8 & 1) != 0,
          .last = (pins[2] >> 9 & 1) != 0};
}

}  // namespace fabrictwin::test
