// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Input-queued routers in small networks: times by the cycle, and credits.
#include "models/router/input_queued/router.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "models/routing/lattice/torus_routing.h"
#include "tests/models/router/input_queued/lattice_network.h"

namespace fabrictwin {
namespace {

class NoLoad final : public routing::CongestionView {
 public:
  int64_t queue(int32_t, int32_t) const override { return 0; }
};

// One router with all its ports linked, port 0 with a host.
struct Alone {
  Alone(const router::input_queued::RouterSpec& router_spec, int32_t index, std::vector<int32_t> dims,
        std::vector<router::input_queued::Packet>& packets)
      : spec(router_spec), routing(std::move(dims), spec.vcs) {
    for (int32_t port = 0; port < 3; ++port)
      ports.push_back({true, port == 0, spec.buffer_flits, spec.buffer_flits, {}});
    router = std::make_unique<router::input_queued::Router<16>>(
        router::input_queued::RouterContext{spec, routing, load, packets, options}, index, ports);
  }
  std::vector<router::input_queued::FlitDeparture> step(int64_t cycle) {
    std::vector<router::input_queued::SwitchGrant> winners;
    std::vector<router::input_queued::FlitDeparture> departures;
    router->begin_cycle(cycle);
    router->grant(winners);
    for (const router::input_queued::SwitchGrant& winner : winners) departures.push_back(router->send(cycle, winner));
    router->end_cycle(cycle);
    return departures;
  }

