// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Links that degrade or fail for a time, with times by hand: 288 bytes at 16 Gb/s are 144 ns, a word 8 ns; links have
// 10 ns, routers 20 ns.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "models/router/packet/network.h"
#include "rapidcheck/gtest.h"
#include "tests/models/router/packet/test_network.h"

namespace fabrictwin {
namespace {

using router::packet::LinkFault;

constexpr int64_t kNs = 1'000'000;
constexpr int32_t kBytes = 288;

Time ns(int64_t count) { return Time::from_fs(count * kNs); }

struct Faulty {
  Faulty(system::SystemGraph made, std::vector<LinkFault> faults, bool adaptive = false, bool independent_hosts = false)
      : graph(std::move(made)), hosts(graph.host_count()) {
    router::packet::Network::Config config;
    config.graph = &graph;
    config.routing = std::make_shared<MeshRouting>(graph.dims, 2, adaptive);
    config.vcs = 2;
    config.pipeline = ns(20);
    config.max_packet = kBytes;
    config.independent_hosts = independent_hosts;
    config.faults = std::move(faults);
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

// Ports 1 and 2 go up and down dimension 0, 3 and 4 dimension 1.
LinkFault fault(int32_t routers, int32_t router, int32_t port, Time at, Time until, double rate) {
  return {0, {routers + router, port}, at, until, rate};
}

TEST(FaultsTest, ADegradedLinkTakesLonger) {
  Faulty setup(test_mesh({2}, 64), {fault(2, 0, 1, ns(0), ns(1000), 0.25)});
  setup.hosts.send(0, 0, 1, kBytes);
  setup.hosts.run();
  ASSERT_EQ(setup.hosts.arrivals[1].size(), 1U);
  // It leaves router 0 at 38 ns; its last word is there 576 + 10 ns later, and passes router 1 and the link of host 1.
  EXPECT_EQ(setup.hosts.arrivals[1][0].time, (38 + 576 + 10 + 20 + 8 + 10) * kNs);
}

// One of the two lanes of a link with packet slicing.
LinkFault lane_fault(int32_t routers, int32_t router, int32_t port, Time at, Time until, double errors) {
  LinkFault fault{0, {routers + router, port}, at, until, 0};
  fault.lane_errors = errors;
  return fault;
}

TEST(SlicingTest, ALaneThatFailsLeavesHalfOfTheRate) {
  Faulty setup(test_mesh({2}, 640), {lane_fault(2, 0, 1, ns(0), Time::never(), 1)});
  for (int i = 0; i < 10; ++i) setup.hosts.send(0, 0, 1, kBytes);
  setup.hosts.run();
  const auto& arrivals = setup.hosts.arrivals[1];
  ASSERT_EQ(arrivals.size(), 10U);
  // The first packet is sent three times in slices, each 144 ns and a round trip of 20 ns, from 38 ns on, and then on
  // both lanes.
  EXPECT_EQ(arrivals[0].time, (38 + 3 * (144 + 20) + 288 + 10 + 20 + 8 + 10) * kNs);
  for (size_t i = 1; i < arrivals.size(); ++i) EXPECT_EQ(arrivals[i].time - arrivals[i - 1].time, 288 * kNs) << i;
  const auto outcome = setup.network->fault_outcomes().at(0);
  EXPECT_EQ(outcome.slicing.repeated, 3U);
  EXPECT_EQ(outcome.slicing.duplicated, 10U);
  EXPECT_EQ(outcome.slicing.saved, 10U);
}

TEST(SlicingTest, ALaneThatReturnsIsTrustedAgain) {
  Faulty setup(test_mesh({2}, 640), {lane_fault(2, 0, 1, ns(0), ns(10'000), 1)});
  for (int i = 0; i < 200; ++i) setup.hosts.send(0, 0, 1, kBytes);
  setup.hosts.run();
  const auto& arrivals = setup.hosts.arrivals[1];
  ASSERT_EQ(arrivals.size(), 200U);
  const auto outcome = setup.network->fault_outcomes().at(0);
  // From 530 ns on, a packet each 288 ns; 64 of them after the lane has returned.
  EXPECT_EQ(outcome.slicing.saved, 33U);
  EXPECT_EQ(outcome.slicing.duplicated, 33U + 64U);
  EXPECT_EQ(arrivals[199].time - arrivals[198].time, 144 * kNs);
}

// Before the lane is trusted again after one fault, another one begins.
TEST(SlicingTest, ALaneMayFailAgainBeforeItIsTrusted) {
  Faulty setup(test_mesh({2}, 640),
               {lane_fault(2, 0, 1, ns(0), ns(10'000), 1), lane_fault(2, 0, 1, ns(11'000), Time::never(), 1)});
  for (int i = 0; i < 200; ++i) setup.hosts.send(0, 0, 1, kBytes);
  setup.hosts.run();
  const auto& arrivals = setup.hosts.arrivals[1];
  ASSERT_EQ(arrivals.size(), 200U);
  for (size_t i = 1; i < arrivals.size(); ++i) EXPECT_EQ(arrivals[i].time - arrivals[i - 1].time, 288 * kNs) << i;
  const auto outcomes = setup.network->fault_outcomes();
  ASSERT_EQ(outcomes.size(), 2U);
  EXPECT_EQ(outcomes[0].slicing.duplicated + outcomes[1].slicing.duplicated, 200U);
  // All that the second one damages has come on the other lane.
  EXPECT_EQ(outcomes[1].slicing.saved, outcomes[1].slicing.duplicated);
  EXPECT_GT(outcomes[1].slicing.saved, 150U);
  EXPECT_EQ(outcomes[1].slicing.repeated, 0U);
}

// Whatever the lane does, nothing is lost, and all come in order.
RC_GTEST_PROP(SlicingProperty, NothingIsLost, ()) {
  const double errors = *rc::gen::element(1e-6, 1e-5, 1e-4, 1e-3, 1.0);
  const Time until = *rc::gen::element(ns(3000), ns(30'000), Time::never());
  Faulty setup(test_mesh({2}, 640), {lane_fault(2, 0, 1, ns(*rc::gen::inRange<int64_t>(0, 3000)), until, errors)});
  for (int i = 0; i < 300; ++i) setup.hosts.send(0, 0, 1, kBytes);
  setup.hosts.run();
  const auto& arrivals = setup.hosts.arrivals[1];
  RC_ASSERT(arrivals.size() == 300U);
  for (size_t i = 1; i < arrivals.size(); ++i) RC_ASSERT(arrivals[i].time - arrivals[i - 1].time >= 144 * kNs);
}

TEST(FaultsTest, ADegradedLinkCarriesExactlyItsShare) {
  Faulty setup(test_mesh({2}, 640), {fault(2, 0, 1, ns(0), ns(100'000), 0.25)});
  for (int i = 0; i < 400; ++i) setup.hosts.send(0, 0, 1, kBytes);
  setup.hosts.run();
  const auto& arrivals = setup.hosts.arrivals[1];
  ASSERT_EQ(arrivals.size(), 400U);
  size_t slow = 0;
  for (size_t i = 1; i < arrivals.size(); ++i) {
    const int64_t gap = arrivals[i].time - arrivals[i - 1].time;
    if (gap == 576 * kNs) ++slow;
    EXPECT_TRUE(gap == 576 * kNs || (slow > 100 && gap <= 576 * kNs && gap >= 144 * kNs)) << i << ": " << gap;
  }
  // Packets that begin before 100 us: 100000 / 576.
  EXPECT_EQ(slow, 173U);
}

TEST(FaultsTest, WhatIsOnAFailedLinkArrivesAndNoOtherPacketBegins) {
  Faulty setup(test_mesh({2}, 64), {fault(2, 0, 1, ns(100), ns(5000), 0)});
  for (int i = 0; i < 3; ++i) setup.hosts.send(0, 0, 1, kBytes);
  setup.hosts.run();
  const auto& arrivals = setup.hosts.arrivals[1];
  ASSERT_EQ(arrivals.size(), 3U);
  EXPECT_EQ(arrivals[0].time, (38 + 38 + 144 + 10) * kNs);
  EXPECT_EQ(arrivals[1].time, (5000 + 38 + 144 + 10) * kNs);
  EXPECT_EQ(arrivals[2].time, (5000 + 144 + 38 + 144 + 10) * kNs);
  const auto outcomes = setup.network->fault_outcomes();
  ASSERT_EQ(outcomes.size(), 1U);
  EXPECT_EQ(outcomes[0].queue_bytes, 2 * kBytes);
  // The last packet begins when the second has gone.
  EXPECT_EQ(outcomes[0].recovered, ns(5144));
  EXPECT_TRUE(setup.network->failed_outputs(0).empty());
}

TEST(FaultsTest, AFaultThatStaysSaysWhoWaits) {
  Faulty setup(test_mesh({3}, 64), {fault(3, 1, 1, ns(1), Time::never(), 0)});
  setup.hosts.send(0, 0, 2, kBytes);
  setup.hosts.send(0, 1, 2, kBytes);
  setup.hosts.send(0, 2, 0, kBytes);
  setup.hosts.run();
  EXPECT_EQ(setup.hosts.arrivals[0].size(), 1U) << "the other direction works";
  EXPECT_TRUE(setup.hosts.arrivals[2].empty());
  EXPECT_TRUE(setup.network->next_time().is_never()) << "it does not run on";
  const auto failed = setup.network->failed_outputs(0);
  ASSERT_EQ(failed.size(), 1U);
  EXPECT_EQ(failed[0].element, 4U);
  EXPECT_EQ(failed[0].port, 1);
  EXPECT_EQ(failed[0].at, ns(1));
  EXPECT_EQ(failed[0].packets, 2);
  EXPECT_EQ(failed[0].sources, (std::vector<int32_t>{0, 1}));
}

// From corner to corner of a square there are two ways.
TEST(FaultsTest, AdaptiveRoutersGoRoundAFailedLink) {
  Faulty setup(test_mesh({2, 2}, 64), {fault(4, 0, 1, ns(0), Time::never(), 0)}, true);
  for (int i = 0; i < 20; ++i) setup.hosts.send(0, 0, 3, kBytes);
  setup.hosts.run();
  EXPECT_EQ(setup.hosts.arrivals[3].size(), 20U);
  EXPECT_EQ(setup.network->sent(4, 1, setup.network->now()).packets, 0U);
  EXPECT_EQ(setup.network->sent(4, 3, setup.network->now()).packets, 20U);
}

// A packet that waits for the link when it fails takes the other way.
TEST(FaultsTest, WaitingPacketsDecideAnew) {
  Faulty setup(test_mesh({2, 2}, 18), {fault(4, 0, 1, ns(200), Time::never(), 0)}, true);
  for (int i = 0; i < 50; ++i) setup.hosts.send(0, 0, 3, kBytes);
  setup.hosts.run();
  EXPECT_EQ(setup.hosts.arrivals[3].size(), 50U);
  EXPECT_EQ(setup.network->packets_in_flight(), 0U);
}

// The buffers of host 1 are full for 10 us each time, and the link behind them fails for 1 us of that: meanwhile
// packets wait for the link, not for space, and nothing else is different.
TEST(FaultsTest, AFailedLinkWaitsForNoSpace) {
  std::vector<Time> stalled;
  std::vector<std::vector<TestHosts::Arrival>> arrivals;
  for (const bool fails : {false, true}) {
    std::vector<LinkFault> faults;
    if (fails) faults.push_back(fault(2, 0, 1, ns(3000), ns(4000), 0));
    Faulty setup(test_mesh({2}, 18), std::move(faults));
    setup.hosts.hold = 10'000 * kNs;
    for (int i = 0; i < 10; ++i) setup.hosts.send(0, 0, 1, kBytes);
    setup.hosts.run();
    stalled.push_back(setup.network->sent(2, 1, setup.network->now()).stalled);
    arrivals.push_back(setup.hosts.arrivals[1]);
  }
  EXPECT_EQ(arrivals[0], arrivals[1]);
  EXPECT_GT(stalled[0], ns(10'000));
  EXPECT_EQ(stalled[1] + ns(1000), stalled[0]);
}

TEST(FaultsTest, NothingHappensWithoutPackets) {
  Faulty setup(test_mesh({2}, 64), {fault(2, 0, 1, ns(10), ns(20), 0), fault(2, 1, 2, ns(20), ns(30), 0.5)});
  setup.hosts.send(40 * kNs, 0, 1, kBytes);
  setup.hosts.run();
  ASSERT_EQ(setup.hosts.arrivals[1].size(), 1U);
  EXPECT_EQ(setup.hosts.arrivals[1][0].time, (40 + 38 + 38 + 144 + 10) * kNs);
  EXPECT_EQ(setup.network->fault_outcomes()[0].recovered, ns(20));
}

// Whatever fails and returns, everything arrives once, and in whatever order elements are processed.
RC_GTEST_PROP(FaultsProperty, EverythingArrivesOnceLinksHaveReturned, ()) {
  const bool adaptive = *rc::gen::arbitrary<bool>();
  const system::SystemGraph graph = test_mesh({3, 2}, 18 * *rc::gen::inRange(1, 4));
  std::vector<LinkFault> faults;
  int64_t at = 0;
  const auto count = *rc::gen::inRange(1, 6);
  for (int i = 0; i < count; ++i) {
    const auto link = *rc::gen::inRange<size_t>(0, graph.links.size());
    const auto side = *rc::gen::inRange(0, 2);
    at += *rc::gen::inRange<int64_t>(0, 800);
    const auto length = *rc::gen::inRange<int64_t>(1, 3000);
    const auto rate = *rc::gen::element(0.0, 0.0, 0.1, 0.5);
    faults.push_back({i, graph.links[link].ends[side], ns(at), ns(at + length), rate});
    at += length;  // None overlap.
  }
  std::vector<std::tuple<int64_t, int32_t, int32_t, int32_t>> packets;
  const auto sent = *rc::gen::inRange(1, 200);
  for (int i = 0; i < sent; ++i) {
    const auto time = *rc::gen::inRange<int64_t>(0, 4000);
    const auto source = *rc::gen::inRange(0, 6);
    const auto destination = *rc::gen::inRange(0, 6);
    const auto bytes = *rc::gen::inRange(1, kBytes + 1);
    packets.emplace_back(time * kNs, source, destination, bytes);
  }
  std::sort(packets.begin(), packets.end());
  std::vector<std::vector<TestHosts::Arrival>> first;
  for (const bool independent : {false, true}) {
    Faulty setup(graph, faults, adaptive, independent);
    for (const auto& [time, source, destination, bytes] : packets) {
      if (source != destination) setup.hosts.send(time, source, destination, bytes);
    }
    setup.hosts.run();
    std::set<uint32_t> arrived;
    for (const auto& arrivals : setup.hosts.arrivals) {
      for (const TestHosts::Arrival& arrival : arrivals) RC_ASSERT(arrived.insert(arrival.packet.message).second);
    }
    RC_ASSERT(arrived.size() == setup.hosts.sent);
    RC_ASSERT(setup.network->packets_in_flight() == 0U);
    for (const auto& outcome : setup.network->fault_outcomes()) RC_ASSERT(!outcome.recovered.is_never());
    if (independent) {
      RC_ASSERT(setup.hosts.arrivals == first);
    } else {
      first = setup.hosts.arrivals;
    }
  }
}

}  // namespace
}  // namespace fabrictwin
