// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/lattice/dimension_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <string>

#include "cosim/base/text.h"
#include "models/network/routing_factory.h"
#include "models/network/topology.h"
#include "models/topology/lattice/torus.h"
#include "rapidcheck/gtest.h"
#include "tests/models/routing/lattice/dateline_routing.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

experiment::Experiment torus(std::vector<int32_t> dims, std::string order = {}) {
  experiment::Experiment experiment;
  const auto dimensions = dims.size();
  experiment.topology_spec = topology::lattice::TorusSpec{.dims = std::move(dims),
                                                          .wrap = std::vector<bool>(dimensions, true),
                                                          .link_rate = Bandwidth{10'000'000'000},
                                                          .link_latency = Time::from_ns(50),
                                                          .tile_rate = Bandwidth{10'000'000'000},
                                                          .tile_latency = Time::from_ns(50)};
  experiment.router = {.clock = Frequency{156'250'000}, .buffer_words = 64};
  experiment.routing.order = std::move(order);
  return experiment;
}

routing::RouteOption only(const routing::RoutingAlgorithm& routing, int32_t router, int32_t in_port, int32_t in_vc,
                          routing::PacketRoute& route) {
  routing::RouteOptions options;
  routing.options(router, in_port, in_vc, route, options);
  EXPECT_EQ(options.size(), 1U);
  return options[0];
}

// The routing of the validated model, from which no step may differ.
RC_GTEST_PROP(DimensionOrderTest, GoesTheWayOfTheValidatedModel, ()) {
  const auto dims = *rc::gen::container<std::vector<int32_t>>(*rc::gen::inRange<size_t>(1, 4), rc::gen::inRange(1, 7));
  const int32_t vcs = 2 * *rc::gen::inRange(1, 5);
  const system::SystemGraph graph = *network::build_topology(torus(dims));
  const auto routing = network::make_routing_algorithm(torus(dims), graph, vcs);
  RC_ASSERT(routing.ok());
  const DatelineRouting reference(dims, vcs);
  const int32_t hosts = graph.host_count();
  routing::PacketRoute route;
  route.source = *rc::gen::inRange(0, hosts);
  route.destination = *rc::gen::inRange(0, hosts);
  route.random = *rc::gen::arbitrary<uint8_t>();
  int32_t router = route.source;
  int32_t in_port = 0;
  int32_t in_vc = 0;
  while (true) {
    const routing::RouteOption option = only(**routing, router, in_port, in_vc, route);
    const routing::RouteOption expected = only(reference, router, in_port, in_vc, route);
    RC_ASSERT(option.port == expected.port);
    RC_ASSERT(option.vcs == expected.vcs);
    const system::LinkEnd end = graph.channel_target(graph.channel_from(hosts + router, option.port));
    if (end.element < hosts) break;
    router = end.element - hosts;
    in_port = end.port;
    // Any VC of the mask.
    uint32_t mask = option.vcs;
    for (int32_t skip = *rc::gen::inRange(0, std::popcount(mask)); skip > 0; --skip) mask &= mask - 1;
    in_vc = std::countr_zero(mask);
  }
  RC_ASSERT(router == route.destination);
}

TEST(DimensionOrderTest, TakesDimensionsInTheOrderGiven) {
  const system::SystemGraph graph = *network::build_topology(torus({4, 4, 4}));
  const auto routing = network::make_routing_algorithm(torus({4, 4, 4}, "zxy"), graph, 2);
  ASSERT_TRUE(routing.ok()) << routing.status();
  routing::PacketRoute route;
  route.destination = 1 + 4 + 16;
  EXPECT_EQ(only(**routing, 0, 0, 0, route).port, 5);
  EXPECT_EQ(only(**routing, 16, 6, 0, route).port, 1);
  EXPECT_EQ(only(**routing, 17, 2, 0, route).port, 3);
  EXPECT_EQ(only(**routing, 21, 4, 0, route).port, 0);
}

TEST(DimensionOrderTest, RefusesWhatItCannotDo) {
  experiment::Experiment experiment = torus({4, 4}, "xz");
  experiment.router.model = v1::INPUT_QUEUED;
  experiment.order_location = {"e.textproto", "order: \"xz\"", 3, 8};
  experiment.vcs_location = {"e.textproto", "vcs: 1", 4, 6};
  const system::SystemGraph graph = *network::build_topology(experiment);
  EXPECT_EQ(message_of(network::make_routing_algorithm(experiment, graph, 2).status()),
            "e.textproto:3:8: error: order \"xz\": it names each dimension of x, y once; write \"xy\" in any order\n"
            "order: \"xz\"\n       ^");
  experiment.routing.order = "x";
  EXPECT_THAT(message_of(network::make_routing_algorithm(experiment, graph, 2).status()),
              HasSubstr("leaves dimensions out"));
  experiment.routing.order = "yx";
  EXPECT_THAT(message_of(network::make_routing_algorithm(experiment, graph, 1).status()),
              HasSubstr("e.textproto:4:6: error: vcs 1: routing DIMENSION_ORDER on torus 4x4 tells 2 classes of VCs "
                        "apart; write router { vcs: 2 } or more"));
}

}  // namespace
}  // namespace fabrictwin
