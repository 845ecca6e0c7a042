// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/pages/network_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace fabrictwin {
namespace {

using dashboards::html::Map;
using dashboards::pages::network_map;
using ::testing::HasSubstr;

/// A lattice of routers with a host each, linked in a ring along x.
system::SystemGraph lattice(int32_t x, int32_t y) {
  system::SystemGraph graph;
  graph.dims = {x, y};
  for (int32_t i = 0; i < x * y; ++i) {
    system::Element& host = graph.elements.emplace_back();
    host.name = "host[" + std::to_string(i) + "]";
    host.kind = system::ElementKind::kHost;
    host.ports = {"tile"};
  }
  for (int32_t i = 0; i < x * y; ++i) {
    system::Element& router = graph.elements.emplace_back();
    router.name = "router[" + std::to_string(i) + "]";
    router.coordinates = {i % x, i / x};
    router.ports = {"tile", "x+", "x-"};
    graph.links.push_back({{{i, 0}, {x * y + i, 0}}});
  }
  for (int32_t i = 0; i < x * y; ++i) graph.links.push_back({{{x * y + i, 1}, {x * y + i / x * x + (i + 1) % x, 2}}});
  graph.build_index();
  return graph;
}

v1::Report report_of(const system::SystemGraph& graph) {
  v1::Report report;
  for (int32_t channel = 0; channel < graph.channel_count(); ++channel) {
    v1::LinkReport& link = *report.add_links();
    link.set_name(graph.channel_name(channel));
    link.set_utilization(0.01 * channel);
    link.set_credit_stall_seconds(1e-6 * channel);
    link.set_bytes(static_cast<uint64_t>(channel) * 1'000'000);
  }
  return report;
}

TEST(NetworkMapTest, FramesHaveTheLoadsOfIntervals) {
  const system::SystemGraph graph = lattice(2, 1);
  v1::Report report = report_of(graph);
  for (int i = 1; i <= 2; ++i) {
    v1::LinkInterval& interval = *report.mutable_link_series()->add_intervals();
    interval.set_end_seconds(i * 1e-6);
    for (int link = 0; link < report.links_size(); ++link) interval.add_permille(static_cast<uint32_t>(100 * i + link));
  }
  const Map map = network_map(graph, report);
  ASSERT_EQ(map.frames.size(), 2u);
  EXPECT_DOUBLE_EQ(map.frames[1].end, 2);
  ASSERT_EQ(map.frames[1].values.size(), map.edges.size());
  EXPECT_EQ(map.frames[1].values[3], 203);
  // Of many links, the series has none of its own.
  for (v1::LinkInterval& interval : *report.mutable_link_series()->mutable_intervals()) interval.clear_permille();
  EXPECT_TRUE(network_map(graph, report).frames.empty());
  EXPECT_EQ(network_map(graph, report).note, "");
  report.mutable_link_series()->add_unknown(1);
  report.mutable_link_series()->add_unknown(2);
  EXPECT_THAT(network_map(graph, report).note, HasSubstr("loads over time of 2 directions of links are not known"));
}

TEST(NetworkMapTest, CongestedQueuesColourTheLinksThatTheySendInto) {
  const system::SystemGraph graph = lattice(4, 1);
  v1::Report report = report_of(graph);
  v1::TreeSnapshot& tree = *report.add_trees();
  tree.set_seconds(20e-6);
  v1::TreePort& port = *tree.add_ports();
  port.set_port("router[1].x+");
  port.set_bytes(3000);
  const Map map = network_map(graph, report);
  ASSERT_EQ(map.measures.size(), 4u);
  EXPECT_EQ(map.measures[3].title, "congested queue at 20 us");
  for (const Map::Edge& edge : map.edges) {
    ASSERT_EQ(edge.values.size(), 4u);
    EXPECT_EQ(edge.values[3], edge.label.starts_with("router[1].x+->") ? 3 : 0) << edge.label;
  }
}

TEST(NetworkMapTest, DrawsEachDirectionOfEachLink) {
  const system::SystemGraph graph = lattice(4, 3);
  const Map map = network_map(graph, report_of(graph));
  EXPECT_EQ(map.nodes.size(), graph.elements.size());
  ASSERT_EQ(map.edges.size(), static_cast<size_t>(graph.channel_count()));
  std::set<std::pair<double, double>> points;
  for (const Map::Node& node : map.nodes) points.emplace(node.x, node.y);
  EXPECT_EQ(points.size(), map.nodes.size()) << "two elements are at one point";
  for (int32_t channel = 0; channel < graph.channel_count(); ++channel) {
    const Map::Edge& edge = map.edges[static_cast<size_t>(channel)];
    EXPECT_EQ(edge.from, graph.channel_source(channel).element);
    EXPECT_EQ(edge.to, graph.channel_target(channel).element);
    EXPECT_EQ(edge.label, graph.channel_name(channel));
    ASSERT_EQ(edge.values.size(), map.measures.size());
    EXPECT_DOUBLE_EQ(edge.values[0], channel);
    EXPECT_DOUBLE_EQ(edge.values[1], channel);
    EXPECT_DOUBLE_EQ(edge.values[2], channel);
  }
  // Of a ring of four, only the link from the last router to the first is long.
  int bent = 0;
  for (const Map::Edge& edge : map.edges) bent += edge.bent ? 1 : 0;
  EXPECT_EQ(bent, 3 * 2);
}

TEST(NetworkMapTest, PlacesOtherNetworksByDistanceFromHosts) {
  system::SystemGraph graph = lattice(2, 2);
  graph.dims.clear();
  // A router above two of the others, without a host.
  system::Element& top = graph.elements.emplace_back();
  top.name = "router[4]";
  top.ports = {"a", "b"};
  graph.elements[4].ports.push_back("up");
  graph.elements[5].ports.push_back("up");
  graph.links.push_back({{{4, 3}, {8, 0}}});
  graph.links.push_back({{{5, 3}, {8, 1}}});
  graph.build_index();
  const Map map = network_map(graph, report_of(graph));
  for (size_t router = 4; router < 8; ++router) {
    EXPECT_GT(map.nodes[router].y, map.nodes[8].y);
    EXPECT_LT(map.nodes[router].y, map.nodes[router - 4].y);
    EXPECT_EQ(map.nodes[router].y, map.nodes[4].y);
  }
}

TEST(NetworkMapTest, LeavesOutHostsThenEverythingOfLargeNetworks) {
  const system::SystemGraph large = lattice(50, 50);
  const Map map = network_map(large, report_of(large));
  EXPECT_EQ(map.nodes.size(), 2500u);
  EXPECT_EQ(map.edges.size(), 5000u);
  EXPECT_THAT(map.note, HasSubstr("Hosts and their links are left out"));
  const system::SystemGraph larger = lattice(100, 50);
  const Map none = network_map(larger, report_of(larger));
  EXPECT_TRUE(none.edges.empty());
  EXPECT_THAT(none.note, HasSubstr("20000 directions of links are more than a page can show"));
}

}  // namespace
}  // namespace fabrictwin
