// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What sits at the host ports of a packet network.
#pragma once

#include <cstdint>

#include "models/packet_nic.h"

namespace fabrictwin {

/// All hosts of a PacketNetwork (of one shard), as the network sees them. Times are femtoseconds. At each time the
/// network first calls packet_arrived() and event(), then settle() once, then next_packet(). Where hosts are
/// independent, this is so for each host, and one may be ahead of another by less than the latency of a link.
class PacketClient {
 public:
  enum class Offer : uint8_t { kTaken, kLast, kNothing, kTooLarge };

  virtual ~PacketClient() = default;

  /// Gives the next packet of a port of a host if it has one that may leave now and takes at most `room` bytes. After
  /// kNothing, and after kLast (a packet behind which there is none), the network asks again only after
  /// PacketNetwork::wake(). `now` is when its first byte leaves.
  virtual Offer next_packet(int32_t host, int32_t port, int64_t now, int32_t room, NicPacket& packet) = 0;
  /// The last byte of a packet has come out at port packet.destination_port of its destination. Returns when its place
  /// in the buffer is free again, not before `now`.
  virtual int64_t packet_arrived(int64_t now, const NicPacket& packet) = 0;
  /// packet_arrived() comes soon: for fetching what it will need. It may be said several times, and nothing need
  /// follow; it changes nothing.
  virtual void expect_arrival(const NicPacket& /*packet*/) const {}
  /// The same, later: what was fetched then may be read now.
  virtual void expect_message(const NicPacket& /*packet*/) const {}
  /// So does next_packet().
  virtual void expect_offer(int32_t /*host*/, int32_t /*port*/) const {}
  /// What was asked for with PacketNetwork::schedule().
  virtual void event(int64_t now, uint32_t id) = 0;
  /// Everything that arrives at `now` has.
  virtual void settle(int64_t now) = 0;
  /// Whether there is nothing left to be simulated. Asked after settle().
  virtual bool stopped() { return false; }
  /// Whether something is wrong that must end the run.
  virtual bool failed() const { return false; }
};

}  // namespace fabrictwin
