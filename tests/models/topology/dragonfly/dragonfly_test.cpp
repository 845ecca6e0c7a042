// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <map>

#include "cosim/system/plan.h"
#include "gmock/gmock.h"
#include "models/topology/dragonfly/layout.h"
#include "tests/models/topology/built_graph.h"
#include "tests/models/topology/graph_distances.h"

namespace fabrictwin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Size {
  int32_t groups, rows, columns, hosts, row_links, column_links, global_ports;
};

std::string text_of(const Size& size) {
  return fmt::format(
      "dragonfly {{ groups: {} rows: {} columns: {} hosts_per_router: {} row_links: {} column_links: {} global_ports: "
      "{} "
      "}}",
      size.groups, size.rows, size.columns, size.hosts, size.row_links, size.column_links, size.global_ports);
}

constexpr Size kSizes[] = {{1, 2, 3, 1, 1, 1, 1}, {9, 2, 2, 2, 1, 1, 2}, {3, 2, 4, 1, 2, 3, 2},
                           {5, 1, 4, 1, 1, 1, 1}, {4, 3, 1, 2, 1, 1, 2}, {7, 2, 3, 1, 1, 2, 3}};

TEST(DragonflyTest, HasItsClosedForms) {
  for (const Size& size : kSizes) {
    SCOPED_TRACE(text_of(size));
    const system::SystemGraph graph = built(text_of(size));
    const GraphDistances distances(graph);
    const int32_t each = size.rows * size.columns;
    const int32_t per_pair = size.groups == 1 ? 0 : each * size.global_ports / (size.groups - 1);
    EXPECT_EQ(graph.router_count(), size.groups * each);
    EXPECT_EQ(graph.host_count(), size.groups * each * size.hosts);
    const int32_t local = size.rows * size.columns * (size.columns - 1) / 2 * size.row_links +
                          size.columns * size.rows * (size.rows - 1) / 2 * size.column_links;
    EXPECT_EQ(distances.links(), size.groups * local + size.groups * (size.groups - 1) / 2 * per_pair);
    const GraphDistances::Summary summary = distances.of_routers();
    EXPECT_TRUE(summary.connected);
    const int32_t in_group = (size.rows > 1 ? 1 : 0) + (size.columns > 1 ? 1 : 0);
    EXPECT_LE(summary.diameter, size.groups == 1 ? in_group : 2 * in_group + 1);
    if (size.groups == 1) {
      // One link in a row or column, else two.
      EXPECT_EQ(summary.sum, int64_t{each} * (2 * each - size.rows - size.columns));
    }
    const int32_t half = size.groups / 2;
    EXPECT_EQ(distances.cut([&](int32_t r) { return r / each < half; }), half * (size.groups - half) * per_pair);
  }
}

TEST(DragonflyTest, TheLayoutIsThatOfTheGraph) {
  for (const Size& size : kSizes) {
    const system::SystemGraph graph = built(text_of(size));
    const topology::dragonfly::Layout layout(
        experiment_with(text_of(size))->topology_as<topology::dragonfly::DragonflySpec>());
    const int32_t hosts = graph.host_count();
    const auto peer = [&](int32_t router, int32_t port) {
      const int32_t channel = graph.channel_from(hosts + router, port);
      return channel < 0 ? -1 : graph.channel_target(channel).element - hosts;
    };
    for (int32_t host = 0; host < hosts; ++host)
      EXPECT_EQ(graph.host_router(host) - hosts, layout.router_of_host(host));
    for (int32_t router = 0; router < layout.routers(); ++router) {
      const int32_t group = layout.group_of(router);
      const int32_t row = layout.row_of(router);
      const int32_t column = layout.column_of(router);
      EXPECT_EQ(layout.router_of(group, row, column), router);
      EXPECT_EQ(static_cast<int32_t>(graph.elements[hosts + router].ports.size()), layout.ports());
      for (int32_t other = 0; other < size.columns; ++other) {
        for (int32_t k = 0; other != column && k < size.row_links; ++k)
          EXPECT_EQ(peer(router, layout.row_port(column, other, k)), layout.router_of(group, row, other));
      }
      for (int32_t other = 0; other < size.rows; ++other) {
        for (int32_t k = 0; other != row && k < size.column_links; ++k)
          EXPECT_EQ(peer(router, layout.column_port(row, other, k)), layout.router_of(group, other, column));
      }
      for (int32_t port = 0; port < size.global_ports; ++port) {
        const int32_t there = peer(router, layout.first_global_port() + port);
        EXPECT_EQ(there < 0 ? -1 : layout.group_of(there), layout.global_peer(router, port));
      }
    }
  }
}

