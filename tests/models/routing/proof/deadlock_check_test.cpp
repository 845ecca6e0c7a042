// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/proof/deadlock_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cosim/base/text.h"
#include "models/network/routing_factory.h"
#include "models/routing/lattice/by_dimension.h"
#include "models/routing/lattice/lattice.h"
#include "models/routing/lattice/ring_step.h"
#include "models/routing/table/file_table.h"
#include "tests/models/routing/small_systems.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

absl::StatusOr<routing::proof::DeadlockProof> check(const system::SystemGraph& graph, v1::RoutingKind algorithm,
                                                    int32_t vcs, bool whole_packets = true,
                                                    const routing::proof::DeadlockLimits& limits = {}) {
  experiment::Experiment experiment;
  experiment.routing.algorithm = algorithm;
  const auto routing = network::make_routing_algorithm(experiment, graph, vcs);
  EXPECT_TRUE(routing.ok()) << routing.status();
  return routing::proof::check_deadlock(graph, **routing, vcs, whole_packets, limits);
}

/// Dimension order without a dateline, as if one class of VCs were enough.
class OneClass : public routing::RoutingAlgorithm, public routing::lattice::ByDimension {
 public:
  explicit OneClass(const system::SystemGraph& graph) : lattice_(*routing::lattice::Lattice::create(graph, "")) {}
  int32_t classes() const override { return 1; }
  void options(int32_t router, int32_t, int32_t, routing::PacketRoute& route,
               routing::RouteOptions& options) const override {
    const int32_t target = lattice_.router_of(route.destination);
    if (target == router) {
      options.add({static_cast<int16_t>(lattice_.host_port(route.destination)), false, 1});
      return;
    }
    const int32_t place = lattice_.first_difference(router, target);
    const routing::lattice::RingStep step(lattice_.at(place), lattice_.coordinate(router, place),
                                          lattice_.coordinate(target, place), 0);
    options.add({step.port, false, 1});
  }
  const routing::lattice::Lattice* by_dimension() const override { return &lattice_; }

 private:
  routing::lattice::Lattice lattice_;
};

/// All shortest paths, and the first of them as its escape: escapes that wait for each other.
class BadEscape : public OneClass {
 public:
  using OneClass::OneClass;
  void options(int32_t router, int32_t in_port, int32_t in_vc, routing::PacketRoute& route,
               routing::RouteOptions& options) const override {
    routing::RouteOptions only;
    OneClass::options(router, in_port, in_vc, route, only);
    options.add({only[0].port, false, 2});
    options.add({only[0].port, true, 1});
  }
};

/// Escapes only for half of the hosts.
class NoEscape : public OneClass {
 public:
  using OneClass::OneClass;
  void options(int32_t router, int32_t in_port, int32_t in_vc, routing::PacketRoute& route,
               routing::RouteOptions& options) const override {
    routing::RouteOptions only;
    OneClass::options(router, in_port, in_vc, route, only);
    options.add({only[0].port, false, 2});
    if (route.destination % 2 == 0) options.add({only[0].port, true, 1});
  }
};

TEST(DeadlockCheckTest, NamesTheCycleOfARingWithOneClass) {
  const system::SystemGraph graph = small_torus({4});
  const auto proof = routing::proof::check_deadlock(graph, OneClass(graph), 1, true);
  ASSERT_FALSE(proof.ok());
  EXPECT_EQ(message_of(proof.status()),
            "packets can wait for each other in a circle: router[0].x+ VC 0 -> router[1].x+ VC 0 -> router[2].x+ VC 0 "
            "-> router[3].x+ VC 0 -> router[0].x+ VC 0");
}

// Rings of three have no path of two links, so nothing waits.
TEST(DeadlockCheckTest, KnowsThatShortRingsNeedNoClasses) {
  const system::SystemGraph graph = small_torus({3, 3});
  const auto proof = routing::proof::check_deadlock(graph, OneClass(graph), 1, true);
  ASSERT_TRUE(proof.ok()) << proof.status();
  EXPECT_EQ(proof->kind, routing::proof::DeadlockProofKind::kAcyclic);
}