  router::input_queued::RouterSpec spec;
  DatelineRouting routing;
  NoLoad load;
  routing::RouteOptions options;
  std::vector<router::input_queued::PortSpec> ports;
  std::unique_ptr<router::input_queued::Router<16>> router;
};

TEST(IqRouter, ZeroLoadLatencyIsExact) {
  for (const int32_t latency : {1, 2, 5, 16, 100}) {
    for (const int32_t flits : {1, 5, 18}) {
      for (int32_t hops = 0; hops <= 4; ++hops) {
        Lattice lattice;
        lattice.link_latency = latency;
        lattice.router.buffer_flits = 512;
        Script script;
        script.send(7, 0, hops, flits);
        router::input_queued::Network network(lattice.config(), script);
        ASSERT_TRUE(drain(network, 10'000));
        ASSERT_EQ(script.arrivals.size(), 1u);
        // 24 + (4 + L) h for packets of 18 flits.
        EXPECT_EQ(script.arrivals[0].cycle - 7, 6 + flits + (4 + latency) * hops) << latency << " " << hops;
        EXPECT_EQ(script.arrivals[0].packet.hops, hops + 1);
        EXPECT_EQ(network.flit_hops(), static_cast<uint64_t>(flits * (hops + 1)));
      }
    }
  }
}

TEST(IqRouter, ZeroLoadLatencyCountsEveryStage) {
  const std::vector<std::vector<int32_t>> delays = {{1, 1, 1, 1}, {3, 1, 1, 1}, {1, 4, 1, 1}, {1, 1, 2, 1},
                                                    {1, 1, 1, 5}, {0, 1, 1, 1}, {0, 3, 1, 2}, {2, 3, 4, 5}};
  for (const std::vector<int32_t>& delay : delays) {
    for (const router::input_queued::Switching switching :
         {router::input_queued::Switching::kCreditPerFlit, router::input_queued::Switching::kVirtualCutThrough}) {
      Lattice lattice;
      lattice.tile_latency = 3;
      lattice.router.buffer_flits = 64;
      lattice.router.routing_delay = delay[0];
      lattice.router.vc_alloc_delay = delay[1];
      lattice.router.switch_alloc_delay = delay[2];
      lattice.router.switch_delay = delay[3];
      lattice.router.switching = switching;
      Script script;
      script.send(0, 1, 4, 18);
      router::input_queued::Network network(lattice.config(), script);
      ASSERT_TRUE(drain(network, 10'000));
      const int32_t stages = delay[0] + delay[1] + delay[2] + delay[3];
      EXPECT_EQ(script.arrivals[0].cycle, 18 + 4 * stages + 3 * 1 + 2 * 3) << ::testing::PrintToString(delay);
    }
  }
}

// The next packet of an input VC is routed when the one before it has left: three stages without a flit.
TEST(IqRouter, PacketsOfOneVcAreThreeCyclesApart) {
  Lattice lattice;
  Script script;
  for (int32_t i = 0; i < 100; ++i) script.send(0, 0, 2, 18);
  router::input_queued::Network network(lattice.config(), script);
  ASSERT_TRUE(drain(network, 10'000));
  ASSERT_EQ(script.arrivals.size(), 100u);
  for (size_t i = 50; i < 100; ++i) EXPECT_EQ(script.arrivals[i].cycle - script.arrivals[i - 1].cycle, 20);
}

// A flow alone is as fast as its credits come round: a flit's slot is free again 2 L + 3 cycles after it was taken.
TEST(IqRouter, CreditsBoundTheRate) {
  for (const int32_t latency : {1, 4, 16, 40}) {
    Lattice lattice;
    lattice.link_latency = latency;
    lattice.router.buffer_flits = 18;
    Script script;
    script.send(0, 0, 2, 2000);
    router::input_queued::Network network(lattice.config(), script);
    ASSERT_TRUE(drain(network, 100'000));
    const double cycles = static_cast<double>(script.arrivals.at(0).cycle - (6 + (4 + latency) * 2));
    const double expected = std::max(1.0, (2.0 * latency + 3) / 18);
    EXPECT_NEAR(cycles / 2000, expected, 0.005) << latency;
    // All that is lost is lost waiting for credits.
    const uint64_t stalls = network.stall_cycles(0, routing::lattice::TorusRouting::plus_port(0));
    EXPECT_NEAR(static_cast<double>(stalls), cycles - 2000, 40) << latency;
    expect_all_credits(lattice, network);
  }
}

// An output VC serves the input VCs in turn. Packets from a host come on two of them, those from the ring on one.
TEST(IqRouter, InputVcsTakeTurns) {
  for (const router::input_queued::Switching switching :
       {router::input_queued::Switching::kCreditPerFlit, router::input_queued::Switching::kVirtualCutThrough}) {
    Lattice lattice;
    lattice.router.switching = switching;
    Script script;
    for (int32_t i = 0; i < 400; ++i) {
      for (int32_t host = 0; host < 3; ++host) script.send(0, host, 3, 18);
    }
    router::input_queued::Network network(lattice.config(), script);
    for (int64_t cycle = 0; cycle < 5000; ++cycle) network.step(cycle);
    std::map<int32_t, int> share;
    for (const Script::Arrival& arrival : script.arrivals) ++share[arrival.packet.source];
    EXPECT_NEAR(share[2], 2 * (share[0] + share[1]), 4);
    EXPECT_NEAR(share[1], 2 * share[0], 4);
  }
}

TEST(IqRouter, CutThroughWaitsForRoomForAPacket) {
  Lattice lattice;
  lattice.router.buffer_flits = 18;
  lattice.link_latency = 30;
  lattice.router.switching = router::input_queued::Switching::kVirtualCutThrough;
  Script script;
  for (int32_t i = 0; i < 20; ++i) script.send(0, 0, 1, 18);
  router::input_queued::Network network(lattice.config(), script);
  ASSERT_TRUE(drain(network, 100'000));
  ASSERT_EQ(script.arrivals.size(), 20u);
  // One packet for each round trip: the last credit comes 2 L + 5 after its flit left, then VC and switch are
  // allocated.
  for (size_t i = 10; i < 20; ++i) EXPECT_EQ(script.arrivals[i].cycle - script.arrivals[i - 1].cycle, 17 + 2 * 30 + 6);
}

// Of two packets that wait for a VC: the turn is that of the younger one, whose VC number is less too.
TEST(IqRouter, ArbitrationDecidesWhoWaits) {
  const std::map<router::input_queued::Arbitration, uint32_t> expected = {
      {router::input_queued::Arbitration::kRoundRobin, 1},
      {router::input_queued::Arbitration::kFixed, 1},
      {router::input_queued::Arbitration::kAge, 2}};
  for (const auto& [arbitration, first] : expected) {
    std::vector<router::input_queued::Packet> packets(3);
    for (router::input_queued::Packet& packet : packets) {
      packet.destination = 3;
      packet.flits = 2;
    }
    packets[0].source = packets[1].source = 1;
    packets[1].created = 60;
    packets[2].created = 50;
    router::input_queued::RouterSpec spec;
    spec.arbitration = arbitration;
    Alone alone(spec, 1, {8}, packets);
    router::input_queued::Router<16>& router = *alone.router;
    std::vector<uint32_t> heads;
    router.receive_flit(0, 0, 0, true);
    for (int64_t cycle = 0; cycle < 30; ++cycle) {
      if (cycle == 3) {
        router.receive_flit(cycle, 1, 1, true);
        router.receive_flit(cycle, routing::lattice::TorusRouting::minus_port(0) * 2, 2, true);
      }
      if (cycle == 10) router.receive_flit(cycle, 0, 0, false);
      for (const router::input_queued::FlitDeparture& departure : alone.step(cycle)) {
        if (departure.head) heads.push_back(departure.packet);
        EXPECT_EQ(departure.out_port, routing::lattice::TorusRouting::plus_port(0));
      }
    }
    // The first of the two keeps the VC, as its tail never comes.
    EXPECT_EQ(heads, (std::vector<uint32_t>{0, first}));
  }
}

TEST(IqRouter, TiesGoWhereThePacketSays) {
  Lattice lattice;
  lattice.dims = {2};
  Script script;
  script.send(0, 0, 1, 18, 0);
  script.send(0, 0, 1, 18, 1);
  router::input_queued::Network network(lattice.config(), script);
  ASSERT_TRUE(drain(network, 10'000));
  EXPECT_EQ(
      network.flits_sent({0, routing::lattice::TorusRouting::plus_port(0)}, router::input_queued::Traffic::kNever),
      18u);
  EXPECT_EQ(
      network.flits_sent({0, routing::lattice::TorusRouting::minus_port(0)}, router::input_queued::Traffic::kNever),
      18u);
  EXPECT_EQ(network.packets_sent({0, -1}, router::input_queued::Traffic::kNever), 2u);
}

/// Packets for host 0 may leave through any port but that of the host, others only through the port of that number.
/// One port may be an escape.
class AnyWay final : public routing::RoutingAlgorithm {
 public:
  explicit AnyWay(int16_t escape = -1) : escape_(escape) {}
  int32_t classes() const override { return 1; }
  bool deterministic() const override { return false; }
  void options(int32_t, int32_t, int32_t, routing::PacketRoute& route, routing::RouteOptions& options) const override {
    for (int16_t port = 1; port < 4; ++port) {
      if (route.destination == port || (route.destination == 0 && port != escape_)) options.add({port, false, 1});
    }
    if (route.destination == 0 && escape_ > 0) options.add({escape_, true, 1});
  }

 private:
  int16_t escape_;
};

// Through which port a packet for host 0 leaves a router, after packets for `before`, none of which gets on. With
// `cut`, the last of these has only sent its head, so that it keeps its VC. `stay` says how many cycles that takes.
int32_t adaptive_port(uint32_t random, const std::vector<int32_t>& before, int16_t escape = -1, bool cut = false,
                      int64_t* stay = nullptr) {
  const AnyWay routing(escape);
  const NoLoad load;
  routing::RouteOptions options;
  router::input_queued::RouterSpec spec;
  spec.vcs = 1;
  std::vector<router::input_queued::Packet> packets;
  for (const int32_t destination : before) {
    packets.emplace_back().destination = destination;
  }
  packets.emplace_back().random = random;
  for (router::input_queued::Packet& packet : packets) packet.flits = 1;
  if (cut) packets[before.size() - 1].flits = 2;
  std::vector<router::input_queued::PortSpec> ports;
  for (int32_t port = 0; port < 4; ++port) ports.push_back({true, port == 0, spec.buffer_flits, spec.buffer_flits, {}});
  router::input_queued::Router<16> router(router::input_queued::RouterContext{spec, routing, load, packets, options}, 0,
                                          ports);
  int64_t cycle = 0;
  int32_t last = -1;
  for (uint32_t packet = 0; packet < packets.size(); ++packet) {
    // Through another port, where the one before has not come whole.
    router.receive_flit(cycle, cut && packet == before.size() ? 3 : 0, packet, true);
    const int64_t came = cycle;
    bool more = true;
    for (; more; ++cycle) {
      std::vector<router::input_queued::SwitchGrant> winners;
      router.begin_cycle(cycle);
      router.grant(winners);
      for (const router::input_queued::SwitchGrant& winner : winners) last = router.send(cycle, winner).out_port;
      if (!winners.empty() && stay != nullptr) *stay = cycle - came;
      more = router.end_cycle(cycle);
    }
  }
  EXPECT_EQ(router.failure(), "");
  return last;
}

TEST(IqRouter, AdaptivePacketsTakeTheLeastQueueAndTiesGoWhereTheirRandomNumberSays) {
  // The random number names the port from which on the first of equal ones is taken; behind the last comes the first.
  EXPECT_EQ(adaptive_port(0, {}), 1);
  EXPECT_EQ(adaptive_port(1, {}), 1);
  EXPECT_EQ(adaptive_port(2, {}), 2);
  EXPECT_EQ(adaptive_port(3, {}), 3);
  EXPECT_EQ(adaptive_port(6, {}), 2);
  EXPECT_EQ(adaptive_port(3, {3}), 1);
  EXPECT_EQ(adaptive_port(2, {2, 2, 3}), 1);
  EXPECT_EQ(adaptive_port(1, {1, 2}), 3);
  EXPECT_EQ(adaptive_port(1, {1, 1, 2, 3, 3}), 2);
  EXPECT_EQ(adaptive_port(2, {1, 2, 3}), 2);
  EXPECT_EQ(adaptive_port(0, {1, 2, 3}), 1);
}

TEST(IqRouter, AnEscapeIsTakenOnlyWhereNothingElseIsFree) {
  EXPECT_EQ(adaptive_port(2, {1, 1, 3}, 2), 3) << "its queue is shorter";
  EXPECT_EQ(adaptive_port(2, {1, 3, 3}, 2), 1);
  EXPECT_EQ(adaptive_port(2, {3, 1}, 2, true), 3) << "the VC of port 1 belongs to another packet";
  int64_t stay = 0;
  int64_t stay_alone = 0;
  EXPECT_EQ(adaptive_port(2, {3, 3, 3, 1}, 2, true, &stay), 3) << "its queue is longer, but the shorter one has no VC";
  adaptive_port(2, {}, 2, false, &stay_alone);
  EXPECT_EQ(stay, stay_alone) << "it has not asked for that VC first";
}

TEST(IqRouter, NoticesABrokenContract) {
  std::vector<router::input_queued::Packet> packets(1);
  packets[0].flits = 3;
  router::input_queued::RouterSpec spec;
  spec.buffer_flits = 2;
  Alone full_alone(spec, 0, {4}, packets);
  router::input_queued::Router<16>& full = *full_alone.router;
  for (int flit = 0; flit < 3; ++flit) full.receive_flit(0, 2, 0, flit == 0);
  EXPECT_THAT(full.failure(), ::testing::HasSubstr("port 1, VC 0: a flit came without credit"));
  Alone headless_alone(spec, 0, {4}, packets);
  router::input_queued::Router<16>& headless = *headless_alone.router;
  headless.receive_flit(0, 3, 0, false);
  EXPECT_THAT(headless.failure(), ::testing::HasSubstr("port 1, VC 1: a packet begins without a head"));
  Alone rich_alone(spec, 0, {4}, packets);
  router::input_queued::Router<16>& rich = *rich_alone.router;
  rich.receive_credit(0, 1);
  EXPECT_THAT(rich.failure(), ::testing::HasSubstr("port 0, VC 1: a credit came"));
}

}  // namespace
}  // namespace fabrictwin
