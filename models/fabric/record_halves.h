// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Two numbers in the half of a word of a record.
#pragma once

#include <cstdint>

namespace fabrictwin::fabric {

inline uint64_t pair_of(uint32_t high, uint32_t low) { return uint64_t{high} << 32 | low; }
inline uint32_t high_of(uint64_t pair) { return static_cast<uint32_t>(pair >> 32); }
inline uint32_t low_of(uint64_t pair) { return static_cast<uint32_t>(pair); }

}  // namespace fabrictwin::fabric
