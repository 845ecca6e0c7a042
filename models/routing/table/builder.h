// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts a routing algorithm to the tables of routers.
#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "cosim/system/route_table.h"
#include "cosim/system/system_graph.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::routing::table {

/// The most destinations of a network that is routed by tables: the work grows with their square.
inline constexpr int32_t kMaxRouteDestinations = 4096;

/// The number of destinations in the table of a graph: hosts times the ports of the host that has most.
int32_t route_destinations(const system::SystemGraph& graph);

/// The number of a port of a host in tables and headers, for `hosts` hosts in all: that of the host for port 0.
constexpr int32_t route_destination(int32_t host, int32_t port, int32_t hosts) { return host + port * hosts; }

/// The table entries that packets between all hosts of an indexed graph use, found by following each packet from router
/// to router; all other entries have no route. Packets go from port p of a host to port p of another, modulo its ports.
/// A packet that may choose among VCs keeps its own if possible, else takes the lowest. InvalidArgument, naming the
/// position in the network, if tables cannot express the algorithm: it is adaptive, needs more than two VCs, or depends
/// on more than input port, input VC and destination.
absl::StatusOr<std::shared_ptr<const system::RouteTable>> make_route_table(const system::SystemGraph& graph,
                                                                           const RoutingAlgorithm& algorithm);

}  // namespace fabrictwin::routing::table
