// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/packet/event/queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "rapidcheck/gtest.h"

namespace fabrictwin {
namespace {

using Key = std::pair<int64_t, uint32_t>;  // Time and owner.

struct Reference {
  void add(router::packet::event::Queue& queue, int64_t time, uint32_t owner) {
    queue.add(time, owner, next);
    expected[{time, owner}].push_back(next++);
  }
  int64_t first() const {
    return expected.empty() ? router::packet::event::Queue::kNever : expected.begin()->first.first;
  }
  std::map<Key, std::vector<uint64_t>> expected;
  uint64_t next = 0;
};

std::vector<uint64_t> whats(std::span<const router::packet::event::Entry> events) {
  std::vector<uint64_t> result;
  for (const router::packet::event::Entry& event : events) result.push_back(event.what);
  return result;
}

int64_t any_reach() { return *rc::gen::element<int64_t>(1, 1'000, 1'000'000, 3'000'000'000, int64_t{1} << 45); }

TEST(EventQueueTest, WhatIsAtTheLimitComesAfterIt) {
  // In the middle of a window, and at the end of all windows of the first wheel.
  for (const int64_t limit : {int64_t{10}, int64_t{4096} << 10}) {
    router::packet::event::Queue queue(10, router::packet::event::Queue::Order::kTime, 3);
    queue.add(limit - 5, 0, 1);
    ASSERT_TRUE(queue.open(limit));
    ASSERT_EQ(queue.take().size(), 1u);
    queue.add(limit, 0, 2);
    EXPECT_TRUE(queue.take().empty());
    EXPECT_FALSE(queue.open(limit));
    EXPECT_EQ(queue.next_time(), limit);
    ASSERT_TRUE(queue.open(limit + 1));
    EXPECT_EQ(queue.take().size(), 1u);
  }
}

// Against a sorted map: events are added between takes, near and far, many at one time, and windows are cut anywhere.
RC_GTEST_PROP(EventQueueTest, GivesAllEventsInTheOrderOfTime, ()) {
  router::packet::event::Queue queue(*rc::gen::inRange(10, 25), router::packet::event::Queue::Order::kTime, 3);
  Reference reference;
  int64_t now = 0;
  int64_t until = 0;
  for (int round = *rc::gen::inRange(1, 60); round > 0 || !reference.expected.empty(); --round) {
    const int32_t count = round > 0 ? *rc::gen::element(0, 1, 3, 400) : 0;
    const int64_t reach = any_reach();
    for (int32_t i = 0; i < count; ++i)
      reference.add(queue, std::max(now, until) + *rc::gen::inRange<int64_t>(0, reach), *rc::gen::inRange(0u, 3u));
    RC_ASSERT(queue.next_time() == reference.first());
    until = round > 0 ? std::max(until, now + any_reach()) : router::packet::event::Queue::kNever;
    while (queue.open(until)) {
      for (auto events = queue.take(); !events.empty(); events = queue.take()) {
        now = queue.time();
        RC_ASSERT(now < until);
        RC_ASSERT(now == reference.first());
        std::vector<uint64_t> all;
        while (reference.first() == now) {
          const auto& some = reference.expected.begin()->second;
          all.insert(all.end(), some.begin(), some.end());
          reference.expected.erase(reference.expected.begin());
        }
        RC_ASSERT(whats(events) == all);
        // Something that follows at the same time, or a little later.
        if (*rc::gen::weightedElement<bool>({{1, true}, {4, false}}))
          reference.add(queue, now + *rc::gen::element<int64_t>(0, 1, 1000, 1'000'000), 1);
        // And now and then it turns out that this is enough for now.
        if (*rc::gen::weightedElement<bool>({{1, true}, {30, false}})) {
          until = std::min(until, now + *rc::gen::element<int64_t>(1, 2, 1000));
          queue.close_at(until);
        }
      }
    }
    RC_ASSERT(reference.first() >= until);
  }
  RC_ASSERT(queue.next_time() == router::packet::event::Queue::kNever);
}

// Owner by owner in a window, each in the order of time; what an owner adds for itself and for those after it may be in
// the same window.
RC_GTEST_PROP(EventQueueTest, GivesTheEventsOfEachOwnerInTheOrderOfTime, ()) {
  const int shift = *rc::gen::inRange(10, 25);
  const uint32_t many = *rc::gen::element(1u, 5u, 3000u, 70000u);
  router::packet::event::Queue queue(shift, router::packet::event::Queue::Order::kOwner, many);
  std::map<uint32_t, Reference> owners;
  uint64_t left = 0;
  const auto add = [&](int64_t time, uint32_t owner) {
    owners[owner].add(queue, time, owner);
    ++left;
  };
  const int32_t count = *rc::gen::element(1, 30, 1000);
  const int64_t reach = any_reach();
  for (int32_t i = 0; i < count; ++i) add(*rc::gen::inRange<int64_t>(0, reach), *rc::gen::inRange(0u, many));
  int64_t until = 0;
  while (left > 0) {
    until = *rc::gen::element<int64_t>(until + 1, until + 100'000'000, router::packet::event::Queue::kNever);
    std::pair<int64_t, uint32_t> last{-1, 0};
    while (queue.open(until)) {
      for (auto events = queue.take(); !events.empty(); events = queue.take()) {
        const auto owner = static_cast<uint32_t>(events[0].key >> 32);
        const std::pair<int64_t, uint32_t> here{queue.time() >> shift, owner};
        RC_ASSERT(last <= here);
        last = here;
        auto& expected = owners[owner].expected;
        RC_ASSERT(queue.time() < until);
        RC_ASSERT(expected.begin()->first.first == queue.time());
        RC_ASSERT(whats(events) == expected.begin()->second);
        left -= events.size();
        expected.erase(expected.begin());
        if (*rc::gen::weightedElement<bool>({{1, true}, {4, false}}))
          add(queue.time() + *rc::gen::element<int64_t>(0, 1, 1000, 1'000'000, int64_t{1} << 40), owner);
        if (*rc::gen::weightedElement<bool>({{1, true}, {8, false}}))
          add(queue.time() + (int64_t{1} << shift), *rc::gen::inRange(0u, many));
        if (*rc::gen::weightedElement<bool>({{1, true}, {8, false}}))
          add(queue.time() + *rc::gen::element<int64_t>(0, 1, 1000), *rc::gen::inRange(owner, many));
      }
    }
    for (const auto& [owner, reference] : owners) RC_ASSERT(reference.first() >= until);
    int64_t next = router::packet::event::Queue::kNever;
    for (const auto& [owner, reference] : owners) next = std::min(next, reference.first());
    RC_ASSERT(queue.next_time() == next);
    // Something from elsewhere before it goes on.
    if (until != router::packet::event::Queue::kNever && *rc::gen::weightedElement<bool>({{1, true}, {4, false}}))
      add(until + *rc::gen::element<int64_t>(0, 1, 1000, 1'000'000), *rc::gen::inRange(0u, many));
  }
}

}  // namespace
}  // namespace fabrictwin
