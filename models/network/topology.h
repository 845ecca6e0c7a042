// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Derives the system from an experiment.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"
#include "models/routing/routing.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::network {

/// Builds the graph of the experiment's topology. InvalidArgument, as a diagnostic with its location, if the topology
/// cannot be built.
absl::StatusOr<system::SystemGraph> build_topology(const experiment::Experiment& experiment);

/// The number of hosts, or of routers if there are more, of an experiment's topology, known before it is built.
double topology_nodes(const experiment::Experiment& experiment);
/// The number of hosts that share a router, or 0; see Topology::hosts_per_router().
double hosts_per_router(const experiment::Experiment& experiment);

/// Whether routers route by the coordinates in headers, as the RTL of ExaNet routers does without a table; all others
/// use a RoutingAlgorithm.
bool routed_by_coordinates(const experiment::Experiment& experiment);

/// Adds the route table of its ExaNet routers to a graph with an index. InvalidArgument, as a diagnostic with its
/// location, if tables cannot express the algorithm.
absl::Status add_route_table(const experiment::Experiment& experiment, const routing::RoutingAlgorithm& algorithm,
                             system::SystemGraph& graph);

/// The routing of one router or node of a graph from build_topology(), with its route table if it needs one.
std::shared_ptr<const routing::Routing> make_routing(const system::SystemGraph& graph, const system::Element& element);

}  // namespace fabrictwin::network
