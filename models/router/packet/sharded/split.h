// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Assigns the elements of a network to threads.
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/system/system_graph.h"

namespace fabrictwin::router::packet::sharded {

/// The most shards of a network.
inline constexpr int32_t kMaxShards = 16;

/// Cuts a network into up to `shards` (1 to kMaxShards) ranges of consecutive routers with about as many ports each; a
/// host goes with its routers. Gives fewer shards if there are not enough cuts that spare the links of hosts. Returns
/// the shard of each element of `graph`, numbered from 0 without gaps.
std::vector<uint8_t> split_network(const system::SystemGraph& graph, int32_t shards);

}  // namespace fabrictwin::router::packet::sharded
