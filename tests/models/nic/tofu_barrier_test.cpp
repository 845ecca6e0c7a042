// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/tofu_barrier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Barrier = nic::TofuBarrier;

const Barrier::Costs kCosts{
    .tnis = 6, .start = Time::from_ns(290), .end = Time::from_ns(190), .relay = Time::from_ns(130), .packet = 48};

/// Nodes whose signals take `delay` from one to another.
class Nodes {
 public:
  Nodes(std::vector<int32_t> hosts, Barrier::Costs costs, Time delay) : hosts_(std::move(hosts)), delay_(delay) {
    const int32_t nodes = 1 + *std::max_element(hosts_.begin(), hosts_.end());
    for (int32_t node = 0; node < nodes; ++node) barriers_.emplace_back(node, costs);
    for (size_t rank = 0; rank < hosts_.size(); ++rank)
      of(static_cast<int32_t>(rank)).configure(static_cast<int32_t>(rank), hosts_);
  }

  Barrier& of(int32_t rank) { return barriers_[static_cast<size_t>(hosts_[static_cast<size_t>(rank)])]; }
  /// Rank r orders at `starts[r]` and contributes r + 1. When each of them sees the end.
  std::vector<Time> run(std::vector<Time> starts) {
    std::multimap<Time, int32_t> orders;
    for (size_t rank = 0; rank < starts.size(); ++rank) orders.emplace(starts[rank], static_cast<int32_t>(rank));
    std::vector<Time> ends(starts.size(), Time::never());
    while (true) {
      Time now = orders.empty() ? Time::never() : orders.begin()->first;
      if (!wires_.empty()) now = std::min(now, wires_.begin()->first);
      for (const Barrier& barrier : barriers_) now = std::min(now, barrier.next_event());
      if (now.is_never()) return ends;
      for (; !wires_.empty() && wires_.begin()->first == now; wires_.erase(wires_.begin()))
        EXPECT_THAT(of(wires_.begin()->second.rank).arrive(now, wires_.begin()->second), IsEmpty());
      for (; !orders.empty() && orders.begin()->first == now; orders.erase(orders.begin())) {
        const int32_t rank = orders.begin()->second;
        of(rank).order(now, rank, static_cast<uint64_t>(rank), static_cast<uint64_t>(rank + 1), 8);
      }
      for (Barrier& barrier : barriers_) step(barrier, now, ends);
    }
  }

  uint64_t signals = 0;

 private:
  void step(Barrier& barrier, Time now, std::vector<Time>& ends) {
    Barrier::Actions actions;
    barrier.advance(now, actions);
    EXPECT_THAT(actions.failure, IsEmpty());
    for (const Barrier::Signal& signal : actions.signals) wires_.emplace(now + delay_, signal);
    signals += actions.signals.size();
    const uint64_t ranks = hosts_.size();
    for (const Barrier::End& end : actions.ends) {
      EXPECT_EQ(end.value, ranks * (ranks + 1) / 2);
      EXPECT_TRUE(ends[end.cookie].is_never());
      ends[end.cookie] = now;
    }
  }

  std::vector<int32_t> hosts_;
  Time delay_;
  std::vector<Barrier> barriers_;
  std::multimap<Time, Barrier::Signal> wires_;
};

std::vector<int32_t> one_on_each(int32_t ranks) {
  std::vector<int32_t> hosts;
  for (int32_t rank = 0; rank < ranks; ++rank) hosts.push_back(rank);
  return hosts;
}

TEST(TofuBarrierTest, TakesChannelAndStartGateAndARelayGateForEachDoubling) {
  const Time delay = Time::from_ns(100);
  for (int32_t doublings = 0; doublings <= 5; ++doublings) {
    const int32_t ranks = 1 << doublings;
    Nodes nodes(one_on_each(ranks), kCosts, delay);
    const std::vector<Time> ends = nodes.run(std::vector<Time>(static_cast<size_t>(ranks)));
    for (const Time end : ends) EXPECT_EQ(end, Time::from_ns(480 + doublings * (130 + 100))) << ranks;
    EXPECT_EQ(nodes.signals, static_cast<uint64_t>(ranks * doublings));
  }
}

TEST(TofuBarrierTest, OthersThanAPowerOfTwoAreFolded) {
  Nodes nodes(one_on_each(3), kCosts, Time::from_ns(100));
  const std::vector<Time> ends = nodes.run(std::vector<Time>(3));
  // Rank 2 goes into rank 0, which has its sum at 520 ns and exchanges with rank 1, whose signal is there; rank 1 waits
  // for that of rank 0, and rank 2 is told.
  EXPECT_EQ(ends[0], Time::from_ns(520 + 130 + 190));
  EXPECT_EQ(ends[1], Time::from_ns(520 + 100 + 130 + 190));
  EXPECT_EQ(ends[2], Time::from_ns(520 + 130 + 100 + 130 + 190));
}

TEST(TofuBarrierTest, RanksOfANodeNeedNoNetwork) {
  Nodes nodes({0, 0, 0, 0}, kCosts, Time::from_ns(100));
  EXPECT_EQ(nodes.run(std::vector<Time>(4)), std::vector<Time>(4, Time::from_ns(480 + 2 * 130)));
  EXPECT_EQ(nodes.signals, 0U);
}

TEST(TofuBarrierTest, ATniStartsOneAfterTheOther) {
  Barrier::Costs costs = kCosts;
  costs.tnis = 1;
  Nodes nodes({0, 0}, costs, Time::zero());
  EXPECT_EQ(nodes.run(std::vector<Time>(2)), std::vector<Time>(2, Time::from_ns(480 + 130 + 290)));
}

TEST(TofuBarrierTest, SignalsThatCannotBeAreTold) {
  const std::vector<int32_t> hosts = {0, 1};
  Barrier barrier(0, kCosts);
  barrier.configure(0, hosts);
  EXPECT_THAT(barrier.arrive(Time::zero(), {.rank = 1}), HasSubstr("for rank 1 came, which has no barrier gates"));
  EXPECT_THAT(barrier.arrive(Time::zero(), {.rank = 0, .number = 0}), IsEmpty());
  EXPECT_THAT(barrier.arrive(Time::zero(), {.rank = 0, .number = 0}), HasSubstr("twice or too late"));
  EXPECT_THAT(barrier.arrive(Time::zero(), {.rank = 0, .number = 2}), HasSubstr("twice or too late"));
}

// Nobody leaves before the last one has come, and everybody does.
RC_GTEST_PROP(TofuBarrierProperty, NobodyLeavesBeforeTheLastOneComes, ()) {
  const auto count = *rc::gen::inRange<size_t>(1, 40);
  const auto hosts = *rc::gen::container<std::vector<int32_t>>(count, rc::gen::inRange(0, 8));
  Barrier::Costs costs = kCosts;
  costs.tnis = *rc::gen::inRange(1, 7);
  const int64_t delay = *rc::gen::inRange<int64_t>(1, 500);
  Nodes nodes(hosts, costs, Time::from_ns(delay));
  std::vector<Time> starts(hosts.size());
  for (int barrier = 0; barrier < 3; ++barrier) {
    for (Time& start : starts) {
      const int64_t late = *rc::gen::inRange<int64_t>(0, 3000);
      start = start + Time::from_ns(late);
    }
    const std::vector<Time> ends = nodes.run(starts);
    const Time last = *std::max_element(starts.begin(), starts.end());
    for (const Time end : ends) {
      RC_ASSERT(!end.is_never());
      RC_ASSERT(end >= last + costs.start + costs.end);
    }
    starts = ends;
  }
}

}  // namespace
}  // namespace fabrictwin
