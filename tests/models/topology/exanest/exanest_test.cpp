// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/exanest/exanest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/link/packet.h"
#include "cosim/system/plan.h"
#include "models/network/topology.h"

namespace fabrictwin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

system::SystemGraph machine(int32_t blades, int32_t qfdbs) {
  experiment::Experiment experiment;
  experiment.topology = v1::Topology::kExanest;
  experiment.topology_spec = topology::exanest::ExanestSpec{
      blades, qfdbs, Bandwidth{10'000'000'000}, Bandwidth{16'000'000'000}, Time::from_ns(120), Time::from_ps(62'500)};
  experiment.router = {.clock = Frequency{156'250'000}, .buffer_words = 64};
  return *network::build_topology(experiment);
}

std::vector<std::string> names(const system::SystemGraph& graph, std::string_view selector) {
  const auto ids = system::select_elements(graph, selector);
  EXPECT_TRUE(ids.ok()) << ids.status();
  std::vector<std::string> names;
  for (const system::ElementId id : ids.value_or(std::vector<system::ElementId>{}))
    names.push_back(graph.elements[id].name);
  return names;
}

TEST(ExanestTest, HasFourFpgasOnEachBoard) {
  const system::SystemGraph graph = machine(8, 4);
  EXPECT_THAT(graph.dims, ElementsAre(4, 4, 2));
  EXPECT_EQ(graph.host_count(), 128);
  EXPECT_EQ(graph.elements.size(), 256U);
  // Per board: 4 host ports, 6 board links, and its "+" links in three dimensions.
  EXPECT_EQ(graph.links.size(), 32U * (4 + 6 + 3));
  // Blade 5 is y = 1 of group 1.
  const system::Element& router = graph.elements[static_cast<size_t>(128 + (5 * 4 + 2) * 4)];
  EXPECT_EQ(router.name, "qfdb[22].router");
  EXPECT_THAT(router.coordinates, ElementsAre(2, 1, 1));
  EXPECT_EQ(router.address, ((1U << 2 | 1U) << 2 | 2U) << 2);
  EXPECT_EQ(router.position, "5.2.0");
  EXPECT_THAT(router.ports, ElementsAre("host", "f2", "f3", "f4", "x+", "x-", "y+", "y-", "z+", "z-"));
  EXPECT_THAT(graph.elements[130].ports, ElementsAre("host", "f1", "f2", "f4"));
}

TEST(ExanestTest, NumbersAreUniqueAndPortsUsedOnce) {
  for (const auto& [blades, qfdbs] : {std::pair{1, 1}, {1, 2}, {1, 3}, {3, 4}, {4, 2}, {12, 4}}) {
    const system::SystemGraph graph = machine(blades, qfdbs);
    std::set<uint32_t> addresses;
    for (const system::Element& element : graph.elements) {
      if (element.kind != system::ElementKind::kNode) continue;
      EXPECT_TRUE(addresses.insert(element.address).second);
    }
    std::set<std::pair<system::ElementId, int32_t>> used;
    for (const system::Link& link : graph.links) {
      for (const system::LinkEnd& end : link.ends) EXPECT_TRUE(used.insert({end.element, end.port}).second);
    }
  }
}

// Follows a packet by the routing of each node on its way.
TEST(ExanestTest, EveryNodeReachesEveryOther) {
  for (const auto& [blades, qfdbs] : {std::pair{1, 1}, {1, 2}, {3, 3}, {8, 4}}) {
    const system::SystemGraph graph = machine(blades, qfdbs);
    const int32_t hosts = graph.host_count();
    std::vector<std::shared_ptr<const routing::Routing>> routing;
    for (int32_t i = 0; i < hosts; ++i) routing.push_back(network::make_routing(graph, graph.elements[hosts + i]));
    for (int32_t from = 0; from < hosts; ++from) {
      for (int32_t to = 0; to < hosts; ++to) {
        const system::Element& target = graph.elements[hosts + to];
        link::PacketHeader header;
        for (size_t d = 0; d < 3; ++d) header.coordinates[d] = static_cast<uint8_t>(target.coordinates[d]);
        header.destination = target.address;
        int32_t at = from;
        int32_t vc = 0;
        int hops = 0;
        while (true) {
          const routing::Hop hop = routing[at]->route(header, 0, vc);
          if (hop.port == 0) break;
          const int32_t channel = graph.channel_from(hosts + at, hop.port);
          ASSERT_GE(channel, 0) << from << " to " << to << " at " << at;
          at = graph.channel_target(channel).element - hosts;
          vc = hop.vc;
          ASSERT_LE(++hops, 2 + 2 + 2 + 1) << from << " to " << to;
        }
        ASSERT_EQ(at, to) << "from " << from;
      }
    }
  }
}

TEST(ExanestTest, SelectorsKnowBoardsAndPositions) {
  const system::SystemGraph graph = machine(2, 2);
  EXPECT_THAT(names(graph, "qfdb[1].router"), ElementsAre("qfdb[1].router"));
  EXPECT_THAT(names(graph, "qfdb[0].*"),
              ElementsAre("qfdb[0].router", "qfdb[0].switch[1]", "qfdb[0].switch[2]", "qfdb[0].switch[3]"));
  EXPECT_THAT(names(graph, "qfdb[1..2].switch[3]"), ElementsAre("qfdb[1].switch[3]", "qfdb[2].switch[3]"));
  EXPECT_THAT(names(graph, "mpsoc[1.0.2]"), ElementsAre("mpsoc[10]"));
  EXPECT_THAT(names(graph, "mpsoc[0..1.1.0]"), ElementsAre("mpsoc[4]", "mpsoc[12]"));
  EXPECT_THAT(names(graph, "mpsoc[3]"), ElementsAre("mpsoc[3]"));
  EXPECT_EQ(names(graph, "*").size(), 32U);
  const std::string all = "the elements are qfdb[0..3].switch[1..3], qfdb[0..3].router and mpsoc[0..15]";
  for (const auto& [selector, message] : {std::pair{"qfdb[4].router", "there is no qfdb[4].router; "},
                                          {"qfdb[0].switch[0]", "there is no qfdb[0].switch[0]; "},
                                          {"qfdb[0].nic", "there is no qfdb[0].nic; "},
                                          {"mpsoc[2.0.0]", "there is no mpsoc[2.0.0]; "},
                                          {"mpsoc[0.0]", "there is no mpsoc[0.0]; "},
                                          {"router[0]", "there is no element \"router[0]\"; "},
                                          {"qfdb[0]", "\"qfdb[0]\" is not a selector"}}) {
    const auto refused = system::select_elements(graph, selector);
    ASSERT_FALSE(refused.ok()) << selector;
    EXPECT_THAT(message_of(refused.status()), HasSubstr(message));
    EXPECT_THAT(message_of(refused.status()), HasSubstr(all));
  }
}

}  // namespace
}  // namespace fabrictwin
