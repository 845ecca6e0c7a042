// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The interface of routing algorithms, as used by routers and by the proof of freedom from deadlock.
#pragma once

#include <cstdint>
#include <functional>

#include "models/routing/packet_route.h"
#include "models/routing/route_options.h"

namespace fabrictwin::routing {

/// What an adaptive routing algorithm may see of the network's load.
class CongestionView {
 public:
  virtual ~CongestionView() = default;
  /// Flits that wait for an output port of a router or are in the buffers behind it: what a packet sent there would
  /// have to wait for. Routers are numbered from 0.
  virtual int64_t queue(int32_t router, int32_t port) const = 0;
  /// As queue(), without what is on its way to the next router, and what was sent so recently that its credits could
  /// not be back even if nothing waited: long wires are no congestion (Won, Kim, Jiang and Dally, "Overcoming far-end
  /// congestion in large-scale networks", HPCA 2015). Only if the algorithm says reads_waiting().
  virtual int64_t waiting(int32_t router, int32_t port) const { return queue(router, port); }
  /// Flits in the queue of an output of another router, if that has told `router` that it is hot; else 0.
  virtual int64_t told(int32_t /*router*/, int32_t /*other*/, int32_t /*port*/) const { return 0; }
};

/// A routing algorithm for all routers of one network. Routers are numbered from 0 (router r is element host_count() +
/// r of the graph), ports as in the graph. Immutable; thread-safe.
///
/// The route of a packet has at most two parts: to route.intermediate, if that is set, then to its destination. The
/// second part does not influence the first: options() considers the intermediate router only, resets it when the
/// packet has reached it, and then gives the first options of the second part.
class RoutingAlgorithm {
 public:
  virtual ~RoutingAlgorithm() = default;

  /// The number of VC classes on links between routers. A router with more VCs has several of each class; options()
  /// says which.
  virtual int32_t classes() const = 0;
  /// Whether options() gives exactly one option, whatever the load and the random number, and begin() does nothing.
  virtual bool deterministic() const { return true; }

  /// Whether each packet takes the one of several options that choose() names, whatever the load; begin() does nothing.
  virtual bool chooses() const { return false; }
  /// Which of `count` options, of options() in its order, a packet takes in `router`: the same for the same arguments.
  virtual int32_t choose(int32_t /*router*/, const PacketRoute& /*route*/, int32_t /*count*/) const { return 0; }
  /// Whether choose() looks at nothing of a packet but its source, destination and PacketRoute::flow, so that all
  /// packets of a queue pair take one path.
  virtual bool chooses_by_flow() const { return false; }
  /// Whether begin() asks for CongestionView::waiting().
  virtual bool reads_waiting() const { return false; }

  /// Whether begin() considers no router but the one where the packet is.
  virtual bool local() const { return true; }

  /// Takes the decisions that are made once, in the first router of a packet: the intermediate router of a Valiant
  /// path.
  virtual void begin(int32_t /*router*/, PacketRoute& /*route*/, const CongestionView& /*load*/) const {}
  /// Whether begin() may send packets elsewhere than options() alone would.
  virtual bool detours() const { return false; }
  /// Calls `visit` for each direct route of a packet from `router` to its destination, ties included, with the random
  /// number and the initial state of such a packet. If `router` is packet.intermediate, the packet has arrived there on
  /// a detour and already has its state.
  virtual void for_each_beginning(int32_t /*router*/, const PacketRoute& packet,
                                  const std::function<void(const PacketRoute&)>& visit) const {
    visit(packet);
  }
  /// Whether there are several such routes, of which the random number of a packet chooses one.
  bool has_ties(int32_t router, const PacketRoute& packet) const {
    int beginnings = 0;
    for_each_beginning(router, packet, [&beginnings](const PacketRoute& /*route*/) { ++beginnings; });
    return beginnings > 1;
  }
  /// Calls `visit` for each route on which begin() may send a packet from `router`, whatever its destination, to an
  /// intermediate router first.
  virtual void for_each_detour(int32_t /*router*/, const PacketRoute& /*packet*/,
                               const std::function<void(const PacketRoute&)>& /*visit*/) const {}

  /// The next hops of a packet that entered `router` through `in_port` on `in_vc`. Adds at least one option (the last
  /// ones may be escapes), always the same for the same arguments, and updates `route`. The update depends on the
  /// arguments only, and a call with the updated route gives the same options. For a packet from a host, in_vc has no
  /// meaning.
  virtual void options(int32_t router, int32_t in_port, int32_t in_vc, PacketRoute& route,
                       RouteOptions& options) const = 0;

  /// For networks too large to follow every packet. A rank of each VC of a port that is higher than that of every
  /// buffer in which a packet may be before it; -1 if there are no ranks.
  virtual int64_t rank(int32_t /*router*/, int32_t /*port*/, int32_t /*vc*/) const { return -1; }
};

}  // namespace fabrictwin::routing
