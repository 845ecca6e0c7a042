// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Which elements of a network are simulated by one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/run/system_graph.h"

namespace fabrictwin {

/// At most so many shards.
inline constexpr int32_t kMaxShards = 16;

/// Cuts a network into up to `shards` (at least 1, at most kMaxShards) ranges of routers that follow each other, with
/// about as many ports each; a host is where its routers are. Fewer where there are not as many places to cut without
/// cutting links of hosts. Gives the shard of each element of `graph`, numbered from 0 without gaps.
std::vector<uint8_t> split_network(const SystemGraph& graph, int32_t shards);

}  // namespace fabrictwin
