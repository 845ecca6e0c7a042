// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Queues of inputs: head-of-line blocking beside what BookSim2 and theory say, trees of congestion with each scheme.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "models/router/input_queued/next_queues.h"
#include "rapidcheck/gtest.h"
#include "tests/models/router/input_queued/booksim_points.h"
#include "tests/models/router/input_queued/queues_network.h"

namespace fabrictwin {
namespace {

using router::input_queued::Network;

int32_t uniform(int32_t hosts, RandomStream& random) {
  return static_cast<int32_t>(random.next_below(static_cast<uint64_t>(hosts)));
}

/// What hosts of one router receive at load 1, flits in a cycle each.
double accepted(const Network::Config& config, const TrafficClass& sent, int64_t cycles) {
  const int64_t warmup = cycles / 4;
  ClassTraffic traffic({sent}, config.hosts, warmup);
  Network network(config, traffic);
  run_until(network, cycles);
  EXPECT_EQ(network.failure(), "");
  const auto flits = static_cast<double>(std::accumulate(traffic.flits.begin(), traffic.flits.end(), int64_t{0}));
  return flits / static_cast<double>(cycles - warmup) / config.hosts;
}

TrafficClass everywhere(int32_t hosts, double load = 1) {
  return {load, [hosts](int32_t, RandomStream& random) { return uniform(hosts, random); }};
}

TEST(IqQueues, OneQueueBlocksTheHeadOfTheLine) {
  EXPECT_NEAR(accepted(one_router(8, 72, queues_of(v1::Queues::ONE)), everywhere(8), 40'000), 0.576, 0.03 * 0.576);
}

// BookSim2 with queues for the next output, and a source with one queue.
TEST(IqQueues, QueuesOfOutputsAreAsGoodAsTheirSourceLets) {
  const auto voqsw = queues_of(v1::Queues::VOQSW);
  EXPECT_NEAR(accepted(one_router(8, 4 * 18, voqsw), everywhere(8), 40'000), 0.721, 0.03 * 0.721);
  EXPECT_NEAR(accepted(one_router(8, 16 * 18, voqsw), everywhere(8), 40'000), 0.904, 0.03 * 0.904);
  EXPECT_NEAR(accepted(one_router(8, 72 * 18, voqsw), everywhere(8), 80'000), 0.983, 0.03 * 0.983);
}

TEST(IqQueues, QueuesOfHostsTakeTheRestOfTheBlockingAway) {
  for (const auto admittance : {v1::Queues::AS_ROUTER, v1::Queues::PER_DESTINATION}) {
    const auto voqsw = queues_of(v1::Queues::VOQSW, 0, admittance);
    EXPECT_GE(accepted(one_router(8, 16 * 18, voqsw), everywhere(8), 40'000), 0.95);
  }
}

TEST(IqQueues, OneIterationIsEnoughForADiagonal) {
  const TrafficClass diagonal{
      1, [](int32_t source, RandomStream& random) { return random.next_below(3) < 2 ? source : (source + 1) % 8; }};
  EXPECT_GE(accepted(one_router(8, 16 * 18, queues_of(v1::Queues::VOQSW, 0, v1::Queues::AS_ROUTER)), diagonal, 40'000),
            0.8);
}

struct Victims {
  double accepted = 0;  ///< Flits in a cycle of each host that is not hot.
  double latency = 0;   ///< Mean, of the class that goes everywhere.
  double hot = 0;       ///< What the hot host receives.
};

constexpr int32_t kHot = 27;

/// Each host sends 0.1 everywhere and 0.05 to one host, which is three times what that can take.
std::vector<TrafficClass> hotspot(int64_t until = std::numeric_limits<int64_t>::max()) {
  return {everywhere(64, 0.1), {0.05, [](int32_t, RandomStream&) { return kHot; }, until}};
}

Victims run_hotspot(const experiment::QueuesSpec& queues, int32_t vcs, int64_t cycles) {
  const int64_t warmup = cycles / 4;
  ClassTraffic traffic(hotspot(), 64, warmup);
  Network network(torus8x8(vcs, queues), traffic);
  run_until(network, cycles);
  EXPECT_EQ(network.failure(), "");
  const auto time = static_cast<double>(cycles - warmup);
  const auto hot = static_cast<double>(traffic.flits[kHot]);
  const auto all = static_cast<double>(std::accumulate(traffic.flits.begin(), traffic.flits.end(), int64_t{0}));
  return {(all - hot) / time / 63, traffic.mean_latency(0), hot / time};
}

TEST(IqQueues, OneQueueSpreadsATreeOfCongestion) {
  const Victims victims = run_hotspot(queues_of(v1::Queues::ONE), 4, 20'000);
  EXPECT_LE(victims.accepted, 0.035);
  EXPECT_GE(victims.hot, 0.97);
}

TEST(IqQueues, QueuesOfDestinationsLeaveVictimsAlone) {
  const Victims victims = run_hotspot(queues_of(v1::Queues::VOQNET, 0, v1::Queues::PER_DESTINATION), 2, 20'000);
  EXPECT_GE(victims.accepted, 0.098);
  EXPECT_LE(victims.latency, 65);
  EXPECT_GE(victims.hot, 0.97);
}

TEST(IqQueues, EightQueuesOfDestinationsLeaveMostVictimsAlone) {
  const Victims victims = run_hotspot(queues_of(v1::Queues::DBBM, 8, v1::Queues::PER_DESTINATION), 4, 20'000);
  EXPECT_GE(victims.accepted, 0.07);
  EXPECT_LE(victims.accepted, 0.1);
}

TEST(IqQueues, QueuesSetAsideLeaveVictimsAlone) {
  const Victims victims = run_hotspot(queues_of(v1::Queues::FBICM, 8, v1::Queues::PER_DESTINATION), 4, 20'000);
  EXPECT_GE(victims.accepted, 0.09);
  EXPECT_LE(victims.latency, 65);
  EXPECT_GE(victims.hot, 0.97);
}

// Hosts still have packets for the hot one when no more are made, and the queues are released as these have gone.
TEST(IqQueues, QueuesSetAsideAreReleasedWhenTheTreeHasGone) {
  constexpr int64_t kStop = 1500;
  ClassTraffic traffic(hotspot(kStop), 64, 0);
  Network network(torus8x8(4, queues_of(v1::Queues::FBICM, 8, v1::Queues::PER_DESTINATION)), traffic);
  run_until(network, kStop);
  EXPECT_GT(network.set_aside_use().now, 20);
  run_until(network, 20'000);
  EXPECT_EQ(network.set_aside_use().now, 0);
  EXPECT_LE(network.set_aside_use().released, kStop + 5000);
  EXPECT_LE(network.set_aside_use().released, traffic.last_hot + 500);
}

/// One of the ports 1 to 3, by a hash of the packet and the router.
class PortByHash final : public routing::RoutingAlgorithm {
 public:
  int32_t classes() const override { return 1; }
  bool deterministic() const override { return false; }
  bool chooses() const override { return true; }
  int32_t choose(int32_t router, const routing::PacketRoute& route, int32_t count) const override {
    return (static_cast<int32_t>(route.random) + router) % count;
  }
  void options(int32_t, int32_t, int32_t, routing::PacketRoute&, routing::RouteOptions& options) const override {
    for (int16_t port = 1; port <= 3; ++port) options.add({port, false, 1});
  }
};

// Who sends a packet knows which output the next router takes by a hash.
TEST(IqQueues, TheQueueIsThatOfTheOutputWhichAHashChooses) {
  using router::input_queued::NextQueues;
  experiment::QueuesSpec spec;
  spec.scheme = v1::Queues::VOQSW;
  const PortByHash routing;
  // Host 0 is at router 0, whose port 2 leads to router 1.
  const std::vector<NextQueues::Peer> peers{{-1, 0}, {-1, 0}, {1, 0}, {-1, 0}, {-1, 0}, {-1, 0}, {0, 2}, {-1, 0}};
  NextQueues next(congestion::Classifier(spec, 4, 4), routing, {0, 4}, peers, {{0, 0}});
  for (uint32_t random = 0; random < 6; ++random) {
    routing::PacketRoute packet;
    packet.random = random;
    EXPECT_EQ(next.first(0, packet), 1 + static_cast<int32_t>(random) % 3);
    EXPECT_EQ(next.behind(0, 2, 0, packet), 1 + (static_cast<int32_t>(random) + 1) % 3);
  }
}

std::string refusal_of(const std::vector<std::string>& sets) {
  return std::string(run_booksim_torus(sets, 1).status().message());
}

TEST(IqQueues, WhatDoesNotSuitIsRefusedWithWhatDoes) {
  using ::testing::HasSubstr;
  EXPECT_THAT(refusal_of({"queues.scheme=VOQNET", "topology.torus.dims=16x16"}),
              HasSubstr("VOQNET makes 256 queues for each of 2 VCs of a port, and a router has 5 ports: ports times "
                        "queues, these rounded up to a power of two, are at most 2048; write scheme: DBBM with "
                        "router.vcs times count 256 or less, or"));
  EXPECT_THAT(refusal_of({"queues.scheme=DBBM", "queues.count=64", "router.vcs=8"}),
              HasSubstr("write router { vcs: 4 }, scheme: DBBM"));
  EXPECT_THAT(
      refusal_of({"queues.scheme=VOQSW", "routing.algorithm=VALIANT", "router.vcs=4"}),
      HasSubstr("VOQSW needs to know the path of a packet ahead, and this routing chooses it by the load or takes "
                "detours; write algorithm: DIMENSION_ORDER"));
  EXPECT_THAT(refusal_of({"queues.scheme=FBICM", "routing.algorithm=VALIANT", "router.vcs=4"}),
              HasSubstr("FBICM needs all packets for a host to leave a router by one output"));
  EXPECT_THAT(refusal_of({"queues.scheme=FBICM", "router.switching=WORMHOLE"}),
              HasSubstr("FBICM needs buffers with several packets"));
  EXPECT_THAT(refusal_of({"queues.scheme=FBICM", "queues.flits=4000", "queues.count=20"}),
              HasSubstr("write flits: 3120 or less, or a smaller count"));
  EXPECT_THAT(refusal_of({"queues.scheme=DBBM", "router.switching=VIRTUAL_CUT_THROUGH", "queues.flits=8"}),
              HasSubstr("space for a whole packet in each queue, which has 18 flits"));
}

TEST(IqQueues, AReportTellsOfQueuesSetAside) {
  const auto report = run_booksim_torus(
      {"queues.scheme=FBICM", "queues.detect=2", "router.vcs=4", "workload.traffic.pattern=HOTSPOT",
       "workload.traffic.hotspot_fraction=0.5", "workload.traffic.load=0.1", "workload.traffic.sample_cycles=500"},
      1);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_GT(report->queues().set_aside_most(), 0U);
  EXPECT_GT(report->queues().set_aside_released_seconds(), 0);
}

// Packets of all sizes, queues of all schemes: everything arrives once, and all credits come back.
RC_GTEST_PROP(IqQueuesProperty, EverythingArrivesAndCreditsReturn, ()) {
  experiment::QueuesSpec queues = queues_of(
      *rc::gen::element(v1::Queues::VOQSW, v1::Queues::VOQNET, v1::Queues::DBBM, v1::Queues::OBQA, v1::Queues::FBICM),
      *rc::gen::inRange(2, 5),
      *rc::gen::element(v1::Queues::SINGLE, v1::Queues::AS_ROUTER, v1::Queues::PER_DESTINATION));
  queues.detect = *rc::gen::inRange(1, 4);
  queues.stop = *rc::gen::inRange(1, 4);
  queues.resume = *rc::gen::inRange(0, queues.stop);
  Lattice lattice;
  lattice.dims = {4, 3};
  lattice.router.switching = *rc::gen::element(router::input_queued::Switching::kCreditPerFlit,
                                               router::input_queued::Switching::kVirtualCutThrough);
  lattice.router.buffer_flits = *rc::gen::inRange(9, 30);
  lattice.router.routing_delay = *rc::gen::inRange(0, 3);
  lattice.router.internal_speedup = *rc::gen::inRange(1, 3);
  Network::Config config = lattice.config();
  add_queues(config, queues);
  config.router.min_packet_flits = 1;
  Script script;
  RandomStream random(*rc::gen::arbitrary<uint64_t>(), 0, RandomPurpose::kTest);
  for (int32_t packet = 0; packet < 600; ++packet) {
    const bool hot = random.next_below(2) == 0;
    script.send(0, static_cast<int32_t>(random.next_below(12)), hot ? 5 : static_cast<int32_t>(random.next_below(12)),
                1 + static_cast<int32_t>(random.next_below(9)), static_cast<uint32_t>(random.next()));
  }
  Network network(config, script);
  RC_ASSERT(drain(network, 100'000));
  RC_ASSERT(network.failure().empty());
  RC_ASSERT(script.arrivals.size() == script.sent);
  RC_ASSERT(network.packets_in_flight() == 0U);
  RC_ASSERT(network.set_aside_use().now == 0);
  for (const router::input_queued::Link& link : config.links) {
    for (const router::input_queued::End& end : link.ends) {
      for (int32_t vc = 0; vc < config.router.vcs; ++vc) {
        const int32_t credits =
            end.port < 0 ? network.host_credits(end.element, vc) : network.credits(end.element, end.port, vc);
        RC_ASSERT(credits == config.router.buffer_flits);
        if (end.port >= 0) RC_ASSERT(network.flits(end.element, end.port, vc) == 0);
      }
    }
  }
}

}  // namespace
}  // namespace fabrictwin
