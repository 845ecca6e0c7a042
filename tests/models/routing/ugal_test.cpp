// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// UGAL's choice between the minimal path and a detour, against both paths followed hop by hop.
#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <vector>

#include "models/routing/detour_choice.h"
#include "models/routing/dragonfly/routing.h"
#include "models/routing/lattice/valiant.h"
#include "tests/models/routing/routing_walk.h"
#include "tests/models/routing/small_systems.h"

namespace fabrictwin {
namespace {

struct PortOf {
  int32_t router;
  int32_t port;
};
using Path = std::vector<PortOf>;

// The links between routers that a packet takes from `router` on, the first option of each router.
Path path_of(const routing::RouterGraph& routers, const routing::RoutingAlgorithm& routing, routing::PacketRoute route,
             int32_t router) {
  Path path;
  int32_t in_port = routers.host_port(route.source);
  int32_t in_vc = 0;
  routing::RouteOptions options;
  while (path.size() < 100) {
    options.clear();
    routing.options(router, in_port, in_vc, route, options);
    const int32_t port = options[0].port;
    const routing::RouterGraph::End& end = routers.peer(router, port);
    if (end.router < 0) break;
    path.push_back({router, port});
    in_vc = std::countr_zero(options[0].vcs);
    in_port = end.port;
    router = end.router;
  }
  return path;
}

// Calls `expect` with both paths of many packets that could take a detour, and whether UGAL goes straight.
template <typename Expect>
void for_each_choice(const routing::RouterGraph& routers, const routing::RoutingAlgorithm& valiant,
                     const routing::RoutingAlgorithm& ugal, const routing::CongestionView& load, Expect expect) {
  int32_t straight_paths = 0;
  int32_t detours = 0;
  for (int32_t source = 0; source < routers.hosts(); ++source) {
    for (int32_t destination = 0; destination < routers.hosts(); ++destination) {
      for (uint32_t random = 0; random < 8; ++random) {
        routing::PacketRoute route;
        route.source = source;
        route.destination = destination;
        route.random = random * 0x9e3779b9U + static_cast<uint32_t>(source);
        const int32_t first = routers.host_router(source);
        routing::PacketRoute over = route;
        valiant.begin(first, over, load);
        routing::PacketRoute chosen = route;
        ugal.begin(first, chosen, load);
        if (over.intermediate == routing::PacketRoute::kNone) {
          EXPECT_EQ(chosen.intermediate, routing::PacketRoute::kNone);
          continue;
        }
        const bool straight = chosen.intermediate == routing::PacketRoute::kNone;
        if (!straight) {
          EXPECT_EQ(chosen.intermediate, over.intermediate);
        }
        ++(straight ? straight_paths : detours);
        expect(path_of(routers, valiant, route, first), path_of(routers, valiant, over, first), straight);
      }
    }
  }
  EXPECT_GT(straight_paths, 20);
  EXPECT_GT(detours, 20);
}

TEST(Ugal, TheStraightWayIsBetterIfQueueTimesHopsIsNotMore) {
  struct Row {
    int64_t straight_queue, straight_hops, detour_queue, detour_hops;
    int32_t bias;
    double threshold;
    bool straight;
  };
  const std::vector<Row> table = {
      {6, 2, 3, 4, 0, 1, true},     // Equal.
      {7, 2, 3, 4, 0, 1, false},    // One hop times one flit more.
      {7, 2, 3, 4, 2, 1, true},     // The bias is in favour of the minimal path.
      {7, 2, 3, 4, 1, 1, false},    //
      {0, 5, 0, 2, 0, 1, true},     // Empty queues.
      {1, 2, 0, 5, 0, 2, false},    // No factor makes an empty queue longer.
      {12, 2, 3, 4, 0, 2, true},    // Twice the detour.
      {13, 2, 3, 4, 0, 2, false},   //
      {13, 2, 3, 4, 2, 2, true},    // Factor and bias.
      {3, 2, 3, 4, 0, 0.5, true},   // Half of it.
      {4, 2, 3, 4, 0, 0.5, false},  //
  };
  for (const Row& row : table) {
    const routing::DetourRule rule{routing::DetourMode::kLocal, row.bias, row.threshold};
    EXPECT_EQ(rule.straight_is_better(row.straight_queue, row.straight_hops, row.detour_queue, row.detour_hops),
              row.straight)
        << &row - table.data();
  }
}

// What is on its way to the next router counts or does not.
TEST(Ugal, ItsQueueIsWhatIsInFlightOrWhatWaits) {
  class Wire final : public routing::CongestionView {
   public:
    int64_t queue(int32_t, int32_t) const override { return 100; }
    int64_t waiting(int32_t, int32_t) const override { return 7; }
  };
  routing::DetourRule rule{routing::DetourMode::kLocal};
  EXPECT_EQ(rule.queue(Wire(), 0, 0), 100);
  EXPECT_FALSE(rule.reads_waiting());
  rule.waiting = true;
  EXPECT_EQ(rule.queue(Wire(), 0, 0), 7);
  EXPECT_TRUE(rule.reads_waiting());
  rule.mode = routing::DetourMode::kAlways;
  EXPECT_FALSE(rule.reads_waiting());
}

TEST(Ugal, OnALatticeItLooksAtTheFirstQueuesOrAtAll) {
  const system::SystemGraph graph = small_torus({4, 3});
  const routing::RouterGraph routers(graph);
  const routing::lattice::Lattice lattice = *routing::lattice::Lattice::create(graph, "");
  const routing::lattice::Valiant valiant(lattice, 4, {routing::DetourMode::kAlways});
  const RandomLoad load(5);
  const auto sum = [&](const Path& path) {
    return std::accumulate(path.begin(), path.end(), int64_t{0},
                           [&](int64_t all, const PortOf& at) { return all + load.queue(at.router, at.port); });
  };
  for (const int32_t bias : {0, 40}) {
    for_each_choice(routers, valiant, routing::lattice::Valiant(lattice, 4, {routing::DetourMode::kLocal, bias}), load,
                    [&](const Path& straight, const Path& detour, bool chosen) {
                      const int64_t here = load.queue(straight[0].router, straight[0].port);
                      const int64_t there = load.queue(detour[0].router, detour[0].port);
                      const auto straight_hops = static_cast<int64_t>(straight.size());
                      const auto detour_hops = static_cast<int64_t>(detour.size());
                      EXPECT_EQ(chosen, here * straight_hops <= there * detour_hops + bias);
                    });
    for_each_choice(routers, valiant, routing::lattice::Valiant(lattice, 4, {routing::DetourMode::kGlobal, bias}), load,
                    [&](const Path& straight, const Path& detour, bool chosen) {
                      EXPECT_EQ(chosen, sum(straight) <= sum(detour) + bias);
                    });
  }
}

TEST(Ugal, OnADragonflyItLooksAtTheFirstQueueOrThatOfTheGlobalLink) {
  const system::SystemGraph graph = small_dragonfly(5, 2, 3, 2);
  const routing::RouterGraph routers(graph);
  const auto routing_of = [&](routing::DetourMode mode, int32_t bias) {
    return *routing::dragonfly::DragonflyRouting::create(routers, 3, {.detours = true, .rule = {mode, bias}});
  };
  const routing::dragonfly::DragonflyRouting valiant = routing_of(routing::DetourMode::kAlways, 0);
  const RandomLoad load(5);
  const auto group = [&](int32_t router) { return graph.elements[routers.hosts() + router].coordinates[2]; };
  const auto first_queue = [&](const Path& path) { return load.queue(path[0].router, path[0].port); };
  const auto global_queue = [&](const Path& path) {
    for (const PortOf& at : path) {
      if (group(routers.peer(at.router, at.port).router) != group(at.router)) return load.queue(at.router, at.port);
    }
    return int64_t{-1};
  };
  for (const int32_t bias : {0, 40}) {
    for (const routing::DetourMode mode : {routing::DetourMode::kLocal, routing::DetourMode::kGlobal}) {
      for_each_choice(routers, valiant, routing_of(mode, bias), load,
                      [&](const Path& straight, const Path& detour, bool chosen) {
                        const bool local = mode == routing::DetourMode::kLocal;
                        const int64_t here = local ? first_queue(straight) : global_queue(straight);
                        const int64_t there = local ? first_queue(detour) : global_queue(detour);
                        const auto straight_hops = static_cast<int64_t>(straight.size());
                        const auto detour_hops = static_cast<int64_t>(detour.size());
                        EXPECT_EQ(chosen, here * straight_hops <= there * detour_hops + bias);
                      });
    }
  }
}

}  // namespace
}  // namespace fabrictwin
