// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Paths up a tree that are chosen at random for flows (ECMP) or for packets.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <vector>

#include "models/routing/table/builder.h"
#include "models/routing/tree/routing.h"
#include "tests/models/routing/small_systems.h"

namespace fabrictwin {
namespace {

using routing::PacketRoute;
using routing::tree::TreeRouting;
using Channels = std::vector<int32_t>;

constexpr int32_t kSpines = 4;
constexpr int32_t kLeaves = 4;
constexpr int32_t kHosts = 4;  // Of each leaf.

/// Leaves are routers 0 to 3, spines 4 to 7, and joined by numbers of spines.
system::SystemGraph two_levels() {
  SmallSystem made(system::TopologyFamily::kTree, "spine_leaf", kLeaves * kHosts, kLeaves + kSpines);
  for (int32_t leaf = 0; leaf < kLeaves; ++leaf) {
    for (int32_t host = 0; host < kHosts; ++host) made.join_host(leaf * kHosts + host, leaf);
    for (int32_t spine = 0; spine < kSpines; ++spine) made.join_routers(leaf, kLeaves + spine);
  }
  return made.build();
}

// The channels that a packet takes, as routers choose.
Channels channels_of(const routing::RouterGraph& routers, const TreeRouting& routing, PacketRoute route) {
  Channels path;
  int32_t router = routers.host_router(route.source);
  routing::RouteOptions options;
  for (;;) {
    options.clear();
    routing.options(router, 0, 0, route, options);
    const auto count = static_cast<int32_t>(options.size());
    const int32_t chosen = count == 1 ? 0 : routing.choose(router, route, count);
    EXPECT_GE(chosen, 0);
    EXPECT_LT(chosen, count);
    const int32_t port = options[static_cast<size_t>(chosen)].port;
    path.push_back(routers.channel(router, port));
    const routing::RouterGraph::End& end = routers.peer(router, port);
    if (end.router < 0) return path;
    router = end.router;
  }
}

PacketRoute packet_of(int32_t source, int32_t destination, uint32_t flow, uint32_t random) {
  PacketRoute route;
  route.source = source;
  route.destination = destination;
  route.flow = flow;
  route.random = random;
  return route;
}

TEST(Ecmp, AFlowAlwaysTakesOnePathAndFlowsTakeAll) {
  const system::SystemGraph graph = two_levels();
  const routing::RouterGraph routers(graph);
  const auto routing = TreeRouting::create(routers, 1, TreeRouting::Up::kByFlow, 7);
  ASSERT_TRUE(routing.ok()) << routing.status();
  EXPECT_FALSE(routing->deterministic()) << "tables cannot express it";
  std::map<int32_t, int> flows;  // By channel up.
  for (uint32_t flow = 0; flow < 4000; ++flow) {
    const Channels path = channels_of(routers, *routing, packet_of(1, 9, flow, 0));
    ASSERT_EQ(path.size(), 3U);
    for (const uint32_t random : {1U, 77U, ~0U})
      EXPECT_EQ(channels_of(routers, *routing, packet_of(1, 9, flow, random)), path);
    ++flows[path[0]];
  }
  // 1000 each; the standard deviation is 27.
  EXPECT_EQ(flows.size(), static_cast<size_t>(kSpines));
  for (const auto& [channel, count] : flows) EXPECT_NEAR(count, 1000, 140) << channel;
}

TEST(Ecmp, PairsOfHostsAreSpread) {
  const system::SystemGraph graph = two_levels();
  const routing::RouterGraph routers(graph);
  std::map<int32_t, int> pairs;
  std::map<int32_t, int> changed;
  for (const uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U}) {
    const auto routing = TreeRouting::create(routers, 1, TreeRouting::Up::kByFlow, seed);
    ASSERT_TRUE(routing.ok()) << routing.status();
    for (int32_t source = 0; source < kHosts; ++source) {
      for (int32_t destination = kHosts; destination < kLeaves * kHosts; ++destination)
        ++pairs[channels_of(routers, *routing, packet_of(source, destination, 0, 0))[0]];
    }
    ++changed[channels_of(routers, *routing, packet_of(0, 5, 0, 0))[0]];
  }
  // 8 x 48 pairs, 96 each; the standard deviation is 8.5.
  for (const auto& [channel, count] : pairs) EXPECT_NEAR(count, 96, 43) << channel;
  EXPECT_GT(changed.size(), 1U) << "another seed, another path";
}

TEST(RandomUp, ThePacketsOfAFlowTakeAllPaths) {
  const system::SystemGraph graph = two_levels();
  const routing::RouterGraph routers(graph);
  const auto routing = TreeRouting::create(routers, 1, TreeRouting::Up::kByPacket, 7);
  ASSERT_TRUE(routing.ok()) << routing.status();
  std::map<int32_t, int> packets;
  for (uint32_t random = 0; random < 4000; ++random)
    ++packets[channels_of(routers, *routing, packet_of(1, 9, 3, random))[0]];
  EXPECT_EQ(packets.size(), static_cast<size_t>(kSpines));
  for (const auto& [channel, count] : packets) EXPECT_NEAR(count, 1000, 140) << channel;
}

// What comes from below by one port goes on by all: routers choose independently.
TEST(RandomUp, RoutersChooseIndependently) {
  const system::SystemGraph graph = two_levels();
  const auto routing = TreeRouting::create(routing::RouterGraph(graph), 1, TreeRouting::Up::kByPacket);
  ASSERT_TRUE(routing.ok()) << routing.status();
  std::map<std::pair<int32_t, int32_t>, int> both;
  for (uint32_t random = 0; random < 1600; ++random)
    ++both[{routing->choose(0, packet_of(0, 9, 0, random), 4), routing->choose(5, packet_of(0, 9, 0, random), 4)}];
  // 100 each; the standard deviation is 10.
  EXPECT_EQ(both.size(), 16U);
  for (const auto& [ports, count] : both) EXPECT_NEAR(count, 100, 50) << ports.first << ", " << ports.second;
}

TEST(RandomPaths, TablesCannotExpressThem) {
  const system::SystemGraph graph = two_levels();
  const auto routing = TreeRouting::create(routing::RouterGraph(graph), 1, TreeRouting::Up::kByFlow);
  ASSERT_TRUE(routing.ok()) << routing.status();
  EXPECT_FALSE(routing::table::make_route_table(graph, *routing).ok());
}

}  // namespace
}  // namespace fabrictwin
