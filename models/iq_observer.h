// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Who wants to know what becomes of some packets of an input-queued network.
#pragma once

#include <cstdint>

#include "models/iq_packet.h"

namespace fabrictwin {

struct IqEnd;

/// Follows some packets through an IqNetwork, which calls it for these only, but for wants().
class IqObserver {
 public:
  virtual ~IqObserver() = default;
  /// Whether to follow a packet that a host is about to send.
  virtual bool wants(const IqPacket& packet) = 0;
  /// The first flit of a packet leaves a router or host in cycle `left`, for a buffer where it is in cycle `arrives`.
  virtual void packet_moves(const IqPacket& packet, const IqEnd& from, int64_t left, int64_t arrives) = 0;
  /// The last flit of a packet has arrived.
  virtual void packet_arrived(const IqPacket& packet, int64_t cycle) = 0;
};

}  // namespace fabrictwin
