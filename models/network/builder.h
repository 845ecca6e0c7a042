// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds a system with proved routing from an experiment.
#pragma once

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::network {

/// Builds the graph of an experiment's topology (build_topology()) with all that its routers need to route: the proof
/// that it is free of deadlock, and route tables where routers of the model EXANET do not use coordinates. Every run of
/// an experiment starts here. InvalidArgument, as a diagnostic with its location, if the topology cannot be built, its
/// routers cannot have the ports, the links or the routing, or a deadlock is possible. A network for which nothing can
/// be proved is not an error: see SystemGraph::routing_proved.
absl::StatusOr<system::SystemGraph> build_system(const experiment::Experiment& experiment);

}  // namespace fabrictwin::network
