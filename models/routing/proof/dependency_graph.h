// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The channel dependency graph: which buffers wait for which.
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/routing/router_graph.h"

namespace fabrictwin::routing::proof {

/// A graph of buffers: VC v of channel c is buffer c * vcs + v. An edge means that a packet may hold one while it waits
/// for the other (Dally and Seitz 1987). Not thread-safe while it is being built.
class DependencyGraph {
 public:
  DependencyGraph(const RouterGraph& routers, int32_t vcs);

  int32_t buffers() const { return static_cast<int32_t>(boost::num_vertices(graph_)); }
  int64_t edges() const { return edges_; }
  /// Adds an edge unless it exists.
  void add(int32_t from, int32_t to);
  /// Gives each buffer a rank such that all edges lead to higher ranks. False if there is a cycle.
  bool rank(std::vector<int32_t>& ranks) const;
  /// A shortest cycle through the lowest buffer that is part of any, which it begins with; empty if there is none.
  std::vector<int32_t> find_cycle() const;
  /// "router[0].x+ VC 0 -> router[1].x+ VC 0 -> router[0].x+ VC 0".
  std::string cycle_text(const std::vector<int32_t>& cycle) const;
  std::string buffer_name(int32_t buffer) const;

 private:
  const RouterGraph& routers_;
  int32_t vcs_;
  size_t words_;
  int64_t edges_ = 0;
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph_;
  /// The edges that exist: for each buffer, words_ words with a bit for each buffer of the router that it leads to.
  std::vector<uint64_t> known_;
};

}  // namespace fabrictwin::routing::proof
