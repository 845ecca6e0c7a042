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

/// Measured: what RTL or a router of words takes of the time, in that of routers that are packets, with `island-torus`
/// (docs/models/word-edge.md). It is hundreds of times with less traffic.
inline constexpr int32_t kKeptWork = 25;
/// What they take in the time of routers that are flits.
inline constexpr int32_t kKeptWorkOfFlits = 5;

/// The work of a port of a router that is busy in that of a router that is not: idle ones alone are no part then.
inline constexpr int32_t kBusyWork = 64;

/// Routers that stay in part 0.
struct Kept {
  std::vector<ElementId> elements;  ///< Ascending.
  std::vector<ElementId> heavy;     ///< Those of them that take `work` times the work.
  int32_t work = kKeptWork;
};

/// Cuts a system into `parts` with about as much work each, and few and slow links with long latencies between them.
/// Hosts go with their routers, so routers that share a host stay together. The work of a router is taken for its
/// number of ports, and that of a host for two more; links carry their rate. If some hosts are not `busy` (by their
/// numbers; empty: all are), they count for nothing, and routers on no shortest path between busy ones for next to
/// nothing. Returns the routers and nodes of each part, ascending; part 0 has the first router, or the first of those
/// that are kept. InvalidArgument if there are not that many routers (or groups of routers that share hosts). The
/// result depends on nothing but the arguments. By METIS (Karypis and Kumar, A fast and high quality multilevel scheme
/// for partitioning irregular graphs, SIAM J. Sci. Comput. 20, 1998).
absl::StatusOr<std::vector<std::vector<ElementId>>> find_parts(const SystemGraph& graph, int32_t parts,
                                                               const Kept& kept = {},
                                                               const std::vector<bool>& busy = {});

/// A selector of these elements (plan.h), as short as ranges make it: "router[0..15],router[20]".
std::string selector_of(const SystemGraph& graph, const std::vector<ElementId>& elements);

}  // namespace fabrictwin::system::split
