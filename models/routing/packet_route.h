// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What routing knows of one packet.
#pragma once

#include <cstdint>

namespace fabrictwin {

/// The way of one packet, as far as it is decided; models carry it with the packet. Plain value.
struct PacketRoute {
  static constexpr int32_t kNone = -1;
  int32_t source = 0;       ///< Hosts, by number.
  int32_t destination = 0;  ///< The same.
  int32_t intermediate =
      kNone;           ///< Router that it goes through first; kNone where there is none or it has been reached.
  uint32_t draw = 0;   ///< Drawn for each packet, before begin(): chooses among equals. Bit d: which way round
                       ///< dimension d of a torus where both are equally long; 0 is "+".
  uint16_t state = 0;  ///< Of the algorithm: what it must remember from router to router.

  bool operator==(const PacketRoute&) const = default;
};

}  // namespace fabrictwin
