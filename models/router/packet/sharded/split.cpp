// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/packet/sharded/split.h"

#include <algorithm>
#include <limits>

namespace fabrictwin::router::packet::sharded {
namespace {

/// The routers that a host is linked with, by element: the lowest and the highest.
struct Range {
  int32_t lowest = std::numeric_limits<int32_t>::max();
  int32_t highest = -1;
};

}  // namespace

std::vector<uint8_t> split_network(const system::SystemGraph& graph, int32_t shards) {
  const int32_t hosts = graph.host_count();
  const auto elements = static_cast<int32_t>(graph.elements.size());
  std::vector<Range> joined(static_cast<size_t>(hosts));
  for (const system::Link& link : graph.links) {
    for (int side = 0; side < 2; ++side) {
      const int32_t host = link.ends[side].element;
      const int32_t router = link.ends[1 - side].element;
      if (host >= hosts || router < hosts) continue;
      Range& range = joined[static_cast<size_t>(host)];
      range.lowest = std::min(range.lowest, router);
      range.highest = std::max(range.highest, router);
    }
  }
  // A cut in front of these routers would go through links of hosts if the sum is more than 0.
  std::vector<int32_t> together(static_cast<size_t>(elements) + 1);
  std::vector<int64_t> weight(static_cast<size_t>(elements));
  int64_t total = 0;
  for (int32_t e = hosts; e < elements; ++e)
    weight[static_cast<size_t>(e)] = static_cast<int64_t>(graph.elements[static_cast<size_t>(e)].ports.size());
  for (const Range& range : joined) {
    if (range.highest < 0) continue;
    ++together[static_cast<size_t>(range.lowest) + 1];
    --together[static_cast<size_t>(range.highest) + 1];
    // Accounts for the process of a host and its network interface.
    weight[static_cast<size_t>(range.lowest)] += 2;
  }
  for (const int64_t w : weight) total += w;

  std::vector<uint8_t> shard(static_cast<size_t>(elements));
  int32_t current = 0;
  int32_t begun = 0;
  int32_t open = 0;
  int64_t before = 0;
  for (int32_t e = hosts; e < elements; ++e) {
    open += together[static_cast<size_t>(e)];
    const bool due = before * shards >= total * (begun + 1);
    if (due && open == 0 && current + 1 < shards && before > 0) {
      ++current;
      begun = static_cast<int32_t>(before * shards / total);
    }
    before += weight[static_cast<size_t>(e)];
    shard[static_cast<size_t>(e)] = static_cast<uint8_t>(current);
  }
  for (int32_t host = 0; host < hosts; ++host) {
    const Range& range = joined[static_cast<size_t>(host)];
    if (range.highest >= 0) shard[static_cast<size_t>(host)] = shard[static_cast<size_t>(range.lowest)];
  }
  return shard;
}

}  // namespace fabrictwin::router::packet::sharded