TEST(DeadlockCheckTest, RefusesEscapesThatAreNone) {
  const system::SystemGraph graph = small_torus({4});
  EXPECT_THAT(message_of(routing::proof::check_deadlock(graph, BadEscape(graph), 2, true).status()),
              HasSubstr("packets on their escapes can wait for each other in a circle: router[0].x+ VC 0 -> "));
  EXPECT_THAT(message_of(routing::proof::check_deadlock(graph, NoEscape(graph), 2, true).status()),
              HasSubstr("has no escape"));
}

TEST(DeadlockCheckTest, EscapesNeedRoomForWholePackets) {
  const system::SystemGraph graph = small_torus({4, 4});
  ASSERT_TRUE(check(graph, v1::MINIMAL_ADAPTIVE, 3, true).ok());
  EXPECT_THAT(message_of(check(graph, v1::MINIMAL_ADAPTIVE, 3, false).status()),
              HasSubstr("write router { switching: VIRTUAL_CUT_THROUGH }"));
  EXPECT_TRUE(check(graph, v1::DIMENSION_ORDER, 2, false).ok());
}

TEST(DeadlockCheckTest, ShortestWaysOfARingAreRefused) {
  const auto proof = check(small_ring(6), v1::SHORTEST, 2);
  ASSERT_FALSE(proof.ok());
  EXPECT_THAT(message_of(proof.status()), HasSubstr("packets can wait for each other in a circle: router["));
}

constexpr routing::proof::DeadlockLimits kNothing{0, 0};

TEST(DeadlockCheckTest, LargeLatticesAreProvedDimensionByDimension) {
  const system::SystemGraph graph = small_lattice({5, 4, 3, 2}, {true, true, true, false});
  for (const v1::RoutingKind kind : {v1::DIMENSION_ORDER, v1::MINIMAL_ADAPTIVE, v1::VALIANT, v1::UGAL_L, v1::UGAL_G}) {
    const auto proof = check(graph, kind, 5, true, kNothing);
    ASSERT_TRUE(proof.ok()) << v1::RoutingKind_Name(kind) << proof.status();
    EXPECT_EQ(proof->kind, routing::proof::DeadlockProofKind::kByDimension) << proof->text;
  }
  const system::SystemGraph ring = small_torus({4, 6});
  EXPECT_THAT(message_of(routing::proof::check_deadlock(ring, OneClass(ring), 1, true, kNothing).status()),
              HasSubstr("in a circle: router[0].x+ VC 0 -> router[1].x+ VC 0 -> "));
}

TEST(DeadlockCheckTest, LargeTreesAndDragonfliesAreProvedByRanks) {
  for (const auto& [graph, kind] :
       std::vector<std::pair<system::SystemGraph, v1::RoutingKind>>{{small_tree(3, 2, 3), v1::UP_DOWN},
                                                                    {small_tree(3, 2, 3), v1::D_MOD_K},
                                                                    {small_ladder(), v1::UP_DOWN},
                                                                    {small_dragonfly(5, 2, 3, 2), v1::MINIMAL},
                                                                    {small_dragonfly(5, 2, 3, 2), v1::UGAL_L}}) {
    const auto proof = check(graph, kind, 3, true, kNothing);
    ASSERT_TRUE(proof.ok()) << proof.status();
    EXPECT_EQ(proof->kind, routing::proof::DeadlockProofKind::kByRank) << proof->text;
  }
}

// Never claim what was not looked at.
TEST(DeadlockCheckTest, SaysWhereNothingIsProved) {
  const auto proof = check(small_tree(2, 2, 2), v1::SHORTEST, 1, true, kNothing);
  ASSERT_TRUE(proof.ok());
  EXPECT_FALSE(proof->proved());
  EXPECT_THAT(proof->text, HasSubstr("not proved free of deadlock: 4 routers are too many"));
}

const char* const kRoundTable =
    "# All packets go round clockwise.\n"
    "router[0] * p1\nrouter[1] * p2\nrouter[2] * p2\nrouter[3] * p2\n";

