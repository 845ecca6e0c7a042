// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cosim/link/packet.h"
#include "cosim/run/packet_trace.h"

namespace fabrictwin {

/// What a packet trace calls the first packet of the message to which a packet belongs.
inline PacketTrace::Key packet_key(const PacketHeader& header) {
  return {static_cast<int32_t>(header.source), static_cast<int32_t>(header.destination), header.sequence};
}

}  // namespace fabrictwin
