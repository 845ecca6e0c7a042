// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/packet/sharded/sharded_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "models/router/packet/sharded/split.h"
#include "rapidcheck/gtest.h"
#include "tests/models/router/packet/test_network.h"

namespace fabrictwin {
namespace {

using ::testing::MatchesRegex;

constexpr int32_t kMaxPacket = 288;

/// Has nothing left to do once each of its hosts has received as many packets as it waits for.
class WaitingHosts final : public TestHosts {
 public:
  WaitingHosts(int32_t hosts, std::vector<size_t> wanted) : TestHosts(hosts), wanted_(std::move(wanted)) {}
  bool stopped() override {
    for (size_t host = 0; host < wanted_.size(); ++host) {
      if (arrivals[host].size() < wanted_[host]) return false;
    }
    return true;
  }
  bool failed() const override { return failure; }
  int64_t packet_arrived(int64_t now, const nic::NicPacket& packet) override {
    if (throws) throw std::runtime_error("out of memory");
    return TestHosts::packet_arrived(now, packet);
  }

  bool failure = false;
  bool throws = false;

 private:
  std::vector<size_t> wanted_;  ///< By host; of other shards 0.
};

/// Has no route at some routers.
class LossyRouting final : public MeshRouting {
 public:
  LossyRouting(const std::vector<int32_t>& dims, int32_t vcs, bool adaptive, std::set<int32_t> holes)
      : MeshRouting(dims, vcs, adaptive), holes_(std::move(holes)) {}
  void options(int32_t router, int32_t port, int32_t vc, routing::PacketRoute& route,
               routing::RouteOptions& options) const override {
    if (!holes_.contains(router)) MeshRouting::options(router, port, vc, route, options);
  }

