// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Freedom from deadlock of networks that are too large to look at every packet.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/routing/deadlock_check.h"
#include "models/routing/router_graph.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin {

/// The proof by what the algorithm says of its own structure: RoutingAlgorithm::by_dimension() or rank(). What it says
/// is an argument about the algorithm (docs/models/routing.md) that sampled packets must bear out; the proof says so.
/// InvalidArgument, naming the place, if it is not so or a deadlock is possible. Nothing is proved of other algorithms.
absl::StatusOr<DeadlockProof> check_structure(const RouterGraph& routers, const RoutingAlgorithm& routing, int32_t vcs);

}  // namespace fabrictwin
