// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Which buffers wait for which: the channel dependency graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/routing/router_graph.h"

namespace fabrictwin {

/// A graph of buffers: a VC of a channel (VC v of channel c is buffer c * vcs + v). An edge says that a packet may hold
/// one while it waits for the other (Dally and Seitz 1987). Not thread-safe while it grows.
class DependencyGraph {
 public:
  DependencyGraph(const RouterGraph& routers, int32_t vcs);

  int32_t buffers() const { return static_cast<int32_t>(next_.size()); }
  int64_t edges() const { return edges_; }
  /// Adds an edge, once.
  void add(int32_t from, int32_t to);
  /// Gives each buffer a rank such that all edges lead to higher ranks. False if there is a cycle.
  bool rank(std::vector<int32_t>& ranks) const;
  /// A cycle, each buffer once, or nothing if there is none.
  std::vector<int32_t> find_cycle() const;
  /// "router[0].x+ VC 0 -> router[1].x+ VC 0 -> router[0].x+ VC 0".
  std::string cycle_text(const std::vector<int32_t>& cycle) const;
  std::string buffer_name(int32_t buffer) const;

 private:
  const RouterGraph& routers_;
  int32_t vcs_;
  size_t words_;
  int64_t edges_ = 0;
  std::vector<std::vector<int32_t>> next_;
  /// A bit for each buffer of the router that a buffer leads to, words_ for each buffer: edges that are there.
  std::vector<uint64_t> known_;
};

}  // namespace fabrictwin
