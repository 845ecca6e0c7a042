// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cosim/link/packet.h"
#include "cosim/run/packet_trace.h"

namespace fabrictwin {

/// For packet_key() where destinations in headers are no ports of hosts, as in exanest.
inline constexpr int32_t kAllDestinations = 1 << 24;

/// What a packet trace calls the first packet of the message to which a packet belongs, in a network of `hosts` hosts:
/// whatever port of its destination it goes to.
inline PacketTrace::Key packet_key(const PacketHeader& header, int32_t hosts) {
  return {static_cast<int32_t>(header.source), static_cast<int32_t>(header.destination) % hosts, header.sequence};
}

}  // namespace fabrictwin
