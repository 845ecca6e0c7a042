// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cosim/link/packet.h"
#include "cosim/observe/packet_trace.h"

namespace fabrictwin::nic {

/// For packet_key() where destinations in headers are not ports of hosts, as in exanest.
inline constexpr int32_t kAllDestinations = 1 << 24;

/// The packet trace's key for the first packet of the message to which a packet belongs, in a network of `hosts` hosts.
/// It does not depend on the port of the destination.
inline observe::PacketTrace::Key packet_key(const link::PacketHeader& header, int32_t hosts) {
  return {static_cast<int32_t>(header.source), static_cast<int32_t>(header.destination) % hosts, header.sequence};
}

}  // namespace fabrictwin::nic
