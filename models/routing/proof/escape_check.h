// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Duato's condition for networks whose packets may go anywhere but always have an escape.
#pragma once

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "models/routing/deadlock_check.h"
#include "models/routing/route_states.h"
#include "models/routing/router_graph.h"

namespace fabrictwin {

/// Proves a wormhole network free of deadlock (Duato, "A new theory of deadlock-free adaptive routing in wormhole
/// networks", 1993, theorem 1): in every state a packet has an escape or its host, and among the buffers of escapes
/// there is no cycle of dependencies, where one depends on another if a packet may hold it, go on through any number of
/// others, and then want that one. Taking such a buffer counts even where it is no escape for that packet. Nothing if
/// that is more work than allowed. InvalidArgument, naming place or cycle, if it is not so.
absl::StatusOr<std::optional<DeadlockProof>> check_escapes(const RouterGraph& routers, RouteStates& states, int32_t vcs,
                                                           const DeadlockLimits& limits);

}  // namespace fabrictwin
