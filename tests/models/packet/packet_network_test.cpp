// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/packet/packet_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "rapidcheck/gtest.h"
#include "tests/models/packet/test_network.h"

namespace fabrictwin {
namespace {

constexpr int64_t kPipeline = 20'000'000;  // 20 ns
constexpr int32_t kMaxPacket = 288;

struct Fixture {
  Fixture(SystemGraph made, int32_t vcs = 2, bool adaptive = false, bool independent_hosts = false, bool ahead = false)
      : graph(std::move(made)), hosts(graph.host_count()) {
    PacketNetwork::Config config;
    config.graph = &graph;
    config.routing = std::make_shared<MeshRouting>(graph.dims, vcs, adaptive);
    config.vcs = vcs;
    config.pipeline = Time::from_fs(kPipeline);
    config.max_packet = kMaxPacket;
    config.independent_hosts = independent_hosts;
    if (ahead) config.large_ports = 0;
    config.client = &hosts;
    auto created = PacketNetwork::create(config);
    EXPECT_TRUE(created.ok()) << created.status();
    network = *std::move(created);
    hosts.network = network.get();
  }
  SystemGraph graph;
  TestHosts hosts;
  std::unique_ptr<PacketNetwork> network;
};

int64_t duration(const Link& link, int64_t bytes) {
  const auto femtobits = static_cast<__int128>(bytes) * 8 * 1'000'000'000'000'000;
  return static_cast<int64_t>((femtobits + link.rate.bits_per_second - 1) / link.rate.bits_per_second);
}

// The sum of stated terms: on each link the packet leaves when its first word has passed the router, but not so early
// that a faster link would run dry.
int64_t lone_latency(const std::vector<Link>& path, int64_t bytes) {
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
  SystemGraph graph = test_mesh({length + 1}, 64);
  for (Link& link : graph.links) {
    link.rate = Bandwidth{*rc::gen::element<int64_t>(1'000'000'000, 10'000'000'000, 54'400'000'000, 7'777'777'777)};
    link.latency = Time::from_fs(*rc::gen::inRange<int64_t>(1, 200'000'000));
  }
  std::vector<Link> path = {graph.links[0]};
  for (int32_t i = 0; i < length; ++i) path.push_back(graph.links[length + 1 + i]);
  path.push_back(graph.links[length]);
  const int32_t bytes = *rc::gen::inRange(1, kMaxPacket + 1);
  Fixture setup(graph);
  setup.hosts.send(0, 0, length, bytes);
  setup.hosts.run();
  RC_ASSERT(setup.hosts.arrivals[length].size() == 1u);
  RC_ASSERT(setup.hosts.arrivals[length][0].time == lone_latency(path, bytes));
}

// 48 bytes at 16 Gb/s are 24 ns, a round of the link 2000 ns: the room of 84 packets is on its way back at once.
TEST(PacketNetworkTest, DeepBuffersKeepALongLinkBusy) {
  constexpr int32_t kPackets = 1000;
  Fixture setup(test_mesh({2}, 4 * 84, 16'000'000'000, Time::from_us(1)));
  for (int32_t i = 0; i < kPackets; ++i) setup.hosts.send(0, 0, 1, 48);
  setup.hosts.run();
  const auto& arrivals = setup.hosts.arrivals[1];
  ASSERT_EQ(arrivals.size(), static_cast<size_t>(kPackets));
  for (size_t i = 1; i < arrivals.size(); ++i) ASSERT_EQ(arrivals[i].time - arrivals[i - 1].time, 24'000'000) << i;
}

// The same with room for six packets: six of them, and then nothing until the first one's room is back.
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

// One buffer of one packet, one VC: the next packet comes when the one before has left, its room is known upstream, and
// it has crossed the link and the router.
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
  // The host frees its only place 1 us after an arrival; the router learns of it 10 ns later, and sends.
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
  // All room has come back.
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
  const SystemGraph small = test_mesh({2}, 17);
  TestHosts hosts(2);
  PacketNetwork::Config config;
  config.graph = &small;
  config.routing = std::make_shared<MeshRouting>(small.dims, 2, false);
  config.max_packet = kMaxPacket;
  config.client = &hosts;
  EXPECT_EQ(PacketNetwork::create(config).status().message(),
            "a buffer of 17 words of 16 bytes has no room for a packet of 288 bytes");
}

}  // namespace
}  // namespace fabrictwin
