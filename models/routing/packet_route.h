// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The routing state of one packet.
#pragma once

#include <cstdint>

namespace fabrictwin::routing {

/// The route of one packet, as far as it is decided; models carry it with the packet. Plain value.
struct PacketRoute {
  static constexpr int32_t kNone = -1;
  int32_t source = 0;            ///< Host number.
  int32_t destination = 0;       ///< Host number.
  int32_t intermediate = kNone;  ///< Router that it goes through first; kNone if there is none or it has been reached.
  uint32_t random = 0;  ///< Random number of the packet, set before begin(); chooses among equals. Bit d: the direction
                        ///< in dimension d of a torus if both are equally long; 0 is "+".
  uint16_t state = 0;   ///< What the algorithm must remember from router to router.
  uint32_t flow = 0;    ///< Number of the packet's flow among those with this source and destination: a queue pair.

  bool operator==(const PacketRoute&) const = default;
};

}  // namespace fabrictwin::routing
