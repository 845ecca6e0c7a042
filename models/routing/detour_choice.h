// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses between the minimal route and a detour.
#pragma once

#include <cstdint>

namespace fabrictwin::routing {

enum class DetourMode : uint8_t {
  kAlways,  ///< Every packet goes through a random router (Valiant, "A scheme for fast parallel communication", 1982).
  kLocal,   ///< UGAL with the queues of the first router (Singh, "Load-balanced routing in interconnection networks",
            ///< 2005).
  kGlobal,  ///< UGAL with queues of other routers too.
};

/// UGAL takes the minimal route unless its product of queue and hops exceeds that of the detour by more than `bias`.
inline bool straight_is_better(int64_t straight_queue, int64_t straight_hops, int64_t detour_queue, int64_t detour_hops,
                               int64_t bias) {
  return straight_queue * straight_hops <= detour_queue * detour_hops + bias;
}

}  // namespace fabrictwin::routing
