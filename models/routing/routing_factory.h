// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// From an experiment to its routing algorithm.
#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "cosim/run/experiment.h"
#include "cosim/run/system_graph.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin {

/// The algorithm that an experiment means for a graph: what it says, or what is the default of the topology.
v1::RoutingKind routing_kind(const Experiment& experiment, const SystemGraph& graph);

/// Makes the routing of a graph with an index (SystemGraph::build_index()) whose routers have `vcs` VCs on each port.
/// InvalidArgument, as a diagnostic with its place, if the algorithm does not suit the topology, needs more VCs, or
/// one of its parameters is wrong.
absl::StatusOr<std::shared_ptr<const RoutingAlgorithm>> make_routing_algorithm(const Experiment& experiment,
                                                                               const SystemGraph& graph, int32_t vcs);

}  // namespace fabrictwin
