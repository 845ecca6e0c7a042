// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Who takes the straight way and who a detour.
#pragma once

#include <cstdint>

namespace fabrictwin {

enum class DetourMode : uint8_t {
  kAlways,  ///< Every packet goes through a drawn router (Valiant, "A scheme for fast parallel communication", 1982).
  kLocal,   ///< UGAL with the queues of the first router (Singh, "Load-balanced routing in interconnection networks",
            ///< 2005).
  kGlobal,  ///< UGAL with queues farther on.
};

/// UGAL takes the straight way if queue times hops is not more than on the detour, with `bias` flits in its favour.
inline bool straight_is_better(int64_t straight_queue, int64_t straight_hops, int64_t detour_queue, int64_t detour_hops,
                               int64_t bias) {
  return straight_queue * straight_hops <= detour_queue * detour_hops + bias;
}

}  // namespace fabrictwin
