// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Freedom from deadlock of routing that goes dimension by dimension.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/routing/deadlock_check.h"
#include "models/routing/lattice.h"
#include "models/routing/router_graph.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin {

/// The proof for RoutingAlgorithm::by_dimension(): buffers of a dimension only wait for those of the same or a later
/// one, so a circle would lie in one dimension; and there all lines of routers are alike. So one line of each dimension
/// is looked at, with all its packets, on both parts of their ways; where packets have escapes, a buffer also waits
/// for all later escapes of its packets. That ports and VCs are those of that line everywhere is compared for drawn
/// packets. InvalidArgument, naming the place, if it is not so, or there is a circle.
absl::StatusOr<DeadlockProof> check_by_dimension(const RouterGraph& routers, const RoutingAlgorithm& routing,
                                                 const Lattice& lattice, int32_t vcs);

}  // namespace fabrictwin
