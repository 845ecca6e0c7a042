// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/graph/explicit_graph.h"

#include "cosim/system/plan.h"
#include "gmock/gmock.h"
#include "tests/models/topology/built_graph.h"
#include "tests/models/topology/graph_distances.h"

namespace fabrictwin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A triangle with a tail: hosts on all but the hub.
constexpr const char* kGraph = R"(graph {
  router { name: "hub" } router { name: "edge[0]" } router { name: "edge[1]" } router { name: "tail" }
  host { router: "edge[0]" } host { router: "edge[1]" latency: "1us" } host { name: "probe" router: "tail" port: "eth" }
  link { from: "hub" to: "edge[0]" } link { from: "hub" to: "edge[1]" rate: "5Gbps" parallel: 2 }
  link { from: "edge[0]" to: "edge[1]" from_port: "east" to_port: "west" latency_cycles: 3 }
  link { from: "tail" to: "hub" }
  link_rate: "8Gbps"
})";

TEST(ExplicitGraphTest, IsWhatWasWritten) {
  const system::SystemGraph graph = built(kGraph);
  EXPECT_EQ(graph.family, system::TopologyFamily::kOther);
  EXPECT_EQ(graph.topology, "graph of 4 routers and 5 links");
  EXPECT_EQ(graph.link_rate.bits_per_second, 8'000'000'000);
  std::vector<std::string> names;
  for (const system::Element& element : graph.elements) names.push_back(element.name);
  EXPECT_THAT(names, ElementsAre("host[0]", "host[1]", "probe", "hub", "edge[0]", "edge[1]", "tail"));
  EXPECT_THAT(graph.elements[3].ports, ElementsAre("p0", "p1", "p2", "p3"));
  EXPECT_THAT(graph.elements[4].ports, ElementsAre("h0", "p0", "east"));
  EXPECT_THAT(graph.elements[5].ports, ElementsAre("h0", "p0", "p1", "west"));
  EXPECT_THAT(graph.elements[6].ports, ElementsAre("eth", "p0"));
  std::vector<std::string> links;
  for (size_t i = 0; i < graph.links.size(); ++i)
    links.push_back(fmt::format("{} {} {}", graph.channel_name(static_cast<int32_t>(2 * i)),
                                to_string(graph.links[i].rate), to_string(graph.links[i].latency)));
  EXPECT_THAT(links, ElementsAre("host[0].nic->edge[0].h0 20 Gbps 50 ns", "host[1].nic->edge[1].h0 20 Gbps 1 us",
                                 "probe.nic->tail.eth 20 Gbps 50 ns", "hub.p0->edge[0].p0 8 Gbps 120 ns",
                                 "hub.p1->edge[1].p0 5 Gbps 120 ns", "hub.p2->edge[1].p1 5 Gbps 120 ns",
                                 "edge[0].east->edge[1].west 8 Gbps 19.2 ns", "tail.p0->hub.p3 8 Gbps 120 ns"));
  EXPECT_EQ(GraphDistances(graph).of_routers().diameter, 2);
}

TEST(ExplicitGraphTest, SelectorsKnowItsNames) {
  const system::SystemGraph graph = built(kGraph);
  EXPECT_THAT(*system::select_elements(graph, "hub,edge[*]"), ElementsAre(3, 4, 5));
  const auto refused = system::select_elements(graph, "egde[0]");
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(message_of(refused.status()), HasSubstr("did you mean \"edge\"?"));
}

TEST(ExplicitGraphTest, MistakesAreShownWhereTheyAre) {
  const std::string two =
      "router { name: \"a\" } router { name: \"b\" } host { router: \"a\" } host { router: \"b\" } ";
  const std::string joined = two + "link { from: \"a\" to: \"b\" } ";
  const auto error = [](const std::string& body) { return error_of("graph { " + body + " }"); };
  EXPECT_EQ(error(joined), "");
  EXPECT_THAT(error(""), HasSubstr("the graph has no routers"));
  EXPECT_THAT(error("router { }"), HasSubstr("the graph has no hosts; write host { router: \"router[0]\" }"));
  EXPECT_THAT(error(two), HasSubstr("e.textproto:1:41: error: the graph falls apart: no links lead from a to b; write "
                                    "link { from: \"a\" to: \"b\" } or leave it out"));
  EXPECT_THAT(error(joined + "router { name: \"c\" } router { name: \"d\" } link { from: \"d\" to: \"c\" }"),
              HasSubstr("no links lead from a to c and 1 routers with it"));
  EXPECT_THAT(error(joined + "link { from: \"b\" to: \"a\" }"),
              HasSubstr("a and b are linked already, by link[0]; write parallel: 2 there"));
  EXPECT_THAT(error(joined + "link { from: \"a\" to: \"a\" }"), HasSubstr("a link of a with itself"));
  EXPECT_THAT(error(joined + "link { from: \"a\" to: \"bb\" }"),
              HasSubstr("there is no router \"bb\" (did you mean \"b\"?)"));
  EXPECT_THAT(error(joined + "link { from: \"a\" }"), HasSubstr("to is left out; write the name of a router"));
  EXPECT_THAT(error(joined + "host { router: \"host[0]\" }"), HasSubstr("there is no router \"host[0]\""));
  EXPECT_THAT(error(joined + "router { name: \"a\" } link { from: \"a\" to: \"b\" }"),
              HasSubstr("router[0] has the name \"a\" already"));
  EXPECT_THAT(error(joined + "host { name: \"a\" router: \"b\" }"), HasSubstr("has the name \"a\" already"));
  EXPECT_THAT(error("router { name: \"9[a]\" } host { router: \"9[a]\" }"), HasSubstr("\"9[a]\" is not a name"));
  EXPECT_THAT(error(two + "link { from: \"a\" to: \"b\" from_port: \"h0\" }"),
              HasSubstr("a has a port \"h0\" already"));
  EXPECT_THAT(error(two + "link { from: \"a\" to: \"b\" parallel: 33 }"), HasSubstr("parallel 33: write 1 to 32"));
  EXPECT_THAT(error(two + "link { from: \"a\" to: \"b\" rate: \"0bps\" }"), HasSubstr("link rate 0"));
  EXPECT_THAT(error(two + "link { from: \"a\" to: \"b\" latency: \"1ns\" latency_cycles: 1 }"),
              HasSubstr("latency and latency_cycles say the same"));
  std::string many = "router { name: \"hub\" } host { router: \"hub\" } ";
  for (int i = 0; i < 64; ++i)
    many += fmt::format("router {{ name: \"r[{0}]\" }} link {{ from: \"hub\" to: \"r[{0}]\" }} ", i);
  EXPECT_THAT(error(many), HasSubstr("hub would have 65 ports, and routers have at most 64"));
}

TEST(SunFireX4600Test, HasElevenLinksAndTwoForIo) {
  const system::SystemGraph graph = built("sun_fire_x4600 { }");
  const GraphDistances distances(graph);
  EXPECT_EQ(graph.host_count(), 8);
  EXPECT_EQ(graph.router_count(), 8);
  EXPECT_EQ(distances.links(), 11);
  // Three HyperTransport links each; the third of 0 and 7 is not in the graph.
  for (int32_t socket = 0; socket < 8; ++socket)
    EXPECT_EQ(graph.elements[8 + socket].ports.size(), socket == 0 || socket == 7 ? 3U : 4U);
  const GraphDistances::Summary summary = distances.of_routers();
  EXPECT_EQ(summary.diameter, 3);
  EXPECT_EQ(summary.sum, 92);
  EXPECT_EQ(distances.from(0)[7], 3);
  EXPECT_EQ(distances.cut([](int32_t r) { return r < 4; }), 5);
  EXPECT_EQ(graph.link_rate.bits_per_second, 32'000'000'000);
}

}  // namespace
}  // namespace fabrictwin
