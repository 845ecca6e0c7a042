// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Distances in any graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/routing/router_graph.h"

namespace fabrictwin::routing::graph {

/// Hops from each router to `target`, or -1 if there is no route. Links are full-duplex, so these are also the hops
/// back.
inline std::vector<int32_t> hops_to(const RouterGraph& routers, int32_t target) {
  std::vector<int32_t> hops(static_cast<size_t>(routers.routers()), -1);
  std::vector<int32_t> queue = {target};
  hops[target] = 0;
  for (size_t i = 0; i < queue.size(); ++i) {
    for (int32_t port = 0; port < routers.ports(queue[i]); ++port) {
      const int32_t next = routers.peer(queue[i], port).router;
      if (next < 0 || hops[next] >= 0) continue;
      hops[next] = hops[queue[i]] + 1;
      queue.push_back(next);
    }
  }
  return hops;
}

}  // namespace fabrictwin::routing::graph
