// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Duato's condition for networks whose packets are routed adaptively but always have an escape.
#pragma once

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "models/routing/proof/deadlock_check.h"
#include "models/routing/proof/route_states.h"
#include "models/routing/router_graph.h"

namespace fabrictwin::routing::proof {

/// Proves a wormhole network free of deadlock (Duato, "A new theory of deadlock-free adaptive routing in wormhole
/// networks", 1993, theorem 1): in every state a packet has an escape or its host, and there is no cycle of
/// dependencies among the escape buffers, where one depends on another if a packet may hold it, go on through any
/// number of others, and then request that one. Holding such a buffer counts even if it is not an escape for that
/// packet. Returns nothing if this takes more work than allowed. InvalidArgument, naming position or cycle, if the
/// condition does not hold.
absl::StatusOr<std::optional<DeadlockProof>> check_escapes(const RouterGraph& routers, RouteStates& states, int32_t vcs,
                                                           const DeadlockLimits& limits);

}  // namespace fabrictwin::routing::proof
