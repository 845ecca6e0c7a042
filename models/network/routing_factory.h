// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Derives the routing algorithm from an experiment.
#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::network {

/// The algorithm of an experiment for a graph: the one that it names, or the default of the topology.
v1::RoutingKind routing_kind(const experiment::Experiment& experiment, const system::SystemGraph& graph);

/// Makes the routing of a graph with an index (SystemGraph::build_index()) whose routers have `vcs` VCs on each port.
/// InvalidArgument, as a diagnostic with its location, if the algorithm does not suit the topology, needs more VCs, or
/// has a wrong parameter.
absl::StatusOr<std::shared_ptr<const routing::RoutingAlgorithm>> make_routing_algorithm(
    const experiment::Experiment& experiment, const system::SystemGraph& graph, int32_t vcs);

}  // namespace fabrictwin::network
