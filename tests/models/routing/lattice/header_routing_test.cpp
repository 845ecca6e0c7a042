// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/lattice/header_routing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <vector>

#include "cosim/base/text.h"
#include "models/network/topology.h"
#include "models/routing/lattice/torus_routing.h"
#include "models/routing/proof/deadlock_check.h"
#include "tests/experiments.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

system::SystemGraph ring_of_four() {
  const auto experiment =
      test::parse_experiment("topology { torus { dims: 4 } } workload { traffic { load: 0.1 } }", "e.textproto");
  EXPECT_TRUE(experiment.ok()) << experiment.status();
  auto graph = network::build_topology(*experiment);
  EXPECT_TRUE(graph.ok()) << graph.status();
  return *std::move(graph);
}

/// A router whose packets all stay on VC 0.
class OneVc final : public routing::Routing {
 public:
  OneVc(std::vector<int32_t> dims, std::vector<int32_t> here) : torus_(std::move(dims), std::move(here)) {}
  routing::Hop route(const link::PacketHeader& header, int32_t in_port, int32_t in_vc) const override {
    return {torus_.route(header, in_port, in_vc).port, 0};
  }

 private:
  routing::lattice::TorusRouting torus_;
};

template <typename Router>
absl::StatusOr<routing::proof::DeadlockProof> check(const system::SystemGraph& graph) {
  std::vector<std::shared_ptr<const routing::Routing>> routers;
  for (int32_t router = 0; router < graph.router_count(); ++router)
    routers.push_back(std::make_shared<Router>(graph.dims, std::vector<int32_t>{router}));
  return routing::proof::check_deadlock(graph, routing::lattice::HeaderRouting(graph, std::move(routers), std::nullopt),
                                        2, true);
}

// The proof looks at what the routers do, not at what they are called.
TEST(HeaderRouting, TheDatelineIsWhatKeepsARingFreeOfDeadlock) {
  const system::SystemGraph graph = ring_of_four();
  const auto with = check<routing::lattice::TorusRouting>(graph);
  ASSERT_TRUE(with.ok()) << with.status();
  EXPECT_TRUE(with->proved());
  EXPECT_THAT(message_of(check<OneVc>(graph).status()),
              HasSubstr("wait for each other in a circle: router[0].x+ VC 0"));
}

// Half round a ring of four there are two paths, and both are followed.
TEST(HeaderRouting, TiesAreFollowedBothWays) {
  const system::SystemGraph graph = ring_of_four();
  std::vector<std::shared_ptr<const routing::Routing>> routers;
  for (int32_t router = 0; router < 4; ++router)
    routers.push_back(std::make_shared<routing::lattice::TorusRouting>(graph.dims, std::vector<int32_t>{router}));
  const routing::lattice::HeaderRouting routing(graph, routers, std::nullopt);
  std::vector<int32_t> ports;
  routing::PacketRoute packet;
  packet.source = 0;
  for (packet.destination = 1; packet.destination < 4; ++packet.destination) {
    routing.for_each_beginning(0, packet, [&](const routing::PacketRoute& beginning) {
      routing::RouteOptions options;
      routing::PacketRoute route = beginning;
      routing.options(0, routing::lattice::TorusRouting::kTilePort, 0, route, options);
      ASSERT_EQ(options.size(), 1);
      ports.push_back(options[0].port);
    });
  }
  const int32_t plus = routing::lattice::TorusRouting::plus_port(0),
                minus = routing::lattice::TorusRouting::minus_port(0);
  EXPECT_THAT(ports, ::testing::ElementsAre(plus, minus, plus, minus));
}

}  // namespace
}  // namespace fabrictwin
