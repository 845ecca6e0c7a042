// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Deadlock: the channel dependency graph of each VC rule on rings and small tori (Dally and Seitz: no cycle, no
// deadlock).
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "tests/rtl/ape_router/ape_reference.h"

namespace fabrictwin::test {
namespace {

/// A channel: the link that leaves `node` through `port`, on `vc`.
struct Channel {
  int node = 0;
  int port = 0;
  int vc = 0;
  auto operator<=>(const Channel&) const = default;
};

class DependencyGraph {
 public:
  DependencyGraph(std::array<int, 3> dims, std::array<int, 3> order, bool by_direction) : dims_(dims) {
    const int nodes = dims[0] * dims[1] * dims[2];
    ApeShape shape;
    shape.intra = 1;
    shape.inter = 6;
    for (int from = 0; from < nodes; ++from) {
      for (int to = 0; to < nodes; ++to) {
        for (int ties = 0; ties < 8; ++ties) walk(shape, order, by_direction, from, to, ties);
      }
    }
  }

  /// The channels of a cycle in order, nothing if there is none.
  std::vector<Channel> cycle() const {
    std::map<Channel, int> color;
    std::vector<Channel> path;
    for (const auto& [channel, next] : edges_) {
      if (color[channel] == 0 && visit(channel, color, path)) return path;
    }
    return {};
  }
  size_t channels() const { return edges_.size(); }

  std::string describe(const std::vector<Channel>& cycle) const {
    std::ostringstream out;
    for (const Channel& c : cycle) {
      const auto at = place(c.node);
      out << "(" << at[0] << "," << at[1] << "," << at[2] << ")"
          << "XYZ"[(c.port - 1) / 2] << (c.port % 2 == 1 ? "+" : "-") << "/VC" << c.vc << " -> ";
    }
    out << "the first";
    return out.str();
  }

 private:
  std::array<int, 3> place(int node) const {
    return {node % dims_[0], node / dims_[0] % dims_[1], node / dims_[0] / dims_[1]};
  }

  // A packet from one node to another, channel by channel.
  void walk(const ApeShape& shape, std::array<int, 3> order, bool by_direction, int from, int to, int ties) {
    ApeHeader header;
    header.to = place(to);
    header.ties = ties;
    int at = from;
    int in_port = 0;
    int vc = 0;
    std::optional<Channel> last;
    for (int hops = 0; hops < 100; ++hops) {
      ApeConfig config;
      config.dims = dims_;
      config.here = place(at);
      config.order = order;
      config.vc_by_direction = by_direction;
      const std::optional<ApeHop> hop = reference_route(shape, config, header, in_port, vc);
      ASSERT_TRUE(hop.has_value());
      if (hop->port == 0) {
        ASSERT_EQ(at, to);
        return;
      }
      const Channel channel{at, hop->port, hop->vc};
      edges_[channel];
      if (last) edges_[*last].insert(channel);
      last = channel;
      const int d = (hop->port - 1) / 2;
      std::array<int, 3> next = place(at);
      next[d] = (next[d] + (hop->port % 2 == 1 ? 1 : dims_[d] - 1)) % dims_[d];
      at = next[0] + dims_[0] * (next[1] + dims_[1] * next[2]);
      in_port = hop->port % 2 == 1 ? hop->port + 1 : hop->port - 1;
      vc = hop->vc;
    }
    FAIL() << "a packet does not arrive";
  }

  // Depth first; leaves the cycle in `path` if it finds one.
  bool visit(const Channel& channel, std::map<Channel, int>& color, std::vector<Channel>& path) const {
    color[channel] = 1;
    path.push_back(channel);
    for (const Channel& next : edges_.at(channel)) {
      if (color[next] == 1) {
        while (path.front() != next) path.erase(path.begin());
        return true;
      }
      if (color[next] == 0 && visit(next, color, path)) return true;
    }
    color[channel] = 2;
    path.pop_back();
    return false;
  }

  std::array<int, 3> dims_;
  std::map<Channel, std::set<Channel>> edges_;
};

constexpr std::array<int, 3> kZyx{2, 1, 0};

// Ours, which is also what the published sentence says if "offset" is destination - here: every ring and torus is free.
TEST(ApeDeadlock, DifferenceOfCoordinatesHasNoCycleOnRings) {
  for (int size = 2; size <= 8; ++size) {
    const DependencyGraph graph({size, 1, 1}, kZyx, false);
    EXPECT_GE(graph.channels(), static_cast<size_t>(2 * size - (size == 2 ? 0 : 2)));
    EXPECT_TRUE(graph.cycle().empty()) << "ring of " << size << ": " << graph.describe(graph.cycle());
  }
}

TEST(ApeDeadlock, DifferenceOfCoordinatesHasNoCycleOnTori) {
  std::array<int, 3> order{0, 1, 2};
  do {
    for (const std::array<int, 3>& dims : {std::array<int, 3>{4, 4, 1}, std::array<int, 3>{5, 3, 1},
                                           std::array<int, 3>{4, 4, 2}, std::array<int, 3>{3, 4, 5}}) {
      const DependencyGraph graph(dims, order, false);
      EXPECT_TRUE(graph.cycle().empty()) << dims[0] << "x" << dims[1] << "x" << dims[2] << " "
                                         << graph.describe(graph.cycle());
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

// The other reading: "offset" is the number of hops with their sign. Each direction of a ring then has one VC, and from
// size 4 on the packets of two hops close the circle.
TEST(ApeDeadlock, SignOfTheShortestWayHasACycleFromSizeFour) {
  for (int size = 2; size <= 8; ++size) {
    const DependencyGraph graph({size, 1, 1}, kZyx, true);
    const std::vector<Channel> cycle = graph.cycle();
    EXPECT_EQ(cycle.empty(), size < 4) << "ring of " << size;
    if (!cycle.empty()) {
      EXPECT_EQ(cycle.size(), static_cast<size_t>(size));
      std::cout << "ring of " << size << ", VC by direction: " << graph.describe(cycle) << "\n";
    } else {
      std::cout << "ring of " << size << ", VC by direction: no cycle\n";
    }
  }
  EXPECT_FALSE(DependencyGraph({4, 4, 1}, kZyx, true).cycle().empty());
  EXPECT_FALSE(DependencyGraph({4, 4, 2}, kZyx, true).cycle().empty());
}

// A cycle stays on one VC and goes once round the ring.
TEST(ApeDeadlock, TheCycleIsTheRing) {
  const DependencyGraph one({5, 1, 1}, kZyx, true);
  const std::vector<Channel> cycle = one.cycle();
  ASSERT_EQ(cycle.size(), 5u);
  for (const Channel& channel : cycle) EXPECT_EQ(channel.vc, cycle.front().vc);
}

}  // namespace
}  // namespace fabrictwin::test
