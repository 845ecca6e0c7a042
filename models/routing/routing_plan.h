// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What is decided about routing before a run.
#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "cosim/run/experiment.h"
#include "cosim/run/system_graph.h"
#include "models/routing/deadlock_check.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin {

/// The routing of an experiment and what is known of it.
struct RoutingPlan {
  v1::RoutingKind kind = v1::DIMENSION_ORDER;
  int32_t vcs = 0;      ///< That routers have.
  int32_t classes = 0;  ///< That the algorithm tells apart: the VCs that it needs.
  DeadlockProof proof;
  std::shared_ptr<const RoutingAlgorithm> algorithm;
};

/// Makes the routing of a graph with an index and proves the network free of deadlock, for routers that do not go by
/// coordinates (routed_by_coordinates()). InvalidArgument, as a diagnostic with its place, if the algorithm does not
/// suit or a deadlock is possible. A network for which nothing can be proved either way is no error: RoutingPlan::proof
/// says so.
absl::StatusOr<RoutingPlan> plan_routing(const Experiment& experiment, const SystemGraph& graph);

}  // namespace fabrictwin
