// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets of a flit network that go to another partition or come from there.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "models/fabric/foreign_messages.h"
#include "models/fabric/packet_records.h"
#include "models/kernel/pool.h"
#include "models/nic/packet_nic.h"
#include "models/router/input_queued/packet.h"

namespace fabrictwin::router::input_queued {

/// What a packet of a Network is on a cut link. Not thread-safe.
class PacketCrossing {
 public:
  virtual ~PacketCrossing() = default;
  /// The packet here of one that comes. InvalidArgument, without a location, if there can be no such packet.
  virtual absl::StatusOr<Packet> enter(const fabric::CrossingPacket& crossing) = 0;
  /// A packet whose head leaves, and which is no packet of this partition any more.
  virtual fabric::CrossingPacket leave(const Packet& packet) = 0;
};

/// Packets of network interfaces, which belong to messages.
class NicCrossing final : public PacketCrossing {
 public:
  /// `carried` has what packets are to network interfaces, by Packet::handle. Both outlive this object.
  NicCrossing(kernel::Pool<nic::NicPacket>& carried, fabric::ForeignMessages& messages)
      : carried_(carried), messages_(messages) {}
  absl::StatusOr<Packet> enter(const fabric::CrossingPacket& crossing) override;
  fabric::CrossingPacket leave(const Packet& packet) override;

 private:
  kernel::Pool<nic::NicPacket>& carried_;
  fabric::ForeignMessages& messages_;
};

/// Bare packets, which carry what is measured of them.
class BareCrossing final : public PacketCrossing {
 public:
  /// Hosts have so many queues of packets, and `here` says by number which ones are here.
  BareCrossing(int32_t source_queues, std::vector<bool> here) : source_queues_(source_queues), here_(std::move(here)) {}
  absl::StatusOr<Packet> enter(const fabric::CrossingPacket& crossing) override;
  fabric::CrossingPacket leave(const Packet& packet) override;

 private:
  int32_t source_queues_;
  std::vector<bool> here_;
  uint64_t away_ = 0;  ///< Packets of hosts here that have left and have not come back.
};

}  // namespace fabrictwin::router::input_queued
