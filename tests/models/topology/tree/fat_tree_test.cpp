// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

#include "gmock/gmock.h"
#include "models/topology/tree/layout.h"
#include "tests/models/topology/built_graph.h"
#include "tests/models/topology/graph_distances.h"

namespace fabrictwin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(FatTreeTest, KAryNTreesHaveTheirClosedForms) {
  for (const auto& [k, n] : {std::pair{2, 1}, {2, 3}, {3, 3}, {4, 2}, {2, 5}}) {
    std::string down;
    for (int i = 0; i < n; ++i) down += fmt::format("down: {} ", k);
    const system::SystemGraph graph = built(fmt::format("fat_tree {{ {} }}", down));
    const GraphDistances distances(graph);
    int32_t power = 1;  // k^(n-1)
    for (int i = 1; i < n; ++i) power *= k;
    EXPECT_EQ(graph.host_count(), power * k);
    EXPECT_EQ(graph.router_count(), n * power);
    EXPECT_EQ(distances.links(), (n - 1) * power * k);
    const GraphDistances::Summary hosts = distances.of_hosts();
    EXPECT_TRUE(hosts.connected);
    EXPECT_EQ(hosts.diameter, 2 * (n - 1));
    // k^l hosts share a subtree of level l, and those that do not share a smaller one are 2 (l - 1) links apart.
    int64_t sum = 0;
    for (int64_t l = 1, below = 1; l <= n; ++l, below *= k) sum += 2 * (l - 1) * (below * k - below);
    EXPECT_EQ(hosts.sum, sum * graph.host_count());
    // Between the halves of the hosts: each root has k / 2 children in each half.
    if (k % 2 == 0 && n > 1) {
      const topology::tree::Layout layout(
          experiment_with(fmt::format("fat_tree {{ {} }}", down))->topology_as<topology::tree::FatTreeSpec>());
      EXPECT_EQ(distances.cut([&, n = n](int32_t r) {
        return layout.level_of(r) < n &&
               layout.subtree_of(r) * layout.hosts_below(layout.level_of(r)) < graph.host_count() / 2;
      }),
                graph.host_count() / 2);
    }
  }
}

// Every router that says it is above a host is found above it, through the port that it says.
TEST(FatTreeTest, TheLayoutIsThatOfTheGraph) {
  for (const std::string text : {"fat_tree { down: [3, 4, 2] up: [2, 3] parallel: [2, 1] }",
                                 "fat_tree { down: [4, 4, 4] up: [2, 1] }", "fat_tree { down: [2, 3, 2, 2] }"}) {
    const system::SystemGraph graph = built(text);
    const topology::tree::Layout layout(experiment_with(text)->topology_as<topology::tree::FatTreeSpec>());
    const int32_t hosts = graph.host_count();
    ASSERT_EQ(layout.routers(), graph.router_count());
    for (int32_t router = 0; router < layout.routers(); ++router) {
      const int32_t level = layout.level_of(router);
      EXPECT_EQ(layout.router_of(level, layout.subtree_of(router), layout.index_of(router)), router);
      EXPECT_EQ(static_cast<int32_t>(graph.elements[hosts + router].ports.size()), layout.ports(level));
      const auto peer = [&](int32_t port) {
        return graph.channel_target(graph.channel_from(hosts + router, port)).element;
      };
      for (int32_t host = 0; host < hosts; ++host) {
        if (!layout.is_above(router, host)) continue;
        for (int32_t k = 0; k < layout.links_down(level); ++k) {
          const system::ElementId child = peer(layout.down_port(level, layout.child_towards(level, host), k));
          if (level == 1) {
            EXPECT_EQ(child, host);
          } else {
            EXPECT_EQ(layout.level_of(child - hosts), level - 1);
            EXPECT_TRUE(layout.is_above(child - hosts, host));
          }
        }
      }
      for (int32_t u = 0; u < layout.parents(level); ++u) {
        for (int32_t k = 0; k < layout.links_up(level); ++k) {
          const int32_t parent = peer(layout.up_port(level, u, k)) - hosts;
          EXPECT_EQ(layout.level_of(parent), level + 1);
          EXPECT_EQ(layout.index_of(parent), layout.index_of(router) + u * layout.width(level));
        }
      }
    }
  }
}

