// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Freedom from deadlock of networks that are too large to follow every packet.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/routing/proof/deadlock_check.h"
#include "models/routing/router_graph.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::routing::proof {

/// Proves it from what the algorithm states about its own structure: lattice::ByDimension or rank(). The
/// statement rests on an argument about the algorithm (docs/models/routing.md) and is checked on sampled packets; the
/// text of the proof says so. InvalidArgument, naming the position, if the check fails or a deadlock is possible. Other
/// algorithms give no proof.
absl::StatusOr<DeadlockProof> check_structure(const RouterGraph& routers, const RoutingAlgorithm& routing, int32_t vcs);

}  // namespace fabrictwin::routing::proof
