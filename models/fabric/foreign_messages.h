// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages whose packets cross from one partition to another.
#pragma once

#include <cstdint>

#include "models/nic/message.h"
#include "models/nic/packet_nic.h"

namespace fabrictwin::fabric {

/// What packets tell of their message in another partition than that of its source. A packet has no payload; with this,
/// the message can be delivered.
struct ForeignMessage {
  nic::Envelope envelope;
  uint32_t sequence = 0;  ///< Its number in its flow, if `ordered`.
  bool ordered = true;    ///< Delivered after the earlier messages of its flow.
};

/// Who knows the messages of the packets in a partition, by numbers that only mean something there.
class ForeignMessages {
 public:
  virtual ~ForeignMessages() = default;
  /// A packet of data leaves for another partition. What it says of its message need not mean anything there.
  virtual ForeignMessage leave(nic::NicPacket& packet) = 0;
  /// A packet of data comes from another partition, and gets what it says of its message here. False if it comes back
  /// and has not left.
  virtual bool enter(nic::NicPacket& packet, const ForeignMessage& message) = 0;
  /// Whether the hosts of a packet from another partition have the ports that it names and, if it answers a host here,
  /// what it answers. Its hosts exist.
  virtual bool knows(const nic::NicPacket& packet) const = 0;
};

}  // namespace fabrictwin::fabric
