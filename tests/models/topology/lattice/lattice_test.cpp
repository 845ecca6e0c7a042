// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/lattice/lattice.h"

#include <fstream>
#include <map>
#include <sstream>

#include "gmock/gmock.h"
#include "models/topology/lattice/tofu.h"
#include "models/topology/lattice/tofu_virtual_torus.h"
#include "models/topology/lattice/torus.h"
#include "tests/experiments.h"
#include "tests/models/topology/built_graph.h"
#include "tests/models/topology/graph_distances.h"

namespace fabrictwin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Closed forms of a lattice: links, and distances along each dimension.
void expect_closed_forms(const topology::lattice::Layout& layout, const system::SystemGraph& graph) {
  const GraphDistances distances(graph);
  int32_t links = 0;
  int32_t diameter = 0;
  int64_t sum = 0;
  const int64_t n = layout.routers();
  for (int32_t d = 0; d < layout.dimension_count(); ++d) {
    const int64_t k = layout.size(d);
    if (layout.ring(d)) {
      links += k > 1 ? static_cast<int32_t>(n) : 0;
      diameter += static_cast<int32_t>(k / 2);
      sum += n * n / k * (k * k / 4);  // A ring's distances from one node add up to floor(k^2 / 4).
    } else {
      links += static_cast<int32_t>(n / k * (k - 1));
      diameter += static_cast<int32_t>(k - 1);
      sum += n / k * (n / k) * (k * (k * k - 1) / 3);
    }
  }
  EXPECT_EQ(graph.router_count(), n);
  EXPECT_EQ(graph.host_count(), n * layout.hosts_per_router());
  EXPECT_EQ(distances.links(), links);
  const GraphDistances::Summary summary = distances.of_routers();
  EXPECT_TRUE(summary.connected);
  EXPECT_EQ(summary.diameter, diameter);
  EXPECT_EQ(summary.sum, sum);
  // Halving an even dimension: two links for each of its rings, one for each of its lines.
  for (int32_t d = 0; d < layout.dimension_count(); ++d) {
    const int32_t k = layout.size(d);
    if (k % 2 != 0) continue;
    EXPECT_EQ(distances.cut([&](int32_t r) { return layout.coordinate(r, d) < k / 2; }),
              n / k * (layout.ring(d) ? 2 : 1));
  }
}

TEST(LatticeTest, ToriAndMeshesHaveTheirClosedForms) {
  for (const char* text :
       {"torus { dims: [4, 4, 2] }", "torus { dims: [5] }", "torus { dims: [3, 1, 4] wrap: false }",
        "torus { dims: [4, 5] wrap: [true, false] hosts_per_router: 3 }", "torus { dims: [2, 2] wrap: false }",
        "torus { dims: [8, 6] }", "torus { dims: [2, 3, 2, 2, 2, 1, 2, 2] }"}) {
    SCOPED_TRACE(text);
    expect_closed_forms(experiment_with(text)->topology_as<topology::lattice::TorusSpec>().layout(), built(text));
  }
  EXPECT_EQ(built("torus { dims: [4, 4, 2] }").topology, "torus 4x4x2");
  EXPECT_EQ(built("torus { dims: [4, 4] wrap: false }").topology, "mesh 4x4");
  EXPECT_EQ(built("torus { dims: [4, 4] wrap: [true, false] hosts_per_router: 2 }").topology,
            "torus 4x4 with lines in y, 2 hosts a router");
}

TEST(LatticeTest, SeveralHostsShareARouter) {
  const system::SystemGraph graph = built("torus { dims: [3, 2] hosts_per_router: 2 }");
  EXPECT_EQ(graph.host_router(7), 12 + 3);
  EXPECT_EQ(graph.elements[7].position, "0.1.1");
  EXPECT_THAT(graph.elements[12].ports, ElementsAre("tile0", "tile1", "x+", "x-", "y+", "y-"));
  EXPECT_THAT(built("torus { dims: [3] }").elements[3].ports, ElementsAre("tile", "x+", "x-"));
}

