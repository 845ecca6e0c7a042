// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Follows packets as routers would.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <random>
#include <vector>

#include "models/routing/router_graph.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin {

/// A load that is the same for the same seed, and different everywhere.
class RandomLoad : public routing::CongestionView {
 public:
  explicit RandomLoad(uint32_t seed) : seed_(seed) {}
  int64_t queue(int32_t router, int32_t port) const override {
    std::minstd_rand random(seed_ + static_cast<uint32_t>(router * 64 + port) * 2654435761U);
    random.discard(3);
    return random() % 100;
  }

 private:
  uint32_t seed_;
};

/// Routers that a packet visits, first and last included, where options and VCs are drawn; empty, with a test failure,
/// if it does not arrive.
inline std::vector<int32_t> walk(const routing::RouterGraph& routers, const routing::RoutingAlgorithm& routing,
                                 routing::PacketRoute route, const routing::CongestionView& load,
                                 std::minstd_rand& random, bool escapes_only = false) {
  int32_t at = routers.host_router(route.source);
  int32_t in_port = routers.host_port(route.source);
  int32_t in_vc = 0;
  routing.begin(at, route, load);
  std::vector<int32_t> visited = {at};
  while (visited.size() < 200) {
    routing::RouteOptions options;
    routing.options(at, in_port, in_vc, route, options);
    if (options.size() == 0) {
      ADD_FAILURE() << "no hop onward in " << routers.router_name(at);
      return {};
    }
    routing::RouteOptions again;
    routing.options(at, in_port, in_vc, route, again);
    EXPECT_EQ(again.size(), options.size()) << "asked twice";
    EXPECT_TRUE(!routing.deterministic() || options.size() == 1);
    size_t chosen = options.size() - 1;
    if (!escapes_only) {
      // Escapes are for when nothing else has room.
      while (chosen > 0 && options[chosen].escape) --chosen;
      chosen = random() % (chosen + 1);
    }
    const routing::RouteOption option = options[chosen];
    const routing::RouterGraph::End end = routers.peer(at, option.port);
    if (end.host >= 0) {
      EXPECT_EQ(end.host, route.destination);
      return visited;
    }
    if (end.router < 0 || option.vcs == 0) {
      ADD_FAILURE() << "leads nowhere in " << routers.router_name(at);
      return {};
    }
    do {
      in_vc = static_cast<int32_t>(random() % 32);
    } while ((option.vcs >> in_vc & 1) == 0);
    at = end.router;
    in_port = end.port;
    visited.push_back(at);
  }
  ADD_FAILURE() << "from host " << route.source << " to " << route.destination << ": no arrival";
  return {};
}

}  // namespace fabrictwin