 private:
  std::set<int32_t> holes_;
};

struct Load {
  system::SystemGraph graph;
  int32_t vcs = 2;
  bool adaptive = false;
  std::vector<std::tuple<int64_t, int32_t, int32_t, int32_t>> packets;  // time, source, destination, bytes
  std::vector<size_t> wanted;                                           // By host.
  std::vector<int64_t> stretches;
  std::set<int32_t> holes;  // Routers that know no route.
  int32_t min_packet = 1;
  experiment::QueuesSpec queues;
};

Load any_load() {
  Load load;
  auto dims = *rc::gen::resize(3, rc::gen::nonEmpty(rc::gen::container<std::vector<int32_t>>(rc::gen::inRange(1, 5))));
  dims[0] = std::max(dims[0], 2);
  const int32_t nodes = std::accumulate(dims.begin(), dims.end(), 1, std::multiplies<>());
  // With 20 a router has more than 64 inputs.
  load.vcs = *rc::gen::element(2, 3, 4, 20);
  load.adaptive = *rc::gen::arbitrary<bool>();
  load.graph = test_mesh(dims, *rc::gen::inRange(18, 60));
  // Links of hosts may be the faster or the slower ones.
  const auto rates = *rc::gen::pair(rc::gen::element<int64_t>(1'000'000'000, 16'000'000'000),
                                    rc::gen::element<int64_t>(2'000'000'000, 200'000'000'000));
  for (system::Link& link : load.graph.links) {
    link.latency = Time::from_fs(*rc::gen::inRange<int64_t>(5'000, 200'000'000));
    link.rate = Bandwidth{link.ends[0].element < nodes ? rates.second : rates.first};
  }
  const auto spread = *rc::gen::element<int64_t>(1, 1'000'000'000, 100'000'000'000);
  load.min_packet = *rc::gen::inRange(1, kMaxPacket + 1);
  const int32_t count = *rc::gen::inRange(1, 300);
  std::vector<size_t> arriving(static_cast<size_t>(nodes));
  for (int32_t i = 0; i < count; ++i) {
    const int32_t destination = *rc::gen::inRange(0, nodes);
    load.packets.emplace_back(*rc::gen::inRange<int64_t>(0, spread), *rc::gen::inRange(0, nodes), destination,
                              *rc::gen::inRange(load.min_packet, kMaxPacket + 1));
    ++arriving[static_cast<size_t>(destination)];
  }
  std::sort(load.packets.begin(), load.packets.end());
  // Some of the packets may be on their way when the hosts have what they want.
  for (const size_t all : arriving) load.wanted.push_back(*rc::gen::inRange<size_t>(0, all + 1));
  // Hosts that want nothing would have it before anything happens.
  size_t& one = load.wanted[static_cast<size_t>(std::get<2>(load.packets.back()))];
  one = std::max<size_t>(one, 1);
  load.stretches = *rc::gen::container<std::vector<int64_t>>(
      rc::gen::element<int64_t>(1, 1'000, 3'333'333, 10'000'000, 200'000'000));
  return load;
}

struct Result {
  std::vector<std::vector<TestHosts::Arrival>> arrivals;
  std::vector<std::tuple<uint64_t, uint64_t, int64_t>> sent;  // By element and port.
  uint64_t hops = 0;
  uint64_t in_flight = 0;
  std::tuple<int64_t, int64_t, int64_t> set_aside;  // Most, at the end, and when the last one was released.
  Time now;
  bool stopped = false;
  std::string failure;
};

/// With `ahead`, records are fetched, and routing is asked, ahead of time.
Result run(const Load& load, int32_t threads, bool ahead) {
  const std::vector<uint8_t> shard_of = router::packet::sharded::split_network(load.graph, threads);
  const int32_t hosts = load.graph.host_count();
  std::vector<std::unique_ptr<WaitingHosts>> clients;
  std::vector<fabric::Client*> pointers;
  for (size_t shard = 0; shard <= *std::max_element(shard_of.begin(), shard_of.end()); ++shard) {
    std::vector<size_t> wanted = load.wanted;
    for (size_t host = 0; host < wanted.size(); ++host) {
      if (shard_of[host] != shard) wanted[host] = 0;
    }
    clients.push_back(std::make_unique<WaitingHosts>(hosts, wanted));
    pointers.push_back(clients.back().get());
  }
  router::packet::Network::Config config;
  config.graph = &load.graph;
  config.routing = std::make_shared<LossyRouting>(load.graph.dims, load.vcs, load.adaptive, load.holes);
  config.vcs = load.vcs;
  config.pipeline = Time::from_ns(20);
  config.credit_delay = Time::from_ns(2);
  config.turnaround = Time::from_ns(3);
  config.max_packet = kMaxPacket;
  config.min_packet = load.min_packet;
  config.independent_hosts = true;
  config.queues = load.queues;
  if (ahead) config.large_ports = 0;
  const auto network = router::packet::sharded::ShardedNetwork::create(config, shard_of, pointers);
  RC_ASSERT(network.ok());
  for (size_t shard = 0; shard < clients.size(); ++shard) clients[shard]->network = &(*network)->shard(shard);
  for (const auto& [time, source, destination, bytes] : load.packets) {
    WaitingHosts& client = *clients[shard_of[static_cast<size_t>(source)]];
    client.send(time, source, destination, bytes);
    client.queues[static_cast<size_t>(source)].back().second.message = 0;
  }
  int64_t until = 0;
  for (const int64_t stretch : load.stretches) {
    if (!(*network)->failed()) (*network)->run(Time::from_fs(until += stretch));
  }
  if (!(*network)->failed()) (*network)->run(Time::never());

  Result result;
  result.failure = (*network)->failure().what();
  for (int32_t host = 0; host < hosts; ++host)
    result.arrivals.push_back(clients[shard_of[static_cast<size_t>(host)]]->arrivals[static_cast<size_t>(host)]);
  for (size_t element = 0; element < load.graph.elements.size(); ++element) {
    for (size_t port = 0; port < load.graph.elements[element].ports.size(); ++port) {
      const auto sent = (*network)->sent(static_cast<int32_t>(element), static_cast<int32_t>(port));
      result.sent.emplace_back(sent.bytes, sent.packets, sent.stalled.fs());
    }
  }
  result.hops = (*network)->packet_hops();
  result.in_flight = (*network)->packets_in_flight();
  const router::packet::buffer::SetAsideCount& set_aside = (*network)->set_aside();
  result.set_aside = {set_aside.most(), set_aside.in_use(), set_aside.released()};
  result.now = (*network)->now();
  result.stopped = (*network)->stopped();
  return result;
}

// Nor does what is fetched, and asked of routing, ahead of time.
RC_GTEST_PROP(ShardedNetworkTest, ThreadsMakeNoDifference, (bool ahead)) {
  const Load load = any_load();
  const Result one = run(load, 1, false);
  RC_ASSERT(one.stopped);
  RC_ASSERT(one.failure.empty());
  for (const int32_t threads : {1, 2, 3}) {
    const Result several = run(load, threads, threads == 1 || ahead);
    RC_ASSERT(several.arrivals == one.arrivals);
    RC_ASSERT(several.sent == one.sent);
    RC_ASSERT(several.hops == one.hops);
    RC_ASSERT(several.in_flight == one.in_flight);
    RC_ASSERT(several.now == one.now);
    RC_ASSERT(several.stopped);
  }
}

experiment::QueuesSpec any_queues() {
  experiment::QueuesSpec queues;
  queues.scheme =
      *rc::gen::element(v1::Queues::VOQSW, v1::Queues::VOQNET, v1::Queues::DBBM, v1::Queues::OBQA, v1::Queues::FBICM);
  queues.count = *rc::gen::inRange(2, 5);
  queues.detect = *rc::gen::inRange(1, 4);
  queues.stop = *rc::gen::inRange(1, 4);
  queues.resume = *rc::gen::inRange(0, queues.stop);
  return queues;
}

// Packets of all schemes arrive, at the same times for any number of threads, and nothing stays set aside.
RC_GTEST_PROP(ShardedNetworkTest, ThreadsMakeNoDifferenceWithQueues, (bool few_destinations)) {
  Load load = any_load();
  load.adaptive = false;
  load.queues = any_queues();
  // Hosts wait for all packets.
  load.wanted.assign(load.wanted.size(), 0);
  for (auto& [time, source, destination, bytes] : load.packets) {
    if (few_destinations) destination %= 2;
    ++load.wanted[static_cast<size_t>(destination)];
  }
  const Result one = run(load, 1, false);
  RC_ASSERT(one.failure.empty());
  RC_ASSERT(one.stopped);
  RC_ASSERT(one.in_flight == 0U);
  for (const int32_t threads : {1, 2, 3}) {
    const Result several = run(load, threads, threads == 1);
    RC_ASSERT(several.arrivals == one.arrivals);
    RC_ASSERT(several.sent == one.sent);
    RC_ASSERT(several.hops == one.hops);
    RC_ASSERT(several.set_aside == one.set_aside);
    RC_ASSERT(several.now == one.now);
  }
}

// Of several within a stretch, the first in simulated time counts, whatever shard it is in.
RC_GTEST_PROP(ShardedNetworkTest, ThreadsMakeNoDifferenceToWhatFailsFirst, (bool ahead)) {
  Load load = any_load();
  load.wanted.assign(load.wanted.size(), load.packets.size() + 1);
  const auto holes =
      *rc::gen::resize(4, rc::gen::container<std::vector<int32_t>>(rc::gen::inRange(0, load.graph.host_count())));
  load.holes.insert(holes.begin(), holes.end());
  const Result one = run(load, 1, false);
  for (const int32_t threads : {1, 2, 3}) RC_ASSERT(run(load, threads, threads == 1 || ahead).failure == one.failure);
}

// Elements are simulated one after the other within a window, so what is found first need not have come first.
TEST(ShardedNetworkTest, TheEarliestFailureIsNamed) {
  Load load;
  load.graph = test_mesh({8}, 60, 16'000'000'000, Time::from_ns(100));
  load.packets = {{1'000, 6, 0, 64}, {2'000'000, 1, 7, 64}};
  load.wanted.assign(8, 2);
  load.holes = {1, 6};
  for (const int32_t threads : {1, 2, 3}) EXPECT_EQ(run(load, threads, threads != 2).failure.substr(0, 9), "router[6]");
}

TEST(ShardedNetworkTest, AFailureInOneShardEndsAll) {
  const system::SystemGraph graph = test_mesh({8}, 60);
  std::vector<std::unique_ptr<WaitingHosts>> clients;
  std::vector<fabric::Client*> pointers;
  for (int shard = 0; shard < 2; ++shard) {
    clients.push_back(std::make_unique<WaitingHosts>(8, std::vector<size_t>(8, 1000)));
    pointers.push_back(clients.back().get());
  }
  router::packet::Network::Config config;
  config.graph = &graph;
  config.routing = std::make_shared<MeshRouting>(graph.dims, 2, false);
  config.max_packet = kMaxPacket;
  config.independent_hosts = true;
  auto network = router::packet::sharded::ShardedNetwork::create(
      config, router::packet::sharded::split_network(graph, 2), pointers);
  ASSERT_TRUE(network.ok());
  for (size_t shard = 0; shard < 2; ++shard) clients[shard]->network = &(*network)->shard(shard);
  for (int i = 0; i < 100; ++i) clients[0]->send(1000 * i, 0, 7, 288);
  clients[1]->failure = true;
  (*network)->run(Time::never());
  EXPECT_TRUE(clients[1]->arrivals[7].empty());
  EXPECT_FALSE((*network)->stopped());
  EXPECT_FALSE((*network)->failed());

  clients[1]->failure = false;
  clients[1]->throws = true;
  (*network)->run(Time::never());
  EXPECT_TRUE((*network)->failed());
  EXPECT_FALSE((*network)->stopped());
  EXPECT_THAT((*network)->failure().what(),
              MatchesRegex("router\\[4\\] to router\\[7\\] and their hosts, thread 1 of 2, at .* ns: out of memory"));
}

// Ranges of routers without gaps, with their hosts.
RC_GTEST_PROP(PacketSplitTest, CutsOnlyLinksBetweenRouters, ()) {
  const auto dims =
      *rc::gen::nonEmpty(rc::gen::resize(3, rc::gen::container<std::vector<int32_t>>(rc::gen::inRange(1, 5))));
  system::SystemGraph graph = test_mesh(dims, 18);
  const int32_t hosts = graph.host_count();
  // Some hosts have a second router.
  for (int32_t host = 0; host < hosts; ++host) {
    if (*rc::gen::inRange(0, 4) != 0) continue;
    system::Link link = graph.links[0];
    link.ends[0] = {host, static_cast<int32_t>(graph.elements[static_cast<size_t>(host)].ports.size())};
    graph.elements[static_cast<size_t>(host)].ports.push_back("second");
    const int32_t router = hosts + *rc::gen::inRange(0, hosts);
    link.ends[1] = {router, static_cast<int32_t>(graph.elements[static_cast<size_t>(router)].ports.size())};
    graph.elements[static_cast<size_t>(router)].ports.push_back("more");
    graph.links.push_back(link);
  }
  graph.build_index();
  const int32_t wanted = *rc::gen::inRange(1, router::packet::sharded::kMaxShards + 1);
  const std::vector<uint8_t> shards = router::packet::sharded::split_network(graph, wanted);
  RC_ASSERT(shards.size() == graph.elements.size());
  RC_ASSERT(shards[static_cast<size_t>(hosts)] == 0);
  for (size_t e = static_cast<size_t>(hosts) + 1; e < shards.size(); ++e)
    RC_ASSERT(shards[e] == shards[e - 1] || shards[e] == shards[e - 1] + 1);
  RC_ASSERT(shards.back() < wanted);
  for (const system::Link& link : graph.links) {
    if (link.ends[0].element < hosts)
      RC_ASSERT(shards[static_cast<size_t>(link.ends[0].element)] == shards[static_cast<size_t>(link.ends[1].element)]);
  }
}

TEST(PacketSplitTest, HalvesATorus) {
  const system::SystemGraph graph = test_mesh({4, 4, 4}, 18);
  for (const int32_t count : {1, 2, 4}) {
    const std::vector<uint8_t> shards = router::packet::sharded::split_network(graph, count);
    for (size_t i = 0; i < 64; ++i) {
      EXPECT_EQ(shards[i], i * static_cast<size_t>(count) / 64);
      EXPECT_EQ(shards[64 + i], shards[i]);
    }
  }
}

}  // namespace
}  // namespace fabrictwin
