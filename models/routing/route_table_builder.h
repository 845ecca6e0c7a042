// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// From a routing algorithm to the tables of routers.
#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "cosim/run/route_table.h"
#include "cosim/run/system_graph.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin {

/// Most destinations of a network that is routed by tables: the work grows with their square.
inline constexpr int32_t kMaxRouteDestinations = 4096;

/// Destinations of the table of a graph: ports of all hosts, as many of each as of the host that has most.
int32_t route_destinations(const SystemGraph& graph);

/// The number of a port of a host, of `hosts` in all, in tables and headers: that of the host for port 0.
constexpr int32_t route_destination(int32_t host, int32_t port, int32_t hosts) { return host + port * hosts; }

/// The entries that packets between all hosts of an indexed graph meet, found by following each of them from router to
/// router; all others have no route. From port p of a host they go to port p of another, modulo its ports. Where a
/// packet may choose among VCs it keeps its own if that is among them, else it takes the lowest. InvalidArgument, with
/// the place in the network, if the algorithm cannot be carried out by tables: it is adaptive, needs more than two VCs,
/// or what it says depends on more than input port, input VC and destination.
absl::StatusOr<std::shared_ptr<const RouteTable>> make_route_table(const SystemGraph& graph,
                                                                   const RoutingAlgorithm& algorithm);

}  // namespace fabrictwin