TEST(FileTableTest, GoesTheWayOfTheFile) {
  const system::SystemGraph graph = small_ring(4);
  const routing::RouterGraph routers(graph);
  const auto table = routing::table::FileTable::parse(routers, kRoundTable, "t.routes", 1);
  ASSERT_TRUE(table.ok()) << table.status();
  routing::PacketRoute route;
  route.destination = 3;
  routing::RouteOptions options;
  table->options(1, 0, 0, route, options);
  EXPECT_EQ(options[0].port, 2);
  const auto proof = routing::proof::check_deadlock(graph, *table, 1, true);
  ASSERT_FALSE(proof.ok());
  EXPECT_THAT(message_of(proof.status()), HasSubstr("router[0].p1 VC 0 -> router[1].p2 VC 0 -> router[2].p2 VC 0"));
}

TEST(FileTableTest, ClassesOfVcsBreakTheCycle) {
  const system::SystemGraph graph = small_ring(3);
  const routing::RouterGraph routers(graph);
  // Clockwise; those that go over the link from router 2 to router 0 change to the second class there.
  const std::string text =
      "router[0] host[1] p1 1\nrouter[0] host[2] p1 0\nrouter[1] host[2] p2 0\nrouter[1] host[0] p2 0\n"
      "router[2] * p2 1\n";
  const auto table = routing::table::FileTable::parse(routers, text, "t.routes", 2);
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_EQ(table->classes(), 2);
  const auto proof = routing::proof::check_deadlock(graph, *table, 2, true);
  EXPECT_TRUE(proof.ok()) << proof.status();
  EXPECT_THAT(message_of(routing::table::FileTable::parse(routers, text, "t.routes", 1).status()),
              HasSubstr("t.routes:1:22: error: class 1: the routers have 1 VCs"));
}

TEST(FileTableTest, RefusesMistakesAtTheirPlace) {
  const system::SystemGraph graph = small_ring(3);
  const routing::RouterGraph routers(graph);
  const auto error = [&](const std::string& text) {
    const auto table = routing::table::FileTable::parse(routers, text, "t.routes", 2);
    EXPECT_FALSE(table.ok()) << text;
    return std::string(message_of(table.status()));
  };
  EXPECT_THAT(error("router[7] host[0] p1\n"), HasSubstr("t.routes:1:1: error: there is no router \"router[7]\""));
  EXPECT_THAT(error("\n  router[0] host[9] p1\n"), HasSubstr("t.routes:2:13: error: there is no host \"host[9]\""));
  EXPECT_THAT(error("router[0] host[1] q1\n"), HasSubstr("t.routes:1:19: error: router[0] has no port \"q1\""));
  EXPECT_THAT(error("router[0] host[1] p1 x\n"), HasSubstr("t.routes:1:22: error: class x"));
  EXPECT_THAT(error("router[0] host[1]\n"), HasSubstr("t.routes:1:11: error: 2 words in this line"));
  EXPECT_THAT(error("router[0] host[1] p1\nrouter[0] host[1] p2\n"),
              HasSubstr("t.routes:2:11: error: router[0] has an entry for host[1] already"));
  EXPECT_THAT(error("router[0] * p1\nrouter[1] * p2\n"),
              HasSubstr("packets from router[1] to host[0] come to router[2]"));
  EXPECT_THAT(error("router[0] * p1\nrouter[1] * p1\nrouter[2] * p1\n"),
              AllOf(HasSubstr("t.routes:1:13: error: packets for host[2] never arrive, they go router[0]"),
                    HasSubstr("write a port on a path to router[2] in one of these lines")));
  // The line that is wrong, not the last one.
  const std::string hosts = "router[0] host[1] h0 # here\nrouter[0] * p1\nrouter[1] * p1\nrouter[2] * p2\n";
  EXPECT_THAT(error(hosts),
              HasSubstr("t.routes:1:19: error: router[0] sends packets for host[1] to host[0]; write a port of "
                        "router[0] that leads to a router, on a path to router[1]\nrouter[0] host[1] h0 # here\n"
                        "                  ^"));
  EXPECT_THAT(error(""), HasSubstr("which has no entry for it; add a line \"router[1] host[0] PORT\""));
}

}  // namespace
}  // namespace fabrictwin
