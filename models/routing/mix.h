// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses one of several equals by a packet's random number.
#pragma once

#include <cstdint>

namespace fabrictwin::routing {

/// A number from 0 to `count` - 1, as uniform as `random` is; a different `salt` gives a different number. It is
/// independent of the bits of `random` that have a meaning of their own (directions).
inline int32_t pick(uint32_t random, uint32_t salt, int32_t count) {
  // The finalizer of MurmurHash3.
  uint32_t hash = random + salt * 0x9e3779b9U;
  hash ^= hash >> 16;
  hash *= 0x85ebca6bU;
  hash ^= hash >> 13;
  hash *= 0xc2b2ae35U;
  hash ^= hash >> 16;
  return static_cast<int32_t>(static_cast<uint64_t>(hash) * static_cast<uint64_t>(count) >> 32);
}

}  // namespace fabrictwin::routing