TEST(DragonflyTest, GlobalLinksAreSpreadEvenly) {
  for (const Size& size : kSizes) {
    if (size.groups == 1) continue;
    const topology::dragonfly::Layout layout(
        experiment_with(text_of(size))->topology_as<topology::dragonfly::DragonflySpec>());
    std::map<int32_t, int32_t> of_router;
    for (int32_t r = 0; r < layout.routers(); ++r) of_router[r] = 0;
    for (int32_t a = 0; a < size.groups; ++a) {
      for (int32_t b = 0; b < size.groups; ++b) {
        std::map<int32_t, int32_t> of_pair;
        for (int32_t j = 0; a != b && j < layout.global_links(); ++j) {
          const topology::dragonfly::GlobalPort port = layout.global_port(a, b, j);
          EXPECT_EQ(layout.group_of(port.router), a);
          EXPECT_LT(port.port, layout.ports());
          ++of_router[port.router];
          ++of_pair[port.router];
        }
        for (const auto& [router, links] : of_pair)
          EXPECT_LE(links, (layout.global_links() + layout.group_size() - 1) / layout.group_size());
      }
    }
    const auto [least, most] = std::minmax_element(of_router.begin(), of_router.end(),
                                                   [](const auto& a, const auto& b) { return a.second < b.second; });
    EXPECT_LE(most->second - least->second, 1);
  }
}

TEST(DragonflyTest, TheDefaultsAreThoseOfAries) {
  const system::SystemGraph graph = built("dragonfly { }");
  EXPECT_EQ(graph.host_count(), 2 * 384);
  EXPECT_EQ(graph.elements.back().ports.size(), 4U + 15 + 15 + 10);
  EXPECT_EQ(graph.link_rate.bits_per_second, 42'000'000'000);
  EXPECT_EQ(graph.router_clock.period(), Clock(Frequency{656'250'000}).period());
  const system::Element& router = graph.elements[static_cast<size_t>(graph.host_count()) + 96 + 2 * 16 + 5];
  EXPECT_EQ(router.position, "1.2.5");
  EXPECT_THAT(router.coordinates, ElementsAre(5, 2, 1));
}

TEST(DragonflyTest, SelectorsKnowPositions) {
  const system::SystemGraph graph = built("dragonfly { groups: 3 rows: 2 columns: 4 hosts_per_router: 1 }");
  const auto names = [&](const char* selector) {
    const auto selected = system::select_elements(graph, selector);
    EXPECT_TRUE(selected.ok()) << selected.status();
    std::vector<std::string> names;
    for (const system::ElementId id : *selected) names.push_back(graph.elements[id].name);
    return names;
  };
  EXPECT_THAT(names("router[1.0..1.3]"), ElementsAre("router[11]", "router[15]"));
  EXPECT_THAT(names("router[2.1.*]"), ElementsAre("router[20]", "router[21]", "router[22]", "router[23]"));
  EXPECT_THAT(names("host[0.0.2.0]"), ElementsAre("host[2]"));
  const auto refused = system::select_elements(graph, "router[3.0.0]");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(
      message_of(refused.status()),
      "there is no router[3.0.0]; the elements are router[0..23] and host[0..23]; the last position is router[2.1.3]");
}

TEST(DragonflyTest, WhatCannotBeIsRefused) {
  EXPECT_THAT(
      error_of("dragonfly { groups: 10 rows: 2 columns: 2 global_ports: 2 }"),
      HasSubstr("e.textproto:1:32: error: 10 groups: a group of 4 routers has 8 global ports, too few for a link "
                "to each of the other 9; write at most 9 groups or more global_ports"));
  EXPECT_THAT(
      error_of("dragonfly { rows: 20 }"),
      HasSubstr("a router would have 86 ports, and routers have at most 64; 4 are for hosts, 15 for its row, 57 "
                "for its column and 10 for other groups"));
  EXPECT_THAT(error_of("dragonfly { groups: 1 global_links: 2 }"), HasSubstr("there is one group"));
  EXPECT_THAT(error_of("dragonfly { groups: 3 global_links: 481 }"), HasSubstr("global_links 481: write 1 to 480"));
  EXPECT_THAT(error_of("dragonfly { groups: 0 }"), HasSubstr("groups 0: write 1 to 4096; the default is 2"));
  EXPECT_THAT(error_of("dragonfly { global_latency: \"0ns\" }"), HasSubstr("the global link latency is the lookahead"));
}

}  // namespace
}  // namespace fabrictwin
