// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses where to cut a system into parts that run at the same time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::system::split {

/// Cuts a system into `parts` with about as much work each, and few and slow links with long latencies between them.
/// Hosts go with their routers, so routers that share a host stay together. The work of a router is taken for its
/// number of ports, and that of a host for two more; links carry their rate. Returns the routers and nodes of each
/// part, ascending; part 0 has the first router. InvalidArgument if there are not that many routers (or groups of
/// routers that share hosts). The result depends on nothing but the arguments. By METIS (Karypis and Kumar, A fast and
/// high quality multilevel scheme for partitioning irregular graphs, SIAM J. Sci. Comput. 20, 1998).
absl::StatusOr<std::vector<std::vector<ElementId>>> find_parts(const SystemGraph& graph, int32_t parts);

/// A selector of these elements (plan.h), as short as ranges make it: "router[0..15],router[20]".
std::string selector_of(const SystemGraph& graph, const std::vector<ElementId>& elements);

}  // namespace fabrictwin::system::split
