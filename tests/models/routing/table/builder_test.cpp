// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/table/builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "cosim/base/text.h"
#include "models/network/routing_factory.h"
#include "models/network/topology.h"
#include "models/routing/table/routing.h"
#include "models/topology/lattice/torus.h"
#include "tests/experiments.h"
#include "tests/models/routing/small_systems.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

experiment::Experiment plain_torus(std::vector<int32_t> dims) {
  experiment::Experiment experiment;
  const std::vector<bool> wrap(dims.size(), true);
  experiment.topology_spec = topology::lattice::TorusSpec{
      std::move(dims),  wrap, 1, Bandwidth{10'000'000'000}, Time::from_ns(120), Bandwidth{20'000'000'000},
      Time::from_ns(50)};
  experiment.router = {.clock = Frequency{156'250'000}, .buffer_words = 64};
  return experiment;
}

/// A path of three routers, each with a host at port 0 and its neighbours at 1 and 2.
system::SystemGraph path_of_three() {
  system::SystemGraph graph;
  graph.topology = "path";
  for (int32_t i = 0; i < 3; ++i)
    graph.elements.push_back({"host[" + std::to_string(i) + "]", system::ElementKind::kHost, i, {}, {"tile"}});
  for (int32_t i = 0; i < 3; ++i) {
    graph.elements.push_back(
        {"router[" + std::to_string(i) + "]", system::ElementKind::kRouter, i, {}, {"tile", "left", "right"}});
  }
  const auto join = [&](system::ElementId a, int32_t port_a, system::ElementId b, int32_t port_b) {
    graph.links.push_back({{{a, port_a}, {b, port_b}}, Bandwidth{10'000'000'000}, Time::from_ns(100)});
  };
  for (int32_t i = 0; i < 3; ++i) join(i, 0, 3 + i, 0);
  join(3, 2, 4, 1);
  join(4, 2, 5, 1);
  graph.build_index();
  return graph;
}

/// Along the path, or as a test wants it otherwise.
class PathRouting : public routing::RoutingAlgorithm {
 public:
  int32_t classes() const override { return 1; }
  void options(int32_t router, int32_t, int32_t, routing::PacketRoute& route,
               routing::RouteOptions& options) const override {
    const int32_t there = route.destination;
    const auto port = static_cast<int16_t>(there == router ? 0 : there < router ? 1 : 2);
    options.add({port, false, 3});
  }
};

/// Follows the table of a torus from host to host.
int32_t hops(const system::SystemGraph& graph, const system::RouteTable& table, int32_t source, int32_t destination) {
  int32_t channel = graph.channel_from(source, 0);
  int32_t vc = 0;
  for (int32_t hop = 0; hop < 100; ++hop) {
    const system::LinkEnd& at = graph.channel_target(channel);
    if (at.element == destination) return hop;
    const system::RouteTable::Entry entry =
        table.at(at.element - graph.host_count(), at.port * link::kVcs + vc, destination);
    if (entry == system::RouteTable::kNoRoute) return -1;
    vc = system::RouteTable::vc_of(entry);
    channel = graph.channel_from(at.element, system::RouteTable::port_of(entry));
  }
  return -1;
}

TEST(RouteTableBuilderTest, EveryPairOfATorusArrivesByTheShortestWay) {
  const experiment::Experiment experiment = plain_torus({4, 3, 2});
  const system::SystemGraph graph = *network::build_topology(experiment);
  const auto routing = network::make_routing_algorithm(experiment, graph, link::kVcs);
  ASSERT_TRUE(routing.ok()) << routing.status();
  const auto table = routing::table::make_route_table(graph, **routing);
  ASSERT_TRUE(table.ok()) << table.status();
  for (int32_t source = 0; source < 24; ++source) {
    for (int32_t destination = 0; destination < 24; ++destination) {
      int32_t distance = 1;
      int32_t stride = 1;
      for (const int32_t size : {4, 3, 2}) {
        const int32_t offset = (destination / stride % size - source / stride % size + size) % size;
        distance += std::min(offset, size - offset);
        stride *= size;
      }
      EXPECT_EQ(hops(graph, **table, source, destination), distance) << source << " to " << destination;
    }
  }
}

TEST(RouteTableBuilderTest, InputsThatNoPacketTakesHaveNoRoute) {
  const system::SystemGraph graph = path_of_three();
  const auto table = routing::table::make_route_table(graph, PathRouting());
  ASSERT_TRUE(table.ok()) << table.status();
  const int32_t from_right = 2 * link::kVcs;
  EXPECT_EQ((*table)->at(0, from_right, 0), system::RouteTable::entry(0, 0));
  EXPECT_EQ((*table)->at(0, from_right, 2), system::RouteTable::kNoRoute);
  EXPECT_EQ((*table)->at(0, 0, 2), system::RouteTable::entry(2, 0));
}

TEST(RouteTableBuilderTest, RoutersReadTheirOwnPart) {
  const auto table = routing::table::make_route_table(path_of_three(), PathRouting());
  ASSERT_TRUE(table.ok());
  const routing::table::TableRouting middle(*table, 1);
  link::PacketHeader header;
  header.destination = 2;
  EXPECT_EQ(middle.route(header, 0, 0).port, 2);
  EXPECT_EQ(middle.route(header, 1, 0).port, 2);
  // Back through where it came from, and beyond the last host: nowhere.
  EXPECT_GE(middle.route(header, 2, 0).port, system::RouteTable::kMaxPort);
  header.destination = 3;
  EXPECT_GE(middle.route(header, 0, 0).port, system::RouteTable::kMaxPort);
}

// Routes of a port of a host lead to the port of the same number of another.
TEST(RouteTableBuilderTest, EachPortOfAHostIsADestination) {
  const auto experiment = test::parse_experiment(
      "topology { tofu { x: 2 y: 1 z: 1 tnis: 3 } }\nworkload { traffic { load: 0.1 } }", "tofu.textproto");
  ASSERT_TRUE(experiment.ok()) << experiment.status();
  const system::SystemGraph graph = *network::build_topology(*experiment);
  const auto routing = network::make_routing_algorithm(*experiment, graph, link::kVcs);
  ASSERT_TRUE(routing.ok()) << routing.status();
  EXPECT_EQ(routing::table::route_destinations(graph), 3 * 24);
  const auto table = routing::table::make_route_table(graph, **routing);
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_EQ((*table)->destinations(), 3 * 24);
  for (int32_t source = 0; source < 24; ++source) {
    for (int32_t destination = 0; destination < 24; ++destination) {
      for (int32_t port = 0; port < 3; ++port) {
        const int32_t there = routing::table::route_destination(destination, port, 24);
        system::LinkEnd at = graph.channel_target(graph.channel_from(source, port));
        int32_t vc = 0;
        for (int32_t hop = 0; at.element >= 24 && hop < 20; ++hop) {
          const system::RouteTable::Entry entry = (*table)->at(at.element - 24, at.port * link::kVcs + vc, there);
          ASSERT_NE(entry, system::RouteTable::kNoRoute);
          vc = system::RouteTable::vc_of(entry);
          at = graph.channel_target(graph.channel_from(at.element, system::RouteTable::port_of(entry)));
        }
        EXPECT_EQ(at.element, destination);
        EXPECT_EQ(at.port, port);
      }
    }
  }
}

TEST(RouteTableBuilderTest, RefusesMorePortsThanTablesAreMadeFor) {
  const auto experiment = test::parse_experiment(
      "topology { tofu { x: 8 y: 8 z: 1 } }\nworkload { traffic { load: 0.1 } }", "tofu.textproto");
  ASSERT_TRUE(experiment.ok()) << experiment.status();
  const system::SystemGraph graph = *network::build_topology(*experiment);
  const auto routing = network::make_routing_algorithm(*experiment, graph, link::kVcs);
  ASSERT_TRUE(routing.ok()) << routing.status();
  EXPECT_THAT(
      message_of(routing::table::make_route_table(graph, **routing).status()),
      HasSubstr("has 768 hosts of 6 ports, each with routes of its own, and route tables are made for up to 4096"));
}

// Where links are side by side the destination has one of them. All global ones have as many destinations, and no local
// one is left out.
TEST(RouteTableBuilderTest, DestinationsShareTheLinksOfADragonfly) {
  const auto experiment = test::parse_experiment(
      "topology { dragonfly { groups: 3 rows: 2 columns: 2 row_links: 2 column_links: 2 global_ports: 4 } }\n"
      "workload { traffic { load: 0.1 } }",
      "dragonfly.textproto");
  ASSERT_TRUE(experiment.ok()) << experiment.status();
  const system::SystemGraph graph = *network::build_topology(*experiment);
  const int32_t hosts = graph.host_count();
  ASSERT_EQ(hosts, 48);
  const auto routing = network::make_routing_algorithm(*experiment, graph, link::kVcs);
  ASSERT_TRUE(routing.ok()) << routing.status();
  const auto table = routing::table::make_route_table(graph, **routing);
  ASSERT_TRUE(table.ok()) << table.status();
  std::map<int32_t, std::set<int32_t>> destinations;  // By channel between routers.
  for (int32_t source = 0; source < hosts; ++source) {
    for (int32_t destination = 0; destination < hosts; ++destination) {
      system::LinkEnd at = graph.channel_target(graph.channel_from(source, 0));
      int32_t vc = 0;
      int32_t hop = 0;
      for (; at.element >= hosts && hop < 7; ++hop) {
        const system::RouteTable::Entry entry =
            (*table)->at(at.element - hosts, at.port * link::kVcs + vc, destination);
        ASSERT_NE(entry, system::RouteTable::kNoRoute);
        vc = system::RouteTable::vc_of(entry);
        const int32_t channel = graph.channel_from(at.element, system::RouteTable::port_of(entry));
        at = graph.channel_target(channel);
        if (at.element >= hosts) destinations[channel].insert(destination);
      }
      EXPECT_EQ(at.element, destination);
      EXPECT_LE(hop, 6) << "row, column, global link, row, column, host";
    }
  }
  int32_t locals = 0;
  int32_t globals = 0;
  for (const auto& [channel, to] : destinations) {
    const std::vector<int32_t>& here = graph.elements[graph.channel_target(channel ^ 1).element].coordinates;
    const std::vector<int32_t>& there = graph.elements[graph.channel_target(channel).element].coordinates;
    if (here[2] == there[2]) {
      ++locals;
      continue;
    }
    ++globals;
    EXPECT_EQ(to.size(), 2u) << "16 hosts of a group over 8 links";
  }
  EXPECT_EQ(globals, 3 * 2 * 8);
  EXPECT_EQ(locals, 3 * 4 * 2 * 2) << "each of the two links to two neighbours of each router";
}

class Refused : public PathRouting {
 public:
  bool deterministic() const override { return false; }
};
// Where a packet may take both VCs, as on a line behind a ring, it stays on the one that it is on.
TEST(RouteTableBuilderTest, PacketsKeepTheirVcWhereTheyMay) {
  const system::SystemGraph graph = small_lattice({4, 3}, {true, false});
  const auto routing = network::make_routing_algorithm(experiment::Experiment(), graph, 2);
  ASSERT_TRUE(routing.ok()) << routing.status();
  const auto table = routing::table::make_route_table(graph, **routing);
  ASSERT_TRUE(table.ok()) << table.status();
  const std::vector<std::string>& ports = graph.elements[graph.host_count()].ports;
  int32_t seen[2] = {0, 0};
  for (int32_t router = 0; router < graph.router_count(); ++router) {
    for (size_t port = 0; port < ports.size(); ++port) {
      for (int32_t vc = 0; vc < 2; ++vc) {
        for (int32_t host = 0; host < graph.host_count(); ++host) {
          const system::RouteTable::Entry entry = (*table)->at(router, static_cast<int32_t>(port) * 2 + vc, host);
          if (ports[port][0] != 'x' || entry == system::RouteTable::kNoRoute) continue;
          if (ports[system::RouteTable::port_of(entry)][0] != 'y') continue;
          EXPECT_EQ(system::RouteTable::vc_of(entry), vc);
          ++seen[vc];
        }
      }
    }
  }
  EXPECT_GT(seen[0], 0);
  EXPECT_GT(seen[1], 0);
}

TEST(RouteTableBuilderTest, RefusesAdaptiveRouting) {
  EXPECT_THAT(message_of(routing::table::make_route_table(path_of_three(), Refused()).status()), HasSubstr("adaptive"));
}

class ManyClasses : public PathRouting {
 public:
  int32_t classes() const override { return 3; }
};
TEST(RouteTableBuilderTest, RefusesMoreClassesThanVcs) {
  EXPECT_THAT(message_of(routing::table::make_route_table(path_of_three(), ManyClasses()).status()),
              HasSubstr("needs 3 classes of VCs"));
}

/// In the middle, host 0's packets to host 2 change to VC 1 at the end, those of host 1 do not.
class BySource : public PathRouting {
 public:
  void options(int32_t router, int32_t, int32_t, routing::PacketRoute& route,
               routing::RouteOptions& options) const override {
    const bool back = router == 2 && route.source == 0;
    const auto port = static_cast<int16_t>(route.destination == router ? 0 : route.destination < router ? 1 : 2);
    options.add({port, false, back ? 2U : 1U});
  }
};
TEST(RouteTableBuilderTest, RefusesRoutesThatDependOnTheSource) {
  EXPECT_THAT(message_of(routing::table::make_route_table(path_of_three(), BySource()).status()),
              HasSubstr("packets to host[2] that come to router[2] through left on VC 0 leave through tile on VC 1 or "
                        "through tile on VC 0"));
}

class Circle : public PathRouting {
 public:
  void options(int32_t router, int32_t, int32_t, routing::PacketRoute&, routing::RouteOptions& options) const override {
    options.add({static_cast<int16_t>(router == 0 ? 2 : 1), false, 1});
  }
};
TEST(RouteTableBuilderTest, RefusesWaysThatNeverEnd) {
  EXPECT_THAT(message_of(routing::table::make_route_table(path_of_three(), Circle()).status()),
              HasSubstr("from host[0] to host[0] never arrives"));
}

class OffTheEdge : public PathRouting {
 public:
  void options(int32_t, int32_t, int32_t, routing::PacketRoute&, routing::RouteOptions& options) const override {
    options.add({1, false, 1});
  }
};
TEST(RouteTableBuilderTest, RefusesPortsWithoutLinks) {
  EXPECT_THAT(message_of(routing::table::make_route_table(path_of_three(), OffTheEdge()).status()),
              HasSubstr("from host[0] to host[0] is sent to a port without a link in router[0]"));
}

}  // namespace
}  // namespace fabrictwin
