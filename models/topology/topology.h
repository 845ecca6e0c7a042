// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// From an experiment to its system.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "cosim/run/experiment.h"
#include "cosim/run/system_graph.h"
#include "models/routing.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin {

/// Builds the graph of the experiment's topology. InvalidArgument, as a diagnostic with its place, if the topology
/// cannot be built.
absl::StatusOr<SystemGraph> build_topology(const Experiment& experiment);

/// Hosts, or routers if there are more of them, of the topology of an experiment, known before it is built.
double topology_nodes(const Experiment& experiment);

/// Whether routers find the way by the coordinates in headers, as the RTL of ExaNet routers does without a table; all
/// others follow a RoutingAlgorithm.
bool routed_by_coordinates(const Experiment& experiment);

/// Gives a graph with an index the route table of its ExaNet routers. InvalidArgument, as a diagnostic with its place,
/// if tables cannot carry out the algorithm.
absl::Status add_route_table(const Experiment& experiment, const RoutingAlgorithm& algorithm, SystemGraph& graph);

/// The routing of one router or node of a graph that build_topology() made, with its route table if it needs one.
std::shared_ptr<const Routing> make_routing(const SystemGraph& graph, const Element& element);

}  // namespace fabrictwin
