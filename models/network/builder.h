// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// From an experiment to a system that packets find their way through.
#pragma once

#include "absl/status/statusor.h"
#include "cosim/run/experiment.h"
#include "cosim/run/system_graph.h"

namespace fabrictwin {

/// Builds the graph of an experiment's topology (build_topology()) with all that its routers need to route: the proof
/// that it is free of deadlock, and route tables where routers of the model EXANET do not go by coordinates. All who
/// run an experiment start here. InvalidArgument, as a diagnostic with its place, if the topology cannot be built, its
/// routers cannot have the ports, the links or the routing, or a deadlock is possible. A network for which nothing can
/// be proved is no error: SystemGraph::routing_proved says so.
absl::StatusOr<SystemGraph> build_system(const Experiment& experiment);

}  // namespace fabrictwin
