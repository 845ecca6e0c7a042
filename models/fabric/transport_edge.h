// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A network as hosts with a transport see it.
#pragma once

#include <cstdint>

#include "models/congestion/signs.h"
#include "models/fabric/client.h"

namespace fabrictwin::fabric {

/// What a transport needs of its network besides HostEdge. Times are femtoseconds. Not thread-safe.
class TransportEdge : public HostEdge {
 public:
  /// Packets that follow each other as fast as the links take them: `packets` of `bytes`, and one of `last` bytes.
  struct Train {
    int64_t packets = 0;
    int32_t bytes = 0;
    int32_t last = 0;

    static Train of_one(int32_t bytes) { return {.packets = 0, .bytes = bytes, .last = bytes}; }
  };
  /// The path that packets take if nothing else is in the network; of several paths the first one.
  struct Path {
    int64_t time = 0;      ///< From the departure of the first byte to the arrival of the last one.
    int32_t switches = 0;  ///< That it passes.
  };
  virtual Path path(int32_t source, int32_t port, int32_t destination, const Train& train) const = 0;
  /// When packets have come that have the network to themselves, from the departure of the first byte.
  struct Soonest {
    int64_t first = 0;     ///< The first of them.
    int64_t all = 0;       ///< The last of them.
    bool one_path = true;  ///< Routing has one path for them, and these are their times; otherwise no sooner than that.
  };
  /// `queue_pair` is that of the packets.
  virtual Soonest soonest(int32_t source, int32_t port, int32_t destination, uint32_t queue_pair,
                          const Train& train) const = 0;
  /// The rate of the link of a port of a host in bits per second.
  virtual int64_t link_rate(int32_t host, int32_t port) const = 0;

  /// Records of packets with NicPacket::kTelemetry, which their `user` names. A record belongs to the packet; the host
  /// that receives it hands it on or drops it.
  virtual uint32_t make_path_record() = 0;
  virtual congestion::PathRecord& path_record(uint32_t id) = 0;
  virtual void drop_path_record(uint32_t id) = 0;
  /// Delivers a packet at `at`, past the network: not before a packet of a word could be there.
  virtual void send_aside(const nic::NicPacket& packet, int64_t at) = 0;
};

}  // namespace fabrictwin::fabric
