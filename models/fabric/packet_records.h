// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets as the records of a cut link: docs/bridge-protocol.md has the layouts.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cosim/link/channel_receiver.h"
#include "cosim/link/record.h"
#include "models/fabric/foreign_messages.h"
#include "models/nic/packet_nic.h"
#include "models/routing/packet_route.h"

namespace fabrictwin::fabric {

/// A packet that crosses a cut link. Value type.
struct CrossingPacket {
  nic::NicPacket nic;  ///< Its `message` means nothing, but of packets that are no data.
  routing::PacketRoute route;
  ForeignMessage message;
  int64_t created = 0;    ///< In cycles, of flits. Of packets: when it began to leave, in femtoseconds, and
  uint32_t sequence = 0;  ///< the kind of the link, where buffers are counted; of flits its number of its source.
  uint32_t queue = 0;     ///< The queue of its VC that it is for, where each VC has several with buffers of their own.
  bool aside = false;     ///< It goes past the network, and is at its destination at `created`, in femtoseconds.
};

/// The records of a packet, without channel and stamp. The second one follows the first.
struct PacketRecords {
  link::Record packet;
  link::Record message;
};
PacketRecords packet_records(const CrossingPacket& packet, uint8_t vc);

/// Takes the two records of a packet off a receiver, whose front is of kind kPacket. There are `hosts` hosts and
/// `routers` routers. DataLoss, with channel and time, if they are not what packet_records() makes.
absl::StatusOr<CrossingPacket> take_packet(link::ChannelReceiver& receiver, int32_t hosts, int32_t routers);

/// What is wrong with a packet that ForeignMessages does not know.
std::string not_known(const nic::NicPacket& packet);

/// A packet from another partition is to be known here, and gets what it says of its message here. InvalidArgument,
/// without a location, if its hosts do not know it.
absl::Status enter(ForeignMessages& messages, nic::NicPacket& packet, const ForeignMessage& message);

}  // namespace fabrictwin::fabric
