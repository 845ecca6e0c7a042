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

class Lattice;

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
  /// Whether options() gives exactly one option, whatever the load, and begin() does nothing.
  virtual bool deterministic() const { return true; }

  /// Whether begin() looks at no router but the one where the packet is.
  virtual bool local() const { return true; }

  /// Decides what is decided once, in the first router of a packet: the router that it goes through on a Valiant path.
  virtual void begin(int32_t /*router*/, PacketRoute& /*route*/, const CongestionView& /*load*/) const {}
  /// Calls `visit` with each way that a packet in `router` could go straight to its destination, ties included: with a
  /// draw for each, and the state of a packet that begins like this. Where `router` is the packet.intermediate, it has
  /// come there on a detour and has its state already.
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
  /// changes there depends on the arguments only, and asked again with what it left there it gives the same options.
  /// For a packet from a host, in_vc has no meaning.
  virtual void options(int32_t router, int32_t in_port, int32_t in_vc, PacketRoute& route,
                       RouteOptions& options) const = 0;

  /// For networks too large to look at every packet: not null if packets (on escapes, where there are any) go through
  /// the dimensions in the order of this lattice, port and VCs in a dimension depend only on positions in it, on the
  /// draw and on the part of the way, and both parts of a way have VCs of their own.
  virtual const Lattice* by_dimension() const { return nullptr; }
  /// The same: a rank of each VC of a port that is higher than that of every buffer in which a packet may be before it;
  /// or -1 if there are no ranks.
  virtual int64_t rank(int32_t /*router*/, int32_t /*port*/, int32_t /*vc*/) const { return -1; }
};

}  // namespace fabrictwin
