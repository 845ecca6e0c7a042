// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Input-queued routers in small networks: times by the cycle, credits, and that everything arrives.
#include "models/iq_router.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>

#include "cosim/base/random.h"
#include "models/iq_network.h"
#include "models/torus_routing.h"
#include "rapidcheck/gtest.h"
#include "tests/models/dateline_routing.h"

namespace fabrictwin {
namespace {

class NoLoad final : public CongestionView {
 public:
  int64_t queue(int32_t, int32_t) const override { return 0; }
};

// One router with all its ports linked, port 0 with a host.
struct Alone {
  Alone(const IqRouterSpec& router_spec, int32_t index, std::vector<int32_t> dims, std::vector<IqPacket>& packets)
      : spec(router_spec), routing(std::move(dims), spec.vcs) {
    for (int32_t port = 0; port < 3; ++port)
      ports.push_back({true, port == 0, spec.buffer_flits, spec.buffer_flits, {}});
    router = std::make_unique<IqRouter<16>>(IqRouterContext{spec, routing, load, packets, options}, index, ports);
  }
  std::vector<IqDeparture> step(int64_t cycle) {
    std::vector<IqWinner> winners;
    std::vector<IqDeparture> departures;
    router->begin_cycle(cycle);
    router->grant(winners);
    for (const IqWinner& winner : winners) departures.push_back(router->send(cycle, winner));
    router->end_cycle(cycle);
    return departures;
  }

  IqRouterSpec spec;
  DatelineRouting routing;
  NoLoad load;
  RouteOptions options;
  std::vector<IqPortSpec> ports;
  std::unique_ptr<IqRouter<16>> router;
};

// Sends what it was told, in order from each host, and notes what arrives.
class Script : public IqTraffic {
 public:
  struct Arrival {
    IqPacket packet;
    int64_t cycle;
  };
  void send(int64_t cycle, int32_t source, int32_t destination, int32_t flits, uint32_t draw = 0) {
    IqPacket packet;
    packet.created = cycle;
    packet.source = source;
    packet.destination = destination;
    packet.flits = static_cast<uint16_t>(flits);
    packet.draw = draw;
    packet.sequence = sent++;
    queues_[source].push_back(packet);
  }
  int64_t next_packet(int32_t host, int64_t cycle, IqPacket& packet) override {
    std::deque<IqPacket>& queue = queues_[host];
    if (queue.empty()) return kNever;
    if (queue.front().created > cycle) return queue.front().created;
    packet = queue.front();
    queue.pop_front();
    return cycle;
  }
  void packet_arrived(const IqPacket& packet, int64_t cycle) override { arrivals.push_back({packet, cycle}); }

  std::vector<Arrival> arrivals;
  uint64_t sent = 0;

 private:
  std::map<int32_t, std::deque<IqPacket>> queues_;
};

struct Lattice {
  std::vector<int32_t> dims = {8};
  int32_t link_latency = 1;
  int32_t tile_latency = 1;
  IqRouterSpec router;

