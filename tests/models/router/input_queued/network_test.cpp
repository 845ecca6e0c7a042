// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Networks of input-queued routers: everything arrives, whatever the load.
#include "models/router/input_queued/network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "cosim/base/clock.h"
#include "cosim/base/random.h"
#include "cosim/link/record.h"
#include "rapidcheck/gtest.h"
#include "tests/models/router/input_queued/lattice_network.h"

namespace fabrictwin {
namespace {

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
  router::input_queued::Network network(lattice.config(), script);
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
    for (const router::input_queued::Switching switching :
         {router::input_queued::Switching::kCreditPerFlit, router::input_queued::Switching::kVirtualCutThrough}) {
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
  router::input_queued::RouterSpec& router = lattice.router;
  router.vcs = 2 * *rc::gen::inRange(1, 4);
  router.routing_delay = *rc::gen::inRange(0, 4);
  router.vc_alloc_delay = *rc::gen::inRange(1, 4);
  router.switch_alloc_delay = *rc::gen::inRange(1, 4);
  router.switch_delay = *rc::gen::inRange(1, 4);
  router.credit_delay = *rc::gen::inRange(0, 4);
  router.internal_speedup = *rc::gen::inRange(1, 4);
  router.switching = *rc::gen::element(router::input_queued::Switching::kCreditPerFlit,
                                       router::input_queued::Switching::kVirtualCutThrough);
  router.arbitration =
      *rc::gen::element(router::input_queued::Arbitration::kRoundRobin, router::input_queued::Arbitration::kAge,
                        router::input_queued::Arbitration::kFixed);
  const int32_t flits = *rc::gen::inRange(1, 20);
  router.buffer_flits = router.switching == router::input_queued::Switching::kVirtualCutThrough
                            ? flits + *rc::gen::inRange(0, 30)
                            : *rc::gen::inRange(1, 40);
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
    router::input_queued::Network network(lattice.config(), script);
    for (int64_t cycle = 0; cycle < 200'000; ++cycle) {
      if (!skip || network.next_cycle() == cycle) network.step(cycle);
    }
    for (const Script::Arrival& arrival : script.arrivals)
      results[skip ? 1 : 0].emplace_back(arrival.packet.sequence, arrival.cycle);
  }
  EXPECT_EQ(results[0].size(), 160u);
  EXPECT_EQ(results[0], results[1]);
}

// What is counted is what an onlooker sees between cycles.
RC_GTEST_PROP(IqNetworkProperty, InputsAreCountedOverTime, ()) {
  using router::input_queued::End;
  using router::input_queued::Network;
  const Clock clock(Frequency{1'000'000'000});
  Lattice lattice;
  lattice.dims = {*rc::gen::inRange(2, 4), *rc::gen::inRange(1, 4)};
  lattice.router.buffer_flits = *rc::gen::inRange(1, 30);
  lattice.router.internal_speedup = *rc::gen::inRange(1, 3);
  Script script;
  RandomStream random(*rc::gen::arbitrary<uint64_t>(), 0, RandomPurpose::kTest);
  const auto nodes = static_cast<uint64_t>(lattice.nodes());
  for (int packet = 0; packet < 60; ++packet) {
    const auto source = static_cast<int32_t>(random.next_below(nodes));
    script.send(packet, source, static_cast<int32_t>(random.next_below(2)), 1 + packet % 9);
  }
  Network::Config config = lattice.config();
  config.count_inputs = clock;
  Network network(config, script);
  std::map<std::pair<int32_t, int32_t>, std::vector<int64_t>> seen;
  for (int64_t cycle = 0; network.next_cycle() != router::input_queued::Traffic::kNever; ++cycle) {
    if (network.next_cycle() == cycle) network.step(cycle);
    for (const router::input_queued::Link& link : config.links) {
      for (const End& end : link.ends) {
        if (end.port < 0) continue;
        int64_t bytes = 0;
        for (int32_t vc = 0; vc < lattice.router.vcs; ++vc)
          bytes += int64_t{link::kWordBytes} * network.flits(end.element, end.port, vc);
        seen[{end.element, end.port}].push_back(bytes);
      }
    }
  }
  const Time end = clock.edge(static_cast<int64_t>(seen.begin()->second.size()));
  double largest = 0;
  int64_t most = 0;
  for (const auto& [port, lengths] : seen) {
    double sum = 0;
    for (const int64_t bytes : lengths) sum += static_cast<double>(bytes);
    largest = std::max(largest, sum / static_cast<double>(lengths.size()));
    most = std::max(most, *std::ranges::max_element(lengths));
  }
  const kernel::QueueTotals totals = network.input_meter()->totals(end);
  const kernel::QueueSummary counted = totals.at(end);
  RC_ASSERT(std::abs(counted.mean - largest) <= 1e-9 * largest);
  // A flit may come in the cycle in which another one leaves.
  RC_ASSERT(counted.most >= most && counted.most <= most + link::kWordBytes);
  const End input = network.input(totals.mean_queue);
  std::vector<int64_t> lengths = seen.at({input.element, input.port});
  std::ranges::sort(lengths);
  const auto percentile = [&](size_t percent) { return lengths[(lengths.size() * percent + 99) / 100 - 1]; };
  RC_ASSERT(counted.p50 >= percentile(50) && counted.p50 <= percentile(50) + percentile(50) / 16 + 1);
  RC_ASSERT(counted.p99 >= percentile(99) && counted.p99 <= percentile(99) + percentile(99) / 16 + 1);
}

/// Hosts with several queues, each of them a script.
class ScriptedQueues : public Script {
 public:
  explicit ScriptedQueues(size_t queues) : queues_(queues) {}
  Script& queue(size_t number) { return queues_[number]; }
  int64_t next_packet_of(int32_t host, int32_t queue, int64_t cycle, router::input_queued::Packet& packet) override {
    return queues_[static_cast<size_t>(queue)].next_packet(host, cycle, packet);
  }

 private:
  std::vector<Script> queues_;
};

router::input_queued::Network::Config with_queues(const Lattice& lattice, int32_t queues) {
  router::input_queued::Network::Config config = lattice.config();
  config.source_queues = queues;
  return config;
}

// Two packets that begin to leave at once share the link of their host: the second ends one cycle after the first, on a
// VC of its own.
TEST(IqNetwork, FlitsOfTheQueuesOfAHostTakeTurns) {
  Lattice lattice;
  lattice.router.vcs = 2;
  lattice.router.buffer_flits = 36;
  ScriptedQueues traffic(2);
  traffic.queue(0).send(0, 0, 1, 10);
  traffic.queue(1).send(0, 0, 7, 10);
  router::input_queued::Network network(with_queues(lattice, 2), traffic);
  ASSERT_TRUE(drain(network, 1000));
  ASSERT_EQ(traffic.arrivals.size(), 2u);
  EXPECT_EQ(traffic.arrivals[0].packet.source_queue, 0);
  EXPECT_EQ(traffic.arrivals[1].packet.source_queue, 1);
  EXPECT_EQ(traffic.arrivals[1].cycle - traffic.arrivals[0].cycle, 1);
  EXPECT_EQ(traffic.arrivals[1].packet.injected - traffic.arrivals[0].packet.injected, 1);
}

// Where each queue has at most one VC, packets on the same one do not mix, and nothing is lost or stuck.
TEST(IqNetwork, QueuesOfHostsDoNotDeadlock) {
  for (const int32_t queues : {2, 3, 5}) {
    for (const int32_t vcs : {2, 4}) {
      Lattice lattice;
      lattice.dims = {3, 3};
      lattice.router.vcs = vcs;
      lattice.router.buffer_flits = 18;
      ScriptedQueues traffic(static_cast<size_t>(queues));
      RandomStream random(static_cast<uint64_t>(queues), 0, RandomPurpose::kTest);
      for (int32_t i = 0; i < 900; ++i) {
        const auto queue = random.next_below(static_cast<uint64_t>(queues));
        traffic.queue(queue).send(static_cast<int64_t>(i / 9), i % 9, static_cast<int32_t>(random.next_below(9)),
                                  1 + static_cast<int32_t>(random.next_below(18)));
      }
      router::input_queued::Network network(with_queues(lattice, queues), traffic);
      ASSERT_TRUE(drain(network, 100'000)) << "deadlock";
      EXPECT_EQ(network.failure(), "");
      EXPECT_EQ(traffic.arrivals.size(), 900u);
      expect_all_credits(lattice, network);
    }
  }
}

}  // namespace
}  // namespace fabrictwin
