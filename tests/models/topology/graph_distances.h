// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Distances in a graph that has been built, found by breadth-first search: what closed forms are compared with.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cosim/system/system_graph.h"

namespace fabrictwin {

/// Routers of a graph and the links between them.
class GraphDistances {
 public:
  explicit GraphDistances(const system::SystemGraph& graph) : graph_(graph), first_(graph.host_count()) {
    neighbours_.resize(static_cast<size_t>(graph.router_count()));
    for (const system::Link& link : graph.links) {
      const int32_t a = link.ends[0].element - first_;
      const int32_t b = link.ends[1].element - first_;
      if (a < 0 || b < 0) continue;
      ++links_;
      neighbours_[a].push_back(b);
      neighbours_[b].push_back(a);
    }
  }

  int32_t routers() const { return static_cast<int32_t>(neighbours_.size()); }
  /// Links between routers.
  int32_t links() const { return links_; }

  /// Links on the shortest path from a router to each; -1 where there is none.
  std::vector<int32_t> from(int32_t router) const {
    std::vector<int32_t> distance(neighbours_.size(), -1);
    std::vector<int32_t> queue{router};
    distance[router] = 0;
    for (size_t i = 0; i < queue.size(); ++i) {
      for (const int32_t next : neighbours_[queue[i]]) {
        if (distance[next] >= 0) continue;
        distance[next] = distance[queue[i]] + 1;
        queue.push_back(next);
      }
    }
    return distance;
  }

  struct Summary {
    int32_t diameter = 0;
    int64_t sum = 0;  ///< Over all ordered pairs.
    bool connected = true;
    double mean(int64_t of) const {
      return static_cast<double>(sum) / static_cast<double>(of) / static_cast<double>(of - 1);
    }
  };
  /// Of all pairs of different routers.
  Summary of_routers() const {
    std::vector<int32_t> all;
    for (int32_t r = 0; r < routers(); ++r) all.push_back(r);
    return of(all);
  }
  /// Of all pairs of different hosts, between their routers.
  Summary of_hosts() const {
    std::vector<int32_t> at;
    for (int32_t h = 0; h < graph_.host_count(); ++h) at.push_back(graph_.host_router(h) - first_);
    return of(at);
  }

  /// Links between the routers for which `side` holds and the others.
  int32_t cut(const std::function<bool(int32_t)>& side) const {
    int32_t links = 0;
    for (int32_t r = 0; r < routers(); ++r) {
      for (const int32_t next : neighbours_[r]) links += side(r) && !side(next) ? 1 : 0;
    }
    return links;
  }

 private:
  Summary of(const std::vector<int32_t>& routers_of) const {
    Summary summary;
    for (const int32_t router : routers_of) {
      const std::vector<int32_t> distance = from(router);
      for (const int32_t other : routers_of) {
        summary.connected = summary.connected && distance[other] >= 0;
        summary.diameter = std::max(summary.diameter, distance[other]);
        summary.sum += distance[other];
      }
    }
    return summary;
  }

  const system::SystemGraph& graph_;
  int32_t first_;
  int32_t links_ = 0;
  std::vector<std::vector<int32_t>> neighbours_;
};

}  // namespace fabrictwin