  int32_t nodes() const {
    int32_t product = 1;
    for (const int32_t size : dims) product *= size;
    return product;
  }
  IqNetwork::Config config() const {
    IqNetwork::Config config;
    config.router = router;
    config.routers = config.hosts = nodes();
    config.routing = std::make_shared<DatelineRouting>(dims, router.vcs);
    int32_t stride = 1;
    for (size_t d = 0; d < dims.size(); ++d) {
      for (int32_t node = 0; dims[d] > 1 && node < nodes(); ++node) {
        const int32_t here = node / stride % dims[d];
        const int32_t next = node + ((here + 1) % dims[d] - here) * stride;
        config.links.push_back({{{node, TorusRouting::plus_port(static_cast<int32_t>(d))},
                                 {next, TorusRouting::minus_port(static_cast<int32_t>(d))}},
                                link_latency});
      }
      stride *= dims[d];
    }
    for (int32_t node = 0; node < nodes(); ++node)
      config.links.push_back({{{node, -1}, {node, TorusRouting::kTilePort}}, tile_latency});
    return config;
  }
};

// Runs until nothing happens any more; returns false if that takes longer than `limit` cycles.
bool drain(IqNetwork& network, int64_t limit) {
  while (network.next_cycle() < limit) network.step(network.next_cycle());
  return network.next_cycle() == IqTraffic::kNever;
}

void expect_all_credits(const Lattice& lattice, const IqNetwork& network) {
  const IqNetwork::Config config = lattice.config();
  for (const IqLink& link : config.links) {
    for (const IqEnd& end : link.ends) {
      for (int32_t vc = 0; vc < lattice.router.vcs; ++vc) {
        const int32_t credits =
            end.port < 0 ? network.host_credits(end.element, vc) : network.credits(end.element, end.port, vc);
        EXPECT_EQ(credits, lattice.router.buffer_flits);
        if (end.port >= 0) {
          EXPECT_EQ(network.flits(end.element, end.port, vc), 0);
        }
      }
    }
  }
}

TEST(IqRouter, ZeroLoadLatencyIsExact) {
  for (const int32_t latency : {1, 2, 5, 16, 100}) {
    for (const int32_t flits : {1, 5, 18}) {
      for (int32_t hops = 0; hops <= 4; ++hops) {
        Lattice lattice;
        lattice.link_latency = latency;
        lattice.router.buffer_flits = 512;
        Script script;
        script.send(7, 0, hops, flits);
        IqNetwork network(lattice.config(), script);
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
    for (const IqSwitching switching : {IqSwitching::kCreditPerFlit, IqSwitching::kVirtualCutThrough}) {
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
      IqNetwork network(lattice.config(), script);
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
  IqNetwork network(lattice.config(), script);
  ASSERT_TRUE(drain(network, 10'000));
  ASSERT_EQ(script.arrivals.size(), 100u);
  for (size_t i = 50; i < 100; ++i) EXPECT_EQ(script.arrivals[i].cycle - script.arrivals[i - 1].cycle, 20);
}

// A flow alone is as fast as its credits come round: a flit's place is free again 2 L + 3 cycles after it was taken.
TEST(IqRouter, CreditsBoundTheRate) {
  for (const int32_t latency : {1, 4, 16, 40}) {
    Lattice lattice;
    lattice.link_latency = latency;
    lattice.router.buffer_flits = 18;
    Script script;
    script.send(0, 0, 2, 2000);
    IqNetwork network(lattice.config(), script);
    ASSERT_TRUE(drain(network, 100'000));
    const double cycles = static_cast<double>(script.arrivals.at(0).cycle - (6 + (4 + latency) * 2));
    const double expected = std::max(1.0, (2.0 * latency + 3) / 18);
    EXPECT_NEAR(cycles / 2000, expected, 0.005) << latency;
    // All that is lost is lost waiting for credits.
    const uint64_t stalls = network.stall_cycles(0, TorusRouting::plus_port(0));
    EXPECT_NEAR(static_cast<double>(stalls), cycles - 2000, 40) << latency;
    expect_all_credits(lattice, network);
  }
}

// An output VC serves the input VCs in turn. Packets from a host come on two of them, those from the ring on one.
TEST(IqRouter, InputVcsTakeTurns) {
  for (const IqSwitching switching : {IqSwitching::kCreditPerFlit, IqSwitching::kVirtualCutThrough}) {
    Lattice lattice;
    lattice.router.switching = switching;
    Script script;
    for (int32_t i = 0; i < 400; ++i) {
      for (int32_t host = 0; host < 3; ++host) script.send(0, host, 3, 18);
    }
    IqNetwork network(lattice.config(), script);
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
  lattice.router.switching = IqSwitching::kVirtualCutThrough;
  Script script;
  for (int32_t i = 0; i < 20; ++i) script.send(0, 0, 1, 18);
  IqNetwork network(lattice.config(), script);
  ASSERT_TRUE(drain(network, 100'000));
  ASSERT_EQ(script.arrivals.size(), 20u);
  // One packet for each round trip: the last credit comes 2 L + 5 after its flit left, then VC and switch are
  // allocated.
  for (size_t i = 10; i < 20; ++i) EXPECT_EQ(script.arrivals[i].cycle - script.arrivals[i - 1].cycle, 17 + 2 * 30 + 6);
}

// Of two packets that wait for a VC: the turn is that of the younger one, whose VC number is less too.
TEST(IqRouter, ArbitrationDecidesWhoWaits) {
  const std::map<IqArbitration, uint32_t> expected = {
      {IqArbitration::kRoundRobin, 1}, {IqArbitration::kFixed, 1}, {IqArbitration::kAge, 2}};
  for (const auto& [arbitration, first] : expected) {
    std::vector<IqPacket> packets(3);
    for (IqPacket& packet : packets) {
      packet.destination = 3;
      packet.flits = 2;
    }
    packets[0].source = packets[1].source = 1;
    packets[1].created = 60;
    packets[2].created = 50;
    IqRouterSpec spec;
    spec.arbitration = arbitration;
    Alone alone(spec, 1, {8}, packets);
    IqRouter<16>& router = *alone.router;
    std::vector<uint32_t> heads;
    router.receive_flit(0, 0, 0, true);
    for (int64_t cycle = 0; cycle < 30; ++cycle) {
      if (cycle == 3) {
        router.receive_flit(cycle, 1, 1, true);
        router.receive_flit(cycle, TorusRouting::minus_port(0) * 2, 2, true);
      }
      if (cycle == 10) router.receive_flit(cycle, 0, 0, false);
      for (const IqDeparture& departure : alone.step(cycle)) {
        if (departure.head) heads.push_back(departure.packet);
        EXPECT_EQ(departure.out_port, TorusRouting::plus_port(0));
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
  IqNetwork network(lattice.config(), script);
  ASSERT_TRUE(drain(network, 10'000));
  EXPECT_EQ(network.flits_sent({0, TorusRouting::plus_port(0)}, IqTraffic::kNever), 18u);
  EXPECT_EQ(network.flits_sent({0, TorusRouting::minus_port(0)}, IqTraffic::kNever), 18u);
  EXPECT_EQ(network.packets_sent({0, -1}, IqTraffic::kNever), 2u);
}

TEST(IqRouter, NoticesABrokenContract) {
  std::vector<IqPacket> packets(1);
  packets[0].flits = 3;
  IqRouterSpec spec;
  spec.buffer_flits = 2;
  Alone full_alone(spec, 0, {4}, packets);
  IqRouter<16>& full = *full_alone.router;
  for (int flit = 0; flit < 3; ++flit) full.receive_flit(0, 2, 0, flit == 0);
  EXPECT_THAT(full.failure(), ::testing::HasSubstr("port 1, VC 0: a flit came without credit"));
  Alone headless_alone(spec, 0, {4}, packets);
  IqRouter<16>& headless = *headless_alone.router;
  headless.receive_flit(0, 3, 0, false);
  EXPECT_THAT(headless.failure(), ::testing::HasSubstr("port 1, VC 1: a packet begins without a head"));
  Alone rich_alone(spec, 0, {4}, packets);
  IqRouter<16>& rich = *rich_alone.router;
  rich.receive_credit(0, 1);
  EXPECT_THAT(rich.failure(), ::testing::HasSubstr("port 0, VC 1: a credit came"));
}

// Every host sends as fast as it can. Everything arrives, in order on each way through each VC class, and all credits
// come back.
void expect_no_deadlock(const Lattice& lattice, int32_t packets, int32_t flits, uint64_t seed) {
  Script script;
  RandomStream random(seed, 0, RandomPurpose::kTest);
  const auto nodes = static_cast<uint64_t>(lattice.nodes());
  for (int32_t node = 0; node < lattice.nodes(); ++node) {
    for (int32_t i = 0; i < packets; ++i) {
      const auto destination = static_cast<int32_t>(random.next_below(nodes));
      const int32_t size = 1 + static_cast<int32_t>(random.next_below(static_cast<uint64_t>(flits)));
      script.send(0, node, destination, size, static_cast<uint32_t>(random.next()));
    }
  }
  IqNetwork network(lattice.config(), script);
  ASSERT_TRUE(drain(network, 4'000'000)) << "deadlock";
  ASSERT_EQ(network.failure(), "");
  ASSERT_EQ(script.arrivals.size(), script.sent);
  std::vector<bool> seen(script.sent);
  uint64_t hops = 0;
  for (const Script::Arrival& arrival : script.arrivals) {
    ASSERT_FALSE(seen[arrival.packet.sequence]) << "twice";
    seen[arrival.packet.sequence] = true;
    hops += static_cast<uint64_t>(arrival.packet.hops) * arrival.packet.flits;
  }
  EXPECT_EQ(network.flit_hops(), hops);
  EXPECT_EQ(network.in_flight(0).flits, 0u);
  expect_all_credits(lattice, network);
}

TEST(IqRouter, RingsDoNotDeadlockAtSaturation) {
  for (int32_t size = 2; size <= 8; ++size) {
    for (const IqSwitching switching : {IqSwitching::kCreditPerFlit, IqSwitching::kVirtualCutThrough}) {
      for (const int32_t buffer : {18, 36}) {
        Lattice lattice;
        lattice.dims = {size};
        lattice.router.switching = switching;
        lattice.router.buffer_flits = buffer;
        expect_no_deadlock(lattice, 300, 18, static_cast<uint64_t>(size));
      }
    }
  }
}

TEST(IqRouter, TinyBuffersDoNotDeadlock) {
  Lattice lattice;
  lattice.dims = {5, 4};
  lattice.router.buffer_flits = 1;
  expect_no_deadlock(lattice, 100, 18, 1);
}

RC_GTEST_PROP(IqRouterProperty, EverythingArrives, ()) {
  Lattice lattice;
  lattice.dims = *rc::gen::container<std::vector<int32_t>>(*rc::gen::inRange(1, 4), rc::gen::inRange(1, 5));
  lattice.link_latency = *rc::gen::inRange(0, 9);
  lattice.tile_latency = *rc::gen::inRange(0, 4);
  IqRouterSpec& router = lattice.router;
  router.vcs = 2 * *rc::gen::inRange(1, 4);
  router.routing_delay = *rc::gen::inRange(0, 4);
  router.vc_alloc_delay = *rc::gen::inRange(1, 4);
  router.switch_alloc_delay = *rc::gen::inRange(1, 4);
  router.switch_delay = *rc::gen::inRange(1, 4);
  router.credit_delay = *rc::gen::inRange(0, 4);
  router.internal_speedup = *rc::gen::inRange(1, 4);
  router.switching = *rc::gen::element(IqSwitching::kCreditPerFlit, IqSwitching::kVirtualCutThrough);
  router.arbitration = *rc::gen::element(IqArbitration::kRoundRobin, IqArbitration::kAge, IqArbitration::kFixed);
  const int32_t flits = *rc::gen::inRange(1, 20);
  router.buffer_flits =
      router.switching == IqSwitching::kVirtualCutThrough ? flits + *rc::gen::inRange(0, 30) : *rc::gen::inRange(1, 40);
  expect_no_deadlock(lattice, *rc::gen::inRange(1, 30), flits, *rc::gen::arbitrary<uint64_t>());
  RC_ASSERT(!::testing::Test::HasFailure());
}

// Cycles in which nothing happens may be left out or simulated: the result is the same.
TEST(IqNetwork, SkippingIdleCyclesDoesNotShow) {
  std::vector<std::tuple<uint64_t, int64_t>> results[2];
  for (const bool skip : {false, true}) {
    Lattice lattice;
    lattice.dims = {4, 2};
    Script script;
    RandomStream random(3, 0, RandomPurpose::kTest);
    for (int32_t node = 0; node < 8; ++node) {
      for (int64_t i = 0; i < 20; ++i) script.send(i * 7000, node, static_cast<int32_t>(random.next_below(8)), 18);
    }
    IqNetwork network(lattice.config(), script);
    for (int64_t cycle = 0; cycle < 200'000; ++cycle) {
      if (!skip || network.next_cycle() == cycle) network.step(cycle);
    }
    for (const Script::Arrival& arrival : script.arrivals)
      results[skip ? 1 : 0].emplace_back(arrival.packet.sequence, arrival.cycle);
  }
  EXPECT_EQ(results[0].size(), 160u);
  EXPECT_EQ(results[0], results[1]);
}

}  // namespace
}  // namespace fabrictwin
