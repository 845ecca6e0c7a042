// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbering of a fat tree: positions of routers and connections of ports. Shared by builder and routing.
#pragma once

#include <cstdint>
#include <vector>

#include "cosim/experiment/link_spec.h"

namespace fabrictwin::topology::tree {

/// See FatTree in topology.proto. Level l, from 1, is at index l - 1.
struct FatTreeSpec {
  std::vector<int32_t> down;      ///< The children of a router, for each level.
  std::vector<int32_t> up;        ///< The parents of a router, for each level but the last.
  std::vector<int32_t> parallel;  ///< The links from a router to each parent, for each level but the last.
  experiment::LinkSpec link;
  experiment::LinkSpec host;
};

/// A parallel-port generalised fat tree, PGFT(h; m; w; p) of Zahavi, "Fat-tree routing and node ordering providing
/// contention free traffic for MPI global collectives", 2012, where hosts have one link each. With levels 1 to h, m_l
/// children, w_l parents of what is below level l (w_1 = 1) and p_l links to each of them:
///   - Level l has m_{l+1} ... m_h subtrees of w_1 ... w_l routers each. Router = first_router(l) + subtree *
///   width(l) + index; leaves come first, roots last.
///   - Host i is child i % m_1 of leaf i / m_1. A router's subtree s is child s % m_{l+1} of subtree s / m_{l+1}.
///   - Router (l, subtree, index) and its parent (l + 1, subtree / m_{l+1}, index + u * width(l)), u < w_{l+1}, are
///   joined by p_{l+1} links.
///   - Ports: m_l * p_l down, that of child c and link k is c * p_l + k; then w_{l+1} * p_{l+1} up, that of parent u
///   and link k is first_up(l) + u * p_{l+1} + k.
/// Immutable; thread-safe.
class Layout {
 public:
  explicit Layout(const FatTreeSpec& spec);

  int32_t levels() const { return static_cast<int32_t>(levels_.size()); }
  int32_t hosts() const { return hosts_; }
  int32_t routers() const { return routers_; }

  /// These are of level `level`, counted from 1.
  int32_t first_router(int32_t level) const { return at(level).first; }
  int32_t routers(int32_t level) const { return at(level).subtrees * at(level).width; }
  int32_t children(int32_t level) const { return at(level).children; }
  /// Number of parents; 0 for the last level.
  int32_t parents(int32_t level) const { return at(level).parents; }
  /// Links to each child (1 to each host on level 1), and to each parent.
  int32_t links_down(int32_t level) const { return at(level).links_down; }
  int32_t links_up(int32_t level) const { return at(level).links_up; }
  /// Routers of a subtree at its top level: w_1 ... w_l.
  int32_t width(int32_t level) const { return at(level).width; }
  /// Hosts below a router: m_1 ... m_l.
  int32_t hosts_below(int32_t level) const { return at(level).hosts_below; }

  int32_t level_of(int32_t router) const;
  /// Subtree and index of a router in its level.
  int32_t subtree_of(int32_t router) const;
  int32_t index_of(int32_t router) const;
  int32_t router_of(int32_t level, int32_t subtree, int32_t index) const {
    return at(level).first + subtree * at(level).width + index;
  }
  int32_t leaf_of(int32_t host) const { return host / at(1).children; }

  /// Whether `host` is below `router`, so that its route leads down.
  bool is_above(int32_t router, int32_t host) const;
  /// The child of a router of `level` above it that leads to `host`.
  int32_t child_towards(int32_t level, int32_t host) const {
    return host / (at(level).hosts_below / at(level).children) % at(level).children;
  }

  /// Ports of a router of `level`.
  int32_t down_port(int32_t level, int32_t child, int32_t link) const { return child * at(level).links_down + link; }
  int32_t first_up(int32_t level) const { return at(level).children * at(level).links_down; }
  int32_t up_ports(int32_t level) const { return at(level).parents * at(level).links_up; }
  int32_t up_port(int32_t level, int32_t parent, int32_t link) const {
    return first_up(level) + parent * at(level).links_up + link;
  }
  int32_t ports(int32_t level) const { return first_up(level) + up_ports(level); }

 private:
  struct Level {
    int32_t children = 1;
    int32_t parents = 0;
    int32_t links_down = 1;
    int32_t links_up = 0;
    int32_t width = 1;
    int32_t subtrees = 1;
    int32_t hosts_below = 1;
    int32_t first = 0;
  };
  const Level& at(int32_t level) const { return levels_[static_cast<size_t>(level) - 1]; }

  std::vector<Level> levels_;
  int32_t hosts_ = 1;
  int32_t routers_ = 0;
};

}  // namespace fabrictwin::topology::tree
