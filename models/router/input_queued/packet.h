// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A packet of the input-queued network: what its flits would carry if they carried anything.
#pragma once

#include <cstdint>

#include "models/routing/packet_route.h"

namespace fabrictwin::router::input_queued {

/// One packet. The traffic fills in source, destination and random number of its route. Flits are numbers of packets;
/// everything else is stored here, once. Times are router cycles.
struct Packet : routing::PacketRoute {
  uint16_t flits = 0;        ///< At least 1.
  uint16_t hops = 0;         ///< Routers that its first flit has left.
  bool measured = false;     ///< Set and read by the traffic; the network does not look at it.
  bool in_network = false;   ///< True from the departure of its first flit until the arrival of its last.
  bool followed = false;     ///< The network's observer follows it.
  uint8_t source_queue = 0;  ///< The queue of its host in which it waited, by number.
  uint16_t gone = 0;         ///< Flits that have left for another partition.
  uint32_t handle = 0;       ///< The traffic's own; the network does not look at it.
  int64_t created = 0;       ///< When the host wanted to send it.
  int64_t injected = 0;      ///< When its first flit left the host.
  uint64_t sequence = 0;     ///< Number of the packet among those of its source.
};

}  // namespace fabrictwin::router::input_queued
