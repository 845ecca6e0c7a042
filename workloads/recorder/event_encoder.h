// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Encodes the bytes of one event.
#pragma once

#include <cstdint>

#include "workloads/recorder/part_format.h"

namespace fabrictwin::recorder {

/// Writes the values of an event, in the order that part_format.h defines, to a buffer that must be large enough:
/// kNumber for each number, one for each byte.
class EventEncoder {
 public:
  static constexpr size_t kNumber = 10;

  EventEncoder(uint8_t* space, Action action) : next_(space) { byte(static_cast<uint8_t>(action)); }

  EventEncoder& byte(uint8_t value) {
    *next_++ = value;
    return *this;
  }
  EventEncoder& number(uint64_t value) {
    for (; value >= 0x80; value >>= 7) *next_++ = static_cast<uint8_t>(value | 0x80);
    return byte(static_cast<uint8_t>(value));
  }
  EventEncoder& signed_number(int32_t value) {
    return number((static_cast<uint32_t>(value) << 1) ^ static_cast<uint32_t>(value >> 31));
  }
  EventEncoder& datatype(Datatype type) { return byte(static_cast<uint8_t>(type)); }
  uint8_t* end() const { return next_; }

 private:
  uint8_t* next_;
};

}  // namespace fabrictwin::recorder
