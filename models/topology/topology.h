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

namespace fabrictwin {

/// Builds the graph of the experiment's topology. InvalidArgument, as a diagnostic with its place, if the topology
/// cannot be built.
absl::StatusOr<SystemGraph> build_topology(const Experiment& experiment);

/// Hosts, or routers if there are more of them, of the topology of an experiment, known before it is built.
double topology_nodes(const Experiment& experiment);

/// Gives the graph what its routers need to find their way: a route table where they are of the model EXANET and
/// coordinates are not enough. InvalidArgument, as a diagnostic with its place, if they cannot have the ports or the
/// routing. The graph has its index.
absl::Status add_routes(const Experiment& experiment, SystemGraph& graph);

/// The routing of one router or node of a graph that build_topology() made and add_routes() completed.
std::shared_ptr<const Routing> make_routing(const SystemGraph& graph, const Element& element);

}  // namespace fabrictwin
