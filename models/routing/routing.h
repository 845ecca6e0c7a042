// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a router asks about each packet: where next?
#pragma once

#include <cstdint>

#include "cosim/link/packet.h"

namespace fabrictwin {

/// Where a packet goes next.
struct Hop {
  int32_t port = 0;
  int32_t vc = 0;
};

/// The routing function of one router. Immutable; thread-safe.
class Routing {
 public:
  virtual ~Routing() = default;
  /// The packet came through `in_port` on `in_vc`. A port that is not connected, or beyond the last, means that the
  /// packet leads nowhere.
  virtual Hop route(const PacketHeader& header, int32_t in_port, int32_t in_vc) const = 0;
};

}  // namespace fabrictwin
