// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The routing function of one router.
#pragma once

#include <cstdint>

#include "cosim/link/packet.h"

namespace fabrictwin::routing {

/// The output of a router that a packet takes.
struct Hop {
  int32_t port = 0;
  int32_t vc = 0;
};

/// The routing function of one router. Immutable; thread-safe.
class Routing {
 public:
  virtual ~Routing() = default;
  /// Routes a packet that came through `in_port` on `in_vc`. A result that is not connected, or beyond the last port,
  /// means that there is no route.
  virtual Hop route(const link::PacketHeader& header, int32_t in_port, int32_t in_vc) const = 0;
};

}  // namespace fabrictwin::routing
