// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/packet/network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "rapidcheck/gtest.h"
#include "tests/models/router/packet/test_network.h"

namespace fabrictwin {
namespace {

constexpr int64_t kPipeline = 20'000'000;  // 20 ns
constexpr int32_t kMaxPacket = 288;

struct Fixture {
  Fixture(system::SystemGraph made, int32_t vcs = 2, bool adaptive = false, bool independent_hosts = false,
          bool ahead = false)
      : graph(std::move(made)), hosts(graph.host_count()) {
    router::packet::Network::Config config;
    config.graph = &graph;
    config.routing = std::make_shared<MeshRouting>(graph.dims, vcs, adaptive);
    config.vcs = vcs;
    config.pipeline = Time::from_fs(kPipeline);
    config.max_packet = kMaxPacket;
    config.independent_hosts = independent_hosts;
    if (ahead) config.large_ports = 0;
    config.client = &hosts;
    auto created = router::packet::Network::create(config);
    EXPECT_TRUE(created.ok()) << created.status();
    network = *std::move(created);
    hosts.network = network.get();
  }
  system::SystemGraph graph;
  TestHosts hosts;
  std::unique_ptr<router::packet::Network> network;
};

int64_t duration(const system::Link& link, int64_t bytes) {
  const auto femtobits = static_cast<__int128>(bytes) * 8 * 1'000'000'000'000'000;
  return static_cast<int64_t>((femtobits + link.rate.bits_per_second - 1) / link.rate.bits_per_second);
}

// The sum of stated terms: on each link the packet leaves when its first word has passed the router, but not so early
// that a faster link would run dry.
int64_t lone_latency(const std::vector<system::Link>& path, int64_t bytes) {
  int64_t leaves = 0;
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    const int64_t word = std::min<int64_t>(bytes, 16);
    const int64_t base = leaves + path[i].latency.fs() + kPipeline;
    leaves = std::max(base + duration(path[i], word),
                      base + duration(path[i], bytes) - duration(path[i + 1], bytes) + duration(path[i + 1], word));
  }
  return leaves + duration(path.back(), bytes) + path.back().latency.fs();
}

RC_GTEST_PROP(PacketNetworkTest, LonePacketTakesTheSumOfItsTerms, ()) {
  const auto length = *rc::gen::inRange(1, 6);
  system::SystemGraph graph = test_mesh({length + 1}, 64);
  for (system::Link& link : graph.links) {
    link.rate = Bandwidth{*rc::gen::element<int64_t>(1'000'000'000, 10'000'000'000, 54'400'000'000, 7'777'777'777)};
    link.latency = Time::from_fs(*rc::gen::inRange<int64_t>(1, 200'000'000));
  }
  std::vector<system::Link> path = {graph.links[0]};
  for (int32_t i = 0; i < length; ++i) path.push_back(graph.links[length + 1 + i]);
  path.push_back(graph.links[length]);
  const int32_t bytes = *rc::gen::inRange(1, kMaxPacket + 1);
  Fixture setup(graph);
  setup.hosts.send(0, 0, length, bytes);
  setup.hosts.run();
  RC_ASSERT(setup.hosts.arrivals[length].size() == 1u);
  RC_ASSERT(setup.hosts.arrivals[length][0].time == lone_latency(path, bytes));
}

// 48 bytes at 16 Gb/s are 24 ns, a round of the link 2000 ns: the credits of 84 packets are on their way back at once.
TEST(PacketNetworkTest, DeepBuffersKeepALongLinkBusy) {
  constexpr int32_t kPackets = 1000;
  Fixture setup(test_mesh({2}, 4 * 84, 16'000'000'000, Time::from_us(1)));
  for (int32_t i = 0; i < kPackets; ++i) setup.hosts.send(0, 0, 1, 48);
  setup.hosts.run();
  const auto& arrivals = setup.hosts.arrivals[1];
  ASSERT_EQ(arrivals.size(), static_cast<size_t>(kPackets));
  for (size_t i = 1; i < arrivals.size(); ++i) ASSERT_EQ(arrivals[i].time - arrivals[i - 1].time, 24'000'000) << i;
}

// With space for six packets, six of them leave, and then nothing does until the first one's credit is back.
TEST(PacketNetworkTest, ShallowBuffersLeaveALongLinkIdle) {
  Fixture setup(test_mesh({2}, 18, 16'000'000'000, Time::from_us(1)), 1);
  for (int32_t i = 0; i < 600; ++i) setup.hosts.send(0, 0, 1, 48);
  setup.hosts.run();
  const auto& arrivals = setup.hosts.arrivals[1];
  ASSERT_EQ(arrivals.size(), 600u);
  const int64_t round = arrivals[12].time - arrivals[6].time;
  EXPECT_GT(round, 2'000'000'000);
  for (size_t i = 18; i < arrivals.size(); ++i) ASSERT_EQ(arrivals[i].time - arrivals[i - 6].time, round) << i;
}

// 288 bytes at 16 Gb/s are 144 ns, a word 8 ns: 144 + 10 into router 0, and so on.
TEST(PacketNetworkTest, LonePacketByHand) {
  Fixture setup(test_mesh({2}, 64));
  setup.hosts.send(1000, 0, 1, 288);
  setup.hosts.run();
  ASSERT_EQ(setup.hosts.arrivals[1].size(), 1u);
  EXPECT_EQ(setup.hosts.arrivals[1][0].time, 1000 + 2 * (8 + 10 + 20) * 1'000'000 + (144 + 10) * 1'000'000);
}

TEST(PacketNetworkTest, PacketsOfOnePortFollowEachOtherWithoutGaps) {
  Fixture setup(test_mesh({3}, 64));
  for (int i = 0; i < 50; ++i) setup.hosts.send(0, 0, 2, 288);
  setup.hosts.run();
  const auto& arrivals = setup.hosts.arrivals[2];
  ASSERT_EQ(arrivals.size(), 50u);
  for (size_t i = 1; i < arrivals.size(); ++i) EXPECT_EQ(arrivals[i].time - arrivals[i - 1].time, 144'000'000) << i;
}

// One buffer of one packet, one VC: the next packet comes when the one before has left, its space is known upstream,
// and it has crossed the link and the router.
TEST(PacketNetworkTest, FullBuffersHoldTheSenderBack) {
  Fixture setup(test_mesh({2}, 18), 1);
  for (int i = 0; i < 10; ++i) setup.hosts.send(0, 0, 1, 288);
  setup.hosts.run();
  const auto& arrivals = setup.hosts.arrivals[1];
  ASSERT_EQ(arrivals.size(), 10u);
  for (size_t i = 1; i < arrivals.size(); ++i)
    EXPECT_EQ(arrivals[i].time - arrivals[i - 1].time, (8 + 10 + 20 + 144 + 10) * 1'000'000) << i;
}

TEST(PacketNetworkTest, SlowHostHoldsTheNetworkBack) {
  Fixture setup(test_mesh({2}, 18), 1);
  setup.hosts.hold = 1'000'000'000;
  for (int i = 0; i < 5; ++i) setup.hosts.send(0, 0, 1, 288);
  setup.hosts.run();
  const auto& arrivals = setup.hosts.arrivals[1];
  ASSERT_EQ(arrivals.size(), 5u);
  // The host frees its only slot 1 us after an arrival; the router learns of it 10 ns later, and sends.
  for (size_t i = 1; i < arrivals.size(); ++i)
    EXPECT_EQ(arrivals[i].time - arrivals[i - 1].time, (1000 + 10 + 144 + 10) * 1'000'000) << i;
  EXPECT_GT(setup.network->sent(3, 0, setup.network->now()).stalled, Time::from_us(3));
  EXPECT_EQ(setup.network->sent(3, 0, setup.network->now()).packets, 5u);
}

TEST(PacketNetworkTest, OldestGoesFirst) {
  Fixture setup(test_mesh({3}, 72));
  for (int i = 0; i < 100; ++i) {
    setup.hosts.send(0, 0, 1, 288);
    setup.hosts.send(0, 2, 1, 288);
  }
  setup.hosts.run();
  const auto& arrivals = setup.hosts.arrivals[1];
  ASSERT_EQ(arrivals.size(), 200u);
  int64_t balance = 0;
  for (size_t i = 0; i < 150; ++i) {
    balance += arrivals[i].packet.source == 0 ? 1 : -1;
    EXPECT_LE(std::abs(balance), 2) << i;
  }
}

// Two packets that came in through one port cannot leave at the same time, though on other VCs and through other ports.
TEST(PacketNetworkTest, AnInputPortHasOneWayOut) {
  const auto arrival = [](bool first_goes_left) {
    system::SystemGraph graph = test_mesh({3}, 64);
    // Between routers 288 bytes take 288 ns, from and to hosts 144 ns.
    for (size_t link = 3; link < graph.links.size(); ++link) graph.links[link].rate = Bandwidth{8'000'000'000};
    Fixture setup(graph);
    if (first_goes_left) setup.hosts.send(0, 1, 0, 288);
    setup.hosts.send(144'000'000, 1, 2, 288);
    setup.hosts.run();
    return setup.hosts.arrivals[2].at(0).time;
  };
  // It could leave 38 ns after it was sent, but the one before it leaves from 38 ns to 326 ns.
  EXPECT_EQ(arrival(true) - arrival(false), (326 - 144 - 38) * 1'000'000);
}

TEST(PacketNetworkTest, OfEqualWaysAnAdaptivePacketTakesTheFirst) {
  Fixture setup(test_mesh({2, 2}, 64), 2, true);
  setup.hosts.send(0, 0, 3, 288);
  setup.hosts.run();
  EXPECT_EQ(setup.network->sent(4, 1, setup.network->now()).packets, 1u);
  EXPECT_EQ(setup.network->sent(4, 3, setup.network->now()).packets, 0u);
}

/// Hosts that look at queues at given times.
class QueueWatchers : public TestHosts {
 public:
  explicit QueueWatchers(const system::SystemGraph& graph) : TestHosts(graph.host_count()) {
    router::packet::Network::Config config;
    config.graph = &graph;
    config.routing = std::make_shared<MeshRouting>(graph.dims, 1, false);
    config.vcs = 1;
    config.pipeline = Time::from_fs(kPipeline);
    config.credit_delay = Time::from_ns(3);
    config.max_packet = kMaxPacket;
    config.client = this;
    auto created = router::packet::Network::create(config);
    EXPECT_TRUE(created.ok()) << created.status();
    owned_ = *std::move(created);
    network = owned_.get();
  }
  void watch(int32_t router, int32_t port, int64_t at) {
    watched_.emplace_back(router, port);
    network->schedule(0, at, static_cast<uint32_t>(watched_.size() - 1));
  }
  void event(int64_t, uint32_t id) override { seen.push_back(network->queue(watched_[id].first, watched_[id].second)); }

  std::vector<int64_t> seen;  ///< In the order of time.

 private:
  std::unique_ptr<router::packet::Network> owned_;
  std::vector<std::pair<int32_t, int32_t>> watched_;
};

// This is what adaptive routing sees, in words of 16 bytes. A packet of 288 bytes takes 38 ns to each router and leaves
// it at once, for 144 ns; its space is free 10 ns and the delay of a credit after that.
TEST(PacketNetworkTest, AQueueIsWhatLiesBehindAPort) {
  constexpr int64_t kNs = 1'000'000;
  constexpr int64_t kFree = (38 + 38 + 144 + 10 + 3) * kNs;
  QueueWatchers hosts(test_mesh({2}, 64));
  hosts.send(0, 0, 1, 288);
  hosts.send(0, 0, 1, 48);
  for (const int64_t at : {37 * kNs, 39 * kNs, 150 * kNs, 183 * kNs, kFree - 1, kFree}) hosts.watch(0, 1, at);
  hosts.run();
  // The second packet leaves router 0 when the first has, at 182 ns.
  EXPECT_EQ(hosts.seen, (std::vector<int64_t>{0, 18, 18, 21, 21, 3}));
  hosts.seen.clear();
  hosts.watch(0, 1, 10'000 * kNs);
  hosts.run();
  EXPECT_EQ(hosts.seen, std::vector<int64_t>{0});
}

TEST(PacketNetworkTest, AQueueIsWhatWaitsForAPort) {
  QueueWatchers hosts(test_mesh({3}, 18));
  hosts.hold = Time::from_us(100).fs();
  for (int32_t i = 0; i < 4; ++i) {
    hosts.send(0, 0, 2, 288);
    hosts.send(0, 1, 2, 288);
  }
  hosts.watch(1, 1, Time::from_us(50).fs());
  hosts.run();
  // While the host keeps one packet, another one fills the buffer behind it, and one of each source waits for that.
  EXPECT_EQ(hosts.seen, std::vector<int64_t>{3 * 18});
}

struct Load {
  std::vector<int32_t> dims;
  int32_t vcs = 2;
  int32_t buffer = 18;
  std::vector<std::tuple<int64_t, int32_t, int32_t, int32_t>> packets;  // time, source, destination, bytes
};

Load any_load() {
  Load load;
  load.dims = *rc::gen::resize(3, rc::gen::nonEmpty(rc::gen::container<std::vector<int32_t>>(rc::gen::inRange(1, 5))));
  load.dims[0] = std::max(load.dims[0], 2);
  // With 20 a router has more than 64 inputs.
  load.vcs = *rc::gen::element(2, 3, 4, 20);
  load.buffer = *rc::gen::inRange(18, 60);
  const int32_t nodes = std::accumulate(load.dims.begin(), load.dims.end(), 1, std::multiplies<>());
  const auto spread = *rc::gen::element<int64_t>(1, 1'000'000'000, 100'000'000'000);
  const int32_t count = *rc::gen::inRange(1, 400);
  for (int32_t i = 0; i < count; ++i) {
    load.packets.emplace_back(*rc::gen::inRange<int64_t>(0, spread), *rc::gen::inRange(0, nodes),
                              *rc::gen::inRange(0, nodes), *rc::gen::inRange(1, kMaxPacket + 1));
  }
  std::sort(load.packets.begin(), load.packets.end());
  return load;
}

std::vector<std::vector<TestHosts::Arrival>> run(const Load& load, bool adaptive, bool backwards,
                                                 bool independent_hosts = false,
                                                 const std::vector<int64_t>& stretches = {}, bool ahead = false) {
  Fixture setup(test_mesh(load.dims, load.buffer), load.vcs, adaptive, independent_hosts, ahead);
  // Each source's own packets keep their order; the order in which sources speak must not matter.
  auto packets = load.packets;
  std::stable_sort(packets.begin(), packets.end(), [&](const auto& a, const auto& b) {
    return backwards ? std::get<1>(a) > std::get<1>(b) : std::get<1>(a) < std::get<1>(b);
  });
  for (const auto& [time, source, destination, bytes] : packets) {
    setup.hosts.send(time, source, destination, bytes);
    setup.hosts.queues[source].back().second.message = 0;
  }
  int64_t until = 0;
  for (const int64_t stretch : stretches) setup.network->run(until += stretch);
  setup.hosts.run();
  RC_ASSERT(setup.network->failure().empty());
  RC_ASSERT(setup.network->packets_in_flight() == 0u);
  // All credits have come back.
  for (int32_t router = 0; router < setup.graph.router_count(); ++router) {
    for (int32_t port = 0; port <= 2 * static_cast<int32_t>(load.dims.size()); ++port)
      RC_ASSERT(setup.network->queue(router, port) <= load.buffer * load.vcs);
  }
  return setup.hosts.arrivals;
}

void check_conservation(const Load& load, bool adaptive) {
  const auto arrivals = run(load, adaptive, false);
  std::vector<std::tuple<int32_t, int32_t, int32_t>> sent;
  std::vector<std::tuple<int32_t, int32_t, int32_t>> received;
  for (const auto& [time, source, destination, bytes] : load.packets) sent.emplace_back(source, destination, bytes);
  for (size_t host = 0; host < arrivals.size(); ++host) {
    for (const auto& arrival : arrivals[host])
      received.emplace_back(arrival.packet.source, static_cast<int32_t>(host), arrival.packet.wire_bytes);
  }
  std::sort(sent.begin(), sent.end());
  std::sort(received.begin(), received.end());
  RC_ASSERT(sent == received);
}

RC_GTEST_PROP(PacketNetworkTest, EverythingArrivesOnce, ()) { check_conservation(any_load(), false); }

RC_GTEST_PROP(PacketNetworkTest, EverythingArrivesOnceWithAdaptiveRouting, ()) { check_conservation(any_load(), true); }

RC_GTEST_PROP(PacketNetworkTest, OrderOfInsertionDoesNotMatter, (bool adaptive)) {
  const Load load = any_load();
  RC_ASSERT(run(load, adaptive, false) == run(load, adaptive, true));
}

// In the order of time or host by host, at once or in stretches, with records fetched ahead of time or not.
RC_GTEST_PROP(PacketNetworkTest, OrderInAWindowDoesNotMatter, (bool adaptive, bool independent_hosts, bool ahead)) {
  const Load load = any_load();
  const auto stretches = *rc::gen::container<std::vector<int64_t>>(
      rc::gen::element<int64_t>(1, 1'000, 3'333'333, 10'000'000, 200'000'000));
  RC_ASSERT(run(load, adaptive, false) == run(load, adaptive, false, independent_hosts, stretches, ahead));
}

TEST(PacketNetworkTest, RefusesWhatItCannotHold) {
  const system::SystemGraph small = test_mesh({2}, 17);
  TestHosts hosts(2);
  router::packet::Network::Config config;
  config.graph = &small;
  config.routing = std::make_shared<MeshRouting>(small.dims, 2, false);
  config.max_packet = kMaxPacket;
  config.client = &hosts;
  EXPECT_EQ(router::packet::Network::create(config).status().message(),
            "a buffer of 17 words of 16 bytes has no space for a packet of 288 bytes");
}

}  // namespace
}  // namespace fabrictwin
