// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The routing decisions that are made before a run.
#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"
#include "models/routing/proof/deadlock_check.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::network {

/// The routing of an experiment and what was proved about it.
struct RoutingPlan {
  v1::RoutingKind kind = v1::DIMENSION_ORDER;
  int32_t vcs = 0;      ///< VCs of each port of a router.
  int32_t classes = 0;  ///< VC classes of the algorithm: the VCs that it needs.
  routing::proof::DeadlockProof proof;
  std::shared_ptr<const routing::RoutingAlgorithm> algorithm;
};

/// Makes the routing of a graph with an index and proves the network free of deadlock, for routers that do not use
/// coordinates (routed_by_coordinates()). InvalidArgument, as a diagnostic with its location, if the algorithm does not
/// suit or a deadlock is possible. A network for which nothing can be proved is not an error: see
/// RoutingPlan::proof.
absl::StatusOr<RoutingPlan> plan_routing(const experiment::Experiment& experiment, const system::SystemGraph& graph);

}  // namespace fabrictwin::network