TEST(LatticeTest, BlueGeneQHasTenLinksANode) {
  const char* text = "blue_gene_q { dims: [4, 2, 3, 2] }";
  const system::SystemGraph graph = built(text);
  using Dimension = topology::lattice::Layout::Dimension;
  const std::vector<Dimension> dimensions = {{4, true, false, "a"},
                                             {2, true, false, "b"},
                                             {3, true, false, "c"},
                                             {2, true, false, "d"},
                                             {2, true, false, "e"}};
  expect_closed_forms(topology::lattice::Layout(dimensions, 1, 1), graph);
  EXPECT_EQ(graph.topology, "blue gene/q 4x2x3x2x2");
  EXPECT_THAT(graph.elements.back().ports,
              ElementsAre("nic", "a+", "a-", "b+", "b-", "c+", "c-", "d+", "d-", "e+", "e-"));
  EXPECT_EQ(GraphDistances(graph).links(), 5 * 96);
  EXPECT_EQ(graph.link_rate.bits_per_second, 16'000'000'000);
  EXPECT_EQ(graph.elements.back().position, "3.1.2.1.1");
}

TEST(LatticeTest, TofuHasTenPortsANodeAndItsTnis) {
  const char* text = "tofu { x: 3 y: 2 z: 1 }";
  const system::SystemGraph graph = built(text);
  expect_closed_forms(experiment_with(text)->topology_as<topology::lattice::TofuSpec>().layout(), graph);
  EXPECT_EQ(graph.topology, "tofud 3x2x1x2x3x2");
  EXPECT_EQ(graph.host_count(), 72);
  EXPECT_THAT(graph.elements[0].ports, ElementsAre("tni0", "tni1", "tni2", "tni3", "tni4", "tni5"));
  EXPECT_THAT(graph.elements[72].ports, ElementsAre("tni0", "tni1", "tni2", "tni3", "tni4", "tni5", "x+", "x-", "y+",
                                                    "y-", "z+", "z-", "a", "b+", "b-", "c"));
  for (int32_t port = 0; port < 6; ++port) {
    const system::LinkEnd& end = graph.channel_target(graph.channel_from(5, port));
    EXPECT_EQ(end.element, 72 + 5);
    EXPECT_EQ(end.port, port);
  }
  EXPECT_EQ(graph.link_rate.bits_per_second, 54'400'000'000);
  EXPECT_EQ(graph.elements[71].position, "2.1.0.1.2.1");
  const system::SystemGraph first = built("tofu { generation: TOFU }");
  EXPECT_EQ(first.elements[0].ports.size(), 4U);
  EXPECT_EQ(first.link_rate.bits_per_second, 40'000'000'000);
  EXPECT_EQ(first.router_clock.period(), Clock(Frequency{312'500'000}).period());
  EXPECT_EQ(built("tofu { generation: TOFU2 }").link_rate.bits_per_second, 100'000'000'000);
}

TEST(LatticeTest, FugakuIsBuilt) {
  const system::SystemGraph graph = *network::build_topology(*experiment_with("tofu { x: 24 y: 23 z: 24 }"));
  EXPECT_EQ(graph.host_count(), 158'976);
  // Six TNIs, and per node one link "+" of X, Y, Z and B each, half of one of A and C each.
  EXPECT_EQ(graph.links.size(), 158'976U * (6 + 4 + 1));
  EXPECT_EQ(graph.elements.back().position, "23.22.23.1.2.1");
}

// Whatever the sizes: neighbours on the virtual torus have a link, and each host has one rank.
TEST(TofuVirtualTorusTest, NeighboursAreOneHopApart) {
  for (const auto& [x, y, z] :
       {std::array{1, 1, 1}, {2, 3, 1}, {3, 2, 4}, {4, 5, 2}, {1, 4, 3}, {5, 1, 2}, {2, 6, 2}}) {
    const std::string text = fmt::format("tofu {{ x: {} y: {} z: {} tnis: 1 }}", x, y, z);
    const system::SystemGraph graph = built(text);
    const topology::lattice::TofuVirtualTorus torus(experiment_with(text)->topology_as<topology::lattice::TofuSpec>());
    EXPECT_THAT(torus.dims(), ElementsAre(2 * x, 3 * y, 2 * z));
    std::set<std::pair<int32_t, int32_t>> linked;
    for (const system::Link& link : graph.links) {
      linked.insert({link.ends[0].element, link.ends[1].element});
      linked.insert({link.ends[1].element, link.ends[0].element});
    }
    std::set<int32_t> hosts;
    const std::array<int32_t, 3> dims = torus.dims();
    for (int32_t rank = 0; rank < torus.ranks(); ++rank) {
      const int32_t host = torus.host_of(rank);
      EXPECT_TRUE(hosts.insert(host).second);
      for (int32_t axis = 0, stride = 1; axis < 3; stride *= dims[axis++]) {
        const int32_t here = rank / stride % dims[axis];
        const int32_t next = torus.host_of(rank + ((here + 1) % dims[axis] - here) * stride);
        EXPECT_TRUE(linked.contains({graph.host_router(host), graph.host_router(next)}))
            << text << " rank " << rank << " axis " << axis;
      }
    }
    EXPECT_EQ(static_cast<int32_t>(hosts.size()), graph.host_count());
    EXPECT_EQ(*hosts.rbegin(), graph.host_count() - 1);
  }
}

TEST(TopologyTest, ExanetRoutersGoByCoordinatesOnlyOnPlainTori) {
  const auto by_coordinates = [](const std::string& topology) {
    return network::routed_by_coordinates(*experiment_with(topology));
  };
  EXPECT_TRUE(by_coordinates("torus { dims: [4, 3] }"));
  EXPECT_TRUE(by_coordinates("exanest { }"));
  for (const char* topology : {"torus { dims: [4, 3] wrap: false }", "torus { dims: 4 hosts_per_router: 2 }",
                               "spine_leaf { }", "sun_fire_x4600 { }", "tofu { tnis: 1 }"}) {
    EXPECT_FALSE(by_coordinates(topology)) << topology;
  }
}

// The networks of the ready experiments can be built, whatever routers they ask for.
TEST(TopologyTest, ReadyExperimentsBuild) {
  const std::map<std::string, std::string> names = {{"mesh", "mesh 4x4, 2 hosts a router"},
                                                    {"spine-leaf", "spine-leaf 4x4x4"},
                                                    {"tofu", "tofud 2x2x1x2x3x2"},
                                                    {"blue-gene-q", "blue gene/q 2x2x2x2x2"},
                                                    {"dragonfly", "dragonfly 9 groups of 2x2"},
                                                    {"fat-tree", "fat tree 4x4x4 up 4x4"},
                                                    {"fat-tree-tapered", "fat tree 8x8 up 2"},
                                                    {"sun-fire-x4600", "sun fire x4600"},
                                                    {"graph", "graph of 5 routers and 8 links"}};
  for (const auto& [file, topology] : names) {
    std::ifstream stream(fmt::format("workloads/experiments/{}.textproto", file));
    std::stringstream text;
    text << stream.rdbuf();
    const std::string all = text.str();
    const size_t begin = all.find("topology {");
    ASSERT_NE(begin, std::string::npos) << file;
    const auto experiment = test::parse_experiment(
        all.substr(begin, all.find("\nrouter {") - begin) + "\nworkload { traffic { load: 0.1 } }", file);
    ASSERT_TRUE(experiment.ok()) << experiment.status();
    EXPECT_EQ(network::build_topology(*experiment)->topology, topology);
  }
}

TEST(LatticeTest, WhatCannotBeIsRefused) {
  EXPECT_THAT(error_of("torus { dims: [4, 4, 4] wrap: [true, false] }"),
              HasSubstr("error: 2 values of wrap for 3 dims; write one for each dimension, X first, or one for all"));
  EXPECT_THAT(error_of("torus { dims: 4 hosts_per_router: 0 }"), HasSubstr("hosts_per_router 0: write 1 to 32"));
  EXPECT_THAT(error_of("torus { dims: [256, 256, 256] hosts_per_router: 2 }"), HasSubstr("write 1 or less"));
  EXPECT_THAT(error_of("tofu { x: 300 }"),
              HasSubstr("e.textproto:1:22: error: x 300: write 1 to 256; the default is 2"));
  EXPECT_THAT(error_of("tofu { x: 200 y: 200 z: 200 }"),
              HasSubstr("96000000 hosts and 96000000 routers are more than"));
  EXPECT_THAT(error_of("tofu { tnis: 9 }"), HasSubstr("tnis 9: write 1 to 8; the default is 6"));
  EXPECT_THAT(error_of("blue_gene_q { dims: [4, 4] }"), HasSubstr("2 dims: write the sizes of A, B, C and D"));
}

}  // namespace
}  // namespace fabrictwin
