// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How packets find their way through any network: what routers ask, and what the proof of freedom from deadlock asks.
#pragma once

#include <cstdint>
#include <functional>

#include "models/routing/packet_route.h"
#include "models/routing/route_options.h"

namespace fabrictwin {

/// What an adaptive routing algorithm may see of the network's load.
class CongestionView {
 public:
  virtual ~CongestionView() = default;
  /// Flits that wait for an output port of a router, or lie in the buffers behind it: what a packet sent there would
  /// have to wait for. Routers are numbered from 0.
  virtual int64_t queue(int32_t router, int32_t port) const = 0;
};

/// A routing algorithm for all routers of one network. Routers are numbered from 0 (router r is element host_count() +
/// r of the graph), ports as in the graph. Immutable; thread-safe.
///
/// A packet goes its way in at most two parts: to route.intermediate first, if that is set, then to its destination.
/// While it is on the first part, the second has no influence on it: options() looks at the intermediate only, clears
/// it when the packet is there, and gives the first options of the second part.
class RoutingAlgorithm {
 public:
  virtual ~RoutingAlgorithm() = default;

  /// VCs that it tells apart on links between routers. A router with more has several of each class; options() says
  /// which.
  virtual int32_t classes() const = 0;
  /// Whether options() gives exactly one port, whatever the load, and begin() does nothing.
  virtual bool deterministic() const { return true; }

  /// Decides what is decided once, in the first router of a packet: the router that it goes through on a Valiant path.
  virtual void begin(int32_t /*router*/, PacketRoute& /*route*/, const CongestionView& /*load*/) const {}
  /// Calls `visit` with each way that a packet in `router` could go straight to its destination, ties included: a draw
  /// for each, and the state of a packet that begins like this.
  virtual void for_each_beginning(int32_t /*router*/, const PacketRoute& packet,
                                  const std::function<void(const PacketRoute&)>& visit) const {
    visit(packet);
  }
  /// The same for each way on which begin() may send a packet from `router`, whatever its destination, to an
  /// intermediate router first.
  virtual void for_each_detour(int32_t /*router*/, const PacketRoute& /*packet*/,
                               const std::function<void(const PacketRoute&)>& /*visit*/) const {}

  /// Where a packet that came into `router` through `in_port` on `in_vc` may go. Adds at least one option (the last
  /// ones may be escapes), never changes its mind for the same arguments, and brings `route` up to date: what it
  /// changes there depends on the arguments only. For a packet from a host, in_vc has no meaning.
  virtual void options(int32_t router, int32_t in_port, int32_t in_vc, PacketRoute& route,
                       RouteOptions& options) const = 0;
};

}  // namespace fabrictwin
