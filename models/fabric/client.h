// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The two sides of the seam between a network and its hosts: what the network asks of hosts, and they of it.
#pragma once

#include <cstdint>

#include "models/nic/packet_nic.h"

namespace fabrictwin::fabric {

/// The network as its hosts see it. Times are femtoseconds.
class HostEdge {
 public:
  virtual ~HostEdge() = default;

  /// A port of a host has a packet that may leave at `at`; a time in the past means now.
  virtual void wake(int32_t host, int32_t port, int64_t at) = 0;
  /// Schedules Client::event() at `at`, not in the past. It concerns `host` only.
  virtual void schedule(int32_t host, int64_t at, uint32_t id) = 0;
  /// How long a packet occupies the link of a port of a host.
  virtual int64_t duration(int32_t host, int32_t port, int32_t bytes) const = 0;
  /// Where inputs of routers have several queues: whether a packet to `destination` may leave by a port of a host now,
  /// because the queue that it goes to has space, and nobody has stopped it. Asked in Client::next_packet(), for the
  /// next packet of the port, by hosts that have queues of their own. `queue_pair` is the number of its queue pair, 0
  /// without a transport.
  virtual bool admits(int32_t /*host*/, int32_t /*port*/, int32_t /*destination*/, int32_t /*bytes*/,
                      uint32_t /*queue_pair*/) {
    return true;
  }
  /// The queue of the router at a port that packets for `destination` go to.
  virtual int32_t queue_of(int32_t /*host*/, int32_t /*port*/, int32_t /*destination*/) { return 0; }
};

/// All hosts of a network (of one shard), as the network sees them. Times are femtoseconds. At each time the network
/// first calls packet_arrived() and event(), then settle() once, then next_packet(). If hosts are independent, this
/// order holds for each host, and one may be ahead of another by less than the latency of a link.
class Client {
 public:
  enum class Offer : uint8_t { kTaken, kLast, kNothing, kTooLarge };

  virtual ~Client() = default;

  /// Returns the next packet of a port of a host if one may leave now and takes at most `space` bytes. After kNothing,
  /// and after kLast (no packet follows this one), the network asks again only after HostEdge::wake(). `now` is when
  /// the packet's first byte leaves.
  virtual Offer next_packet(int32_t host, int32_t port, int64_t now, int32_t space, nic::NicPacket& packet) = 0;
  /// The last byte of a packet has arrived at port packet.destination_port of its destination. Returns when its buffer
  /// space is free again, not before `now`.
  virtual int64_t packet_arrived(int64_t now, const nic::NicPacket& packet) = 0;
  /// Prefetch hint: packet_arrived() will probably be called soon. May be repeated, and changes no result.
  virtual void expect_arrival(const nic::NicPacket& /*packet*/) const {}
  /// Prefetch hint after expect_arrival(): what that fetched may be read now.
  virtual void expect_message(const nic::NicPacket& /*packet*/) const {}
  /// Prefetch hint: next_packet() will be called soon.
  virtual void expect_offer(int32_t /*host*/, int32_t /*port*/) const {}
  /// An event requested with HostEdge::schedule() is due.
  virtual void event(int64_t now, uint32_t id) = 0;
  /// Everything that arrives at `now` has arrived.
  virtual void settle(int64_t now) = 0;
  /// Whether nothing is left to simulate. Called after settle().
  virtual bool stopped() { return false; }
  /// Whether an error must end the run.
  virtual bool failed() const { return false; }
};

}  // namespace fabrictwin::fabric
