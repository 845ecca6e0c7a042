// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A packet of the input-queued network: what its flits would say if they carried anything.
#pragma once

#include <cstdint>

#include "models/routing/packet_route.h"

namespace fabrictwin {

/// One packet; what the traffic says of its way is source, destination and draw. Flits are numbers of packets;
/// everything else is here, once. Times are router cycles.
struct IqPacket : PacketRoute {
  uint16_t flits = 0;       ///< At least 1.
  uint16_t hops = 0;        ///< Routers that its first flit has left.
  bool measured = false;    ///< Belongs to the traffic; the network does not look at it.
  bool in_network = false;  ///< Between its first flit's leaving its source and its last one's arrival.
  bool followed = false;    ///< The network's observer wants to know where it is.
  int64_t created = 0;      ///< When the host wanted to send it.
  int64_t injected = 0;     ///< When its first flit left the host.
  uint64_t sequence = 0;    ///< Number of the packet among those of its source.
};

}  // namespace fabrictwin