TEST(FatTreeTest, TaperedTreesHaveFewerRoutersAbove) {
  // 36-port switches, 18 hosts a leaf, 36 leaves, 18 spines: two-level InfiniBand.
  const system::SystemGraph full = built("fat_tree { down: [18, 36] }");
  EXPECT_EQ(full.host_count(), 648);
  EXPECT_EQ(full.router_count(), 36 + 18);
  EXPECT_EQ(GraphDistances(full).links(), 36 * 18);
  EXPECT_EQ(full.topology, "fat tree 18x36 up 18");
  const system::SystemGraph tapered = built("fat_tree { down: [24, 8] up: [4] parallel: [2] }");
  EXPECT_EQ(tapered.router_count(), 8 + 4);
  EXPECT_EQ(GraphDistances(tapered).links(), 8 * 4 * 2);
  EXPECT_EQ(tapered.elements.back().ports.size(), 16U);
  EXPECT_EQ(tapered.elements.back().position, "2.3");
}

TEST(FatTreeTest, SpineLeafNetworksHaveTheirClosedForms) {
  for (const auto& [spines, leaves, hosts, parallel] : {std::array{1, 1, 2, 1}, {2, 4, 4, 1}, {3, 5, 2, 2}}) {
    const system::SystemGraph graph = built(fmt::format(
        "spine_leaf {{ spines: {} leaves: {} hosts_per_leaf: {} parallel: {} }}", spines, leaves, hosts, parallel));
    const GraphDistances distances(graph);
    EXPECT_EQ(graph.host_count(), leaves * hosts);
    EXPECT_EQ(graph.router_count(), leaves + spines);
    EXPECT_EQ(distances.links(), leaves * spines * parallel);
    const GraphDistances::Summary summary = distances.of_hosts();
    EXPECT_EQ(summary.diameter, leaves > 1 ? 2 : 0);
    EXPECT_EQ(summary.sum, 2 * int64_t{leaves} * hosts * (leaves - 1) * hosts);
    EXPECT_EQ(distances.cut([&, leaves = leaves](int32_t r) { return r < leaves / 2; }),
              leaves / 2 * spines * parallel);
  }
  const system::SystemGraph graph = built("spine_leaf { }");
  EXPECT_EQ(graph.link_rate.bits_per_second, 100'000'000'000);
  EXPECT_EQ(graph.elements[16].name, "router[0]");
  EXPECT_THAT(graph.elements[16].ports, ElementsAre("host0", "host1", "host2", "host3", "up0", "up1"));
  EXPECT_EQ(graph.elements[16 + 5].position, "2.1");
}

TEST(FatTreeTest, WhatCannotBeIsRefused) {
  EXPECT_THAT(
      error_of("fat_tree { down: [40, 4] }"),
      HasSubstr("e.textproto:1:30: error: a router of level 1 would have 80 ports, and routers have at most 64; "
                "write a smaller down or up"));
  EXPECT_THAT(error_of("fat_tree { down: [4, 0] }"), HasSubstr("error: down 0: write 1 to 64"));
  EXPECT_THAT(error_of("fat_tree { down: [4, 4] up: [4, 4] }"),
              HasSubstr("error: 2 values of up for 2 levels; write one for each level of down but the last, or none"));
  EXPECT_THAT(error_of("fat_tree { down: [5, 4] parallel: [2] }"),
              HasSubstr("has 5 links down, which 2 to each parent"));
  EXPECT_THAT(error_of("fat_tree { down: [32, 32, 32, 32, 32] }"), HasSubstr("than 2^24 = 16777216"));
  EXPECT_THAT(error_of("fat_tree { link_latency_cycles: 0 }"), HasSubstr("so it is not zero; write 1 to 1000000"));
  EXPECT_THAT(error_of("fat_tree { link_rate: \"200Gbps\" }"), HasSubstr("error: a link faster than its clock"));
  EXPECT_THAT(error_of("spine_leaf { spines: 40 parallel: 2 }"), HasSubstr("a leaf would have 84 ports"));
  EXPECT_THAT(error_of("spine_leaf { leaves: 65 }"), HasSubstr("leaves 65: write 1 to 64; the default is 4"));
}

}  // namespace
}  // namespace fabrictwin
