// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What holds for every algorithm on every topology that it suits: all packets arrive, on paths as short as promised,
// and no load can bring the network to a deadlock.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "models/network/routing_factory.h"
#include "models/routing/graph/distances.h"
#include "models/routing/graph/shortest.h"
#include "models/routing/graph/up_down.h"
#include "models/routing/proof/deadlock_check.h"
#include "tests/models/routing/routing_walk.h"
#include "tests/models/routing/small_systems.h"

namespace fabrictwin {
namespace {

/// How long paths may be: a number of hops, or
constexpr int32_t kShortest = 0;
constexpr int32_t kTwiceDiameter = -1;
constexpr int32_t kAny = -2;

struct Case {
  const char* name;
  v1::RoutingKind algorithm;
  system::SystemGraph (*graph)();
  int32_t vcs;
  int32_t classes;
  int32_t paths;
};

experiment::Experiment experiment_of(v1::RoutingKind algorithm) {
  experiment::Experiment experiment;
  experiment.routing.algorithm = algorithm;
  return experiment;
}

class RoutingAlgorithmsTest : public ::testing::TestWithParam<Case> {};

TEST_P(RoutingAlgorithmsTest, AllPacketsArrive) {
  const Case& test = GetParam();
  const system::SystemGraph graph = test.graph();
  const routing::RouterGraph routers(graph);
  const auto routing = network::make_routing_algorithm(experiment_of(test.algorithm), graph, test.vcs);
  ASSERT_TRUE(routing.ok()) << routing.status();
  EXPECT_EQ((*routing)->classes(), test.classes);
  int32_t diameter = 0;
  for (int32_t router = 0; router < routers.routers(); ++router) {
    for (const int32_t hops : routing::graph::hops_to(routers, router)) diameter = std::max(diameter, hops);
  }
  std::minstd_rand random(7);
  const RandomLoad load(3);
  for (int32_t destination = 0; destination < routers.hosts(); ++destination) {
    const std::vector<int32_t> hops = routing::graph::hops_to(routers, routers.host_router(destination));
    for (int32_t source = 0; source < routers.hosts(); ++source) {
      for (int32_t i = 0; i < 4; ++i) {
        routing::PacketRoute route;
        route.source = source;
        route.destination = destination;
        route.random = static_cast<uint32_t>(random()) << 3;
        route.random += static_cast<uint32_t>(random());
        const auto path = walk(routers, **routing, route, load, random, i == 3);
        ASSERT_FALSE(path.empty());
        EXPECT_EQ(path.back(), routers.host_router(destination));
        const auto length = static_cast<int32_t>(path.size()) - 1;
        if (test.paths == kShortest && i != 3) {
          EXPECT_EQ(length, hops[path.front()]);
        }
        if (test.paths == kTwiceDiameter) {
          EXPECT_LE(length, 2 * diameter);
        }
        if (test.paths > 0) {
          EXPECT_LE(length, test.paths);
        }
      }
    }
  }
}

TEST_P(RoutingAlgorithmsTest, IsProvedFreeOfDeadlock) {
  const Case& test = GetParam();
  const system::SystemGraph graph = test.graph();
  const auto routing = network::make_routing_algorithm(experiment_of(test.algorithm), graph, test.vcs);
  ASSERT_TRUE(routing.ok()) << routing.status();
  const auto proof = routing::proof::check_deadlock(graph, **routing, test.vcs, true);
  ASSERT_TRUE(proof.ok()) << proof.status();
  EXPECT_TRUE(proof->proved()) << proof->text;
  EXPECT_EQ(proof->kind == routing::proof::DeadlockProofKind::kEscape, test.algorithm == v1::MINIMAL_ADAPTIVE)
      << proof->text;
}

// Those that say so need every VC they ask for.
TEST_P(RoutingAlgorithmsTest, NeedsItsClasses) {
  const Case& test = GetParam();
  const system::SystemGraph graph = test.graph();
  if (test.classes > 1) {
    EXPECT_FALSE(network::make_routing_algorithm(experiment_of(test.algorithm), graph, test.classes - 1).ok());
  }
  EXPECT_TRUE(network::make_routing_algorithm(experiment_of(test.algorithm), graph, test.classes).ok());
}

// On a ring of odd length two neighbours are equally far from the router opposite.
TEST(ShortestTest, NoPathGoesOverARouterThatIsNoNearer) {
  const system::SystemGraph graph = small_ring(7);
  const routing::RouterGraph routers(graph);
  const auto routing = routing::graph::Shortest::create(routers, 1);
  ASSERT_TRUE(routing.ok()) << routing.status();
  std::minstd_rand random(7);
  for (int32_t destination = 0; destination < routers.hosts(); ++destination) {
    const std::vector<int32_t> hops = routing::graph::hops_to(routers, routers.host_router(destination));
    for (int32_t source = 0; source < routers.hosts(); ++source) {
      routing::PacketRoute route;
      route.source = source;
      route.destination = destination;
      const auto path = walk(routers, *routing, route, RandomLoad(3), random);
      ASSERT_FALSE(path.empty());
      EXPECT_EQ(static_cast<int32_t>(path.size()) - 1, hops[path.front()]);
    }
  }
}

// Each VC of a global link that a packet may take, whatever its source and destination.
uint32_t vcs_of_global_links(const routing::RoutingAlgorithm& routing, const routing::RouterGraph& routers) {
  uint32_t taken = 0;
  for (int32_t destination = 0; destination < routers.hosts(); ++destination) {
    for (int32_t router = 0; router < routers.routers(); ++router) {
      routing::PacketRoute route;
      route.destination = destination;
      routing::RouteOptions options;
      routing.options(router, routers.first_host_port(router), 0, route, options);
      const auto group = [&](int32_t of) { return routers.graph().elements[routers.hosts() + of].coordinates[2]; };
      for (const routing::RouteOption& option : options.all()) {
        const int32_t next = routers.peer(router, option.port).router;
        if (next >= 0 && group(next) != group(router)) taken |= option.vcs;
      }
    }
  }
  return taken;
}

TEST(DragonflyRoutingTest, GlobalLinksUseWhatNoClassNeedsUnlessEachKeepsToItsOwn) {
  const system::SystemGraph graph = small_dragonfly(5, 2, 3, 2);
  const routing::RouterGraph routers(graph);
  const auto routing_of = [&](bool own_vcs) {
    experiment::Experiment experiment = experiment_of(v1::MINIMAL);
    experiment.routing.own_vcs = own_vcs;
    return *network::make_routing_algorithm(experiment, graph, 4);
  };
  EXPECT_EQ(vcs_of_global_links(*routing_of(false), routers), 0b1111U);
  EXPECT_EQ(vcs_of_global_links(*routing_of(true), routers), 0b0011U);
  const auto proof = routing::proof::check_deadlock(graph, *routing_of(true), 4, true);
  ASSERT_TRUE(proof.ok()) << proof.status();
  EXPECT_TRUE(proof->proved()) << proof->text;
}

TEST(UpDownTest, TheRootIsTheFirstOfTheRoutersWithTheMostLinks) {
  const system::SystemGraph graph = small_ring(7);
  const routing::RouterGraph routers(graph);
  const auto chosen = routing::graph::UpDown::create(routers, 1, "");
  const auto first = routing::graph::UpDown::create(routers, 1, routers.router_name(0));
  ASSERT_TRUE(chosen.ok() && first.ok());
  for (int32_t router = 0; router < routers.routers(); ++router) {
    for (int32_t destination = 0; destination < routers.hosts(); ++destination) {
      routing::PacketRoute route;
      route.destination = destination;
      routing::RouteOptions a;
      routing::RouteOptions b;
      chosen->options(router, routers.first_host_port(router), 0, route, a);
      first->options(router, routers.first_host_port(router), 0, route, b);
      EXPECT_EQ(a[0].port, b[0].port) << "from " << router << " to " << destination;
    }
  }
}

system::SystemGraph torus443() { return small_torus({4, 4, 3}); }
system::SystemGraph torus52() { return small_torus({5, 2}); }
system::SystemGraph mesh43() { return small_lattice({4, 3}, {false, false}); }
system::SystemGraph mixed() { return small_lattice({3, 4, 2, 3}, {true, false, false, true}); }
system::SystemGraph concentrated() { return small_torus({4, 3}, 3); }
system::SystemGraph tree23() { return small_tree(2, 2, 3); }
system::SystemGraph tapered() { return small_tree(4, 2, 3); }
system::SystemGraph parallel() { return small_tree(4, 2, 2, 2); }
system::SystemGraph dragonfly() { return small_dragonfly(5, 2, 3, 2); }
system::SystemGraph thick_dragonfly() { return small_dragonfly(3, 3, 2, 7, 2); }
system::SystemGraph ladder() { return small_ladder(); }
system::SystemGraph ring7() { return small_ring(7); }

const Case kCases[] = {
    {"DorTorus", v1::DIMENSION_ORDER, torus443, 2, 2, kShortest},
    {"DorPairs", v1::DIMENSION_ORDER, torus52, 5, 2, kShortest},
    {"DorMesh", v1::DIMENSION_ORDER, mesh43, 1, 1, kShortest},
    {"DorMixed", v1::DIMENSION_ORDER, mixed, 2, 2, kShortest},
    {"DorConcentrated", v1::DIMENSION_ORDER, concentrated, 4, 2, kShortest},
    {"DefaultTorus", v1::DEFAULT, torus443, 2, 2, kShortest},
    {"AdaptiveTorus", v1::MINIMAL_ADAPTIVE, torus443, 3, 3, kShortest},
    {"AdaptivePairs", v1::MINIMAL_ADAPTIVE, torus52, 4, 3, kShortest},
    {"AdaptiveMesh", v1::MINIMAL_ADAPTIVE, mesh43, 2, 2, kShortest},
    {"AdaptiveMixed", v1::MINIMAL_ADAPTIVE, mixed, 4, 3, kShortest},
    {"AdaptiveConcentrated", v1::MINIMAL_ADAPTIVE, concentrated, 3, 3, kShortest},
    {"ValiantTorus", v1::VALIANT, torus443, 4, 4, kTwiceDiameter},
    {"ValiantMesh", v1::VALIANT, mesh43, 2, 2, kTwiceDiameter},
    {"ValiantMixed", v1::VALIANT, mixed, 6, 4, kTwiceDiameter},
    {"UgalLocalTorus", v1::UGAL_L, torus443, 4, 4, kTwiceDiameter},
    {"UgalGlobalTorus", v1::UGAL_G, torus443, 5, 4, kTwiceDiameter},
    {"UgalConcentrated", v1::UGAL_L, concentrated, 4, 4, kTwiceDiameter},
    {"UpDownTree", v1::UP_DOWN, tree23, 1, 1, kShortest},
    {"UpDownTapered", v1::UP_DOWN, tapered, 2, 1, kShortest},
    {"UpDownParallel", v1::UP_DOWN, parallel, 1, 1, kShortest},
    {"DModKTree", v1::D_MOD_K, tree23, 1, 1, kShortest},
    {"DModKTapered", v1::D_MOD_K, tapered, 1, 1, kShortest},
    {"DModKParallel", v1::D_MOD_K, parallel, 3, 1, kShortest},
    {"EcmpTree", v1::ECMP, tree23, 1, 1, kShortest},
    {"EcmpTapered", v1::ECMP, tapered, 2, 1, kShortest},
    {"EcmpParallel", v1::ECMP, parallel, 1, 1, kShortest},
    {"RandomUpTree", v1::RANDOM_UP, tree23, 1, 1, kShortest},
    {"RandomUpParallel", v1::RANDOM_UP, parallel, 3, 1, kShortest},
    {"DefaultTree", v1::DEFAULT, tree23, 1, 1, kShortest},
    {"MinimalDragonfly", v1::MINIMAL, dragonfly, 2, 2, 5},
    {"MinimalThick", v1::MINIMAL, thick_dragonfly, 5, 2, 5},
    {"ValiantDragonfly", v1::VALIANT, dragonfly, 3, 3, 8},
    {"UgalLocalDragonfly", v1::UGAL_L, dragonfly, 3, 3, 8},
    {"UgalGlobalThick", v1::UGAL_G, thick_dragonfly, 4, 3, 8},
    {"ShortestTree", v1::SHORTEST, tree23, 1, 1, kShortest},
    {"ShortestMesh", v1::UP_DOWN, mesh43, 1, 1, kAny},
    {"UpDownTorus", v1::UP_DOWN, torus443, 1, 1, kAny},
    {"UpDownLadder", v1::UP_DOWN, ladder, 1, 1, kAny},
    {"UpDownDragonfly", v1::UP_DOWN, dragonfly, 2, 1, kAny},
    {"DefaultRing", v1::DEFAULT, ring7, 1, 1, kAny},
    {"AdaptiveRing", v1::MINIMAL_ADAPTIVE, ring7, 2, 2, kShortest},
    {"AdaptiveLadder", v1::MINIMAL_ADAPTIVE, ladder, 3, 2, kShortest},
    {"AdaptiveDragonfly", v1::MINIMAL_ADAPTIVE, dragonfly, 2, 2, kShortest},
};
INSTANTIATE_TEST_SUITE_P(Cases, RoutingAlgorithmsTest, ::testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace fabrictwin
