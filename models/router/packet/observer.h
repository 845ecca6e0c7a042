// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// An interface for watching the packets of a network.
#pragma once

#include <cstdint>

#include "models/nic/packet_nic.h"
#include "models/router/packet/records.h"

namespace fabrictwin::router::packet {

/// Follows packets of a Network, or of one of its shards, whose thread makes all calls. Times are femtoseconds. Within
/// a window, they need not be in order, except for those of one element.
class Observer {
 public:
  /// A packet that is followed begins to leave an element.
  struct Departure {
    const PacketRecord& packet;
    uint32_t element = 0;  ///< The element that it leaves, and the port there.
    int32_t port = 0;
    const LinkKind& link;
    int64_t time = 0;  ///< When its first word begins on the link.
  };

  virtual ~Observer() = default;
  /// Whether PacketRecord::followed() is to hold for a packet that a host sends at `now`. packet_leaves() for it is the
  /// next call.
  virtual bool follows(const nic::NicPacket& packet, int64_t now) = 0;
  virtual void packet_leaves(const Departure& departure) = 0;
  /// The last byte of a packet that is followed is at its destination. Called before Client::packet_arrived().
  virtual void packet_arrives(const PacketRecord& packet, int64_t now) = 0;
};

}  // namespace fabrictwin::router::packet
