// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Freedom from deadlock of routing that goes dimension by dimension.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/routing/lattice/lattice.h"
#include "models/routing/proof/deadlock_check.h"
#include "models/routing/router_graph.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::routing::proof {

/// The proof for lattice::ByDimension: buffers of a dimension wait only for those of the same or a later
/// one, so a cycle would lie in one dimension, and there all lines of routers are alike. So one line of each dimension
/// is checked, with all its packets, on both parts of their routes; where packets have escapes, a buffer also waits for
/// all later escapes of its packets. Random packets are checked to use the ports and VCs of that line everywhere.
/// InvalidArgument, naming the position, if one does not, or if there is a cycle.
absl::StatusOr<DeadlockProof> check_by_dimension(const RouterGraph& routers, const RoutingAlgorithm& routing,
                                                 const lattice::Lattice& lattice, int32_t vcs);

}  // namespace fabrictwin::routing::proof
