// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts that all units share against their definitions.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>

#include "VLibParts__inputs.h"
#include "tests/rtl/module_test.h"

namespace fabrictwin::test {
namespace {

class LibParts : public ModuleTest<VLibParts> {
 protected:
  LibParts() : ModuleTest(29) { reset(); }

  void reset() {
    model_.push_i = model_.pop_i = 0;
    model_.stream_valid_i = model_.stream_ready_i = 0;
    model_.enable_i = 0;
    model_.initial_i = 40;
    model_.take_i = model_.give_i = 0;
    model_.event_i = 0;
    model_.busy_i = 0;
    ModuleTest::reset();
  }
};

// In look-up tables, an entry pushed at edge k can be taken at edge k + 1. In block RAM, it can be taken at edge k + 2,
// and at each edge after the one that takes the entry before it.
TEST_F(LibParts, QueuesKeepOrderAndTime) {
  struct Entry {
    uint32_t data;
    int pushed;
  };
  std::array<std::deque<Entry>, 3> queues;
  constexpr std::array<size_t, 3> kDepths = {8, 2, 8};
  constexpr std::array<int, 3> kDelays = {1, 2, 2};
  unsigned push_chance = 50, pop_chance = 50;
  for (int step = 0; step < 60'000; ++step) {
    if (step % 64 == 0) {
      push_chance = random_() % 4 * 33 + 1;
      pop_chance = random_() % 4 * 33 + 1;
      if (chance(3)) {
        reset();
        for (auto& queue : queues) queue.clear();
      }
    }
    model_.data_i = random_();
    model_.push_i = model_.pop_i = 0;
    model_.eval();
    const std::array<size_t, 3> counts = {model_.count0_o, model_.count1_o, model_.count2_o};
    uint8_t push = 0, pop = 0;
    for (size_t f = 0; f < 3; ++f) {
      std::deque<Entry>& queue = queues[f];
      const bool visible = !queue.empty() && queue.front().pushed <= step - kDelays[f];
      const size_t stored = queue.size() - (f > 0 && visible ? 1 : 0);
      const bool full = stored == kDepths[f];
      ASSERT_EQ(model_.valid_o >> f & 1, visible) << step;
      ASSERT_EQ(model_.empty_o >> f & 1, queue.empty()) << step;
      ASSERT_EQ(model_.full_o >> f & 1, full) << step;
      ASSERT_EQ(counts[f], stored) << step;
      if (visible) {
        ASSERT_EQ(model_.data_o[f], queue.front().data) << step;
      }
      if (full) ++seen_["full"];
      if (!full && chance(push_chance)) {
        push |= static_cast<uint8_t>(1u << f);
        ++seen_["push"];
        queue.push_back({model_.data_i, step});
      }
      if (visible && chance(pop_chance)) {
        pop |= static_cast<uint8_t>(1u << f);
        queue.pop_front();
        ++seen_[queue.empty() ? "last one taken" : "pop"];
        if (push >> f & 1) ++seen_["push and pop"];
      }
    }
    model_.push_i = push;
    model_.pop_i = pop;
    edge();
  }
  for (const char* corner : {"push", "full", "pop", "last one taken", "push and pop"}) {
    EXPECT_GT(seen_[corner], 500) << corner;
  }
}

TEST_F(LibParts, StreamQueueKeepsOrder) {
  std::deque<uint32_t> queue;
  unsigned valid_chance = 50;
  for (int step = 0; step < 30'000; ++step) {
    if (step % 40 == 0) valid_chance = random_() % 5 * 25;
    if (step % 1000 == 999) {
      reset();
      queue.clear();
    }
    model_.data_i = random_();
    model_.stream_valid_i = chance(valid_chance);
    model_.stream_ready_i = chance(50);
    model_.eval();
    const bool ready = queue.size() < 4;
    ASSERT_EQ(model_.stream_ready_o, ready) << step;
    ASSERT_EQ(model_.stream_valid_o, !queue.empty()) << step;
    if (!queue.empty()) {
      ASSERT_EQ(model_.stream_data_o, queue.front()) << step;
      if (model_.stream_ready_i) queue.pop_front();
    }
    if (model_.stream_valid_i) {
      ++seen_[ready ? "taken" : "held up"];
      if (ready) queue.push_back(model_.data_i);
    }
    edge();
  }
  for (const char* corner : {"taken", "held up"}) EXPECT_GT(seen_[corner], 500) << corner;
}

TEST_F(LibParts, ArbiterGrantsTheFirstRequestAfterTheLastGrant) {
  constexpr int kRequests = 5;
  std::array<int, kRequests> granted{};
  int last = kRequests - 1;
  int again = 0;
  for (int step = 0; step < 20'000; ++step) {
    if (chance(2)) {
      reset();
      last = kRequests - 1;
    }
    model_.enable_i = !chance(25);
    model_.request_i = static_cast<uint8_t>(draw(1 << kRequests));
    model_.eval();
    int expected = -1;
    for (int k = kRequests; model_.enable_i && k > 0; --k) {
      if ((model_.request_i >> ((last + k) % kRequests) & 1) != 0) expected = (last + k) % kRequests;
    }
    ASSERT_EQ(model_.grant_o, expected < 0 ? 0 : 1 << expected) << "after " << last << " of " << int{model_.request_i};
    if (expected >= 0) {
      if (expected == last) ++again;
      last = expected;
      ++granted[static_cast<size_t>(expected)];
    }
    edge();
  }
  for (const int count : granted) EXPECT_GT(count, 1000);
  EXPECT_GT(again, 100) << "nobody else asked";
}

TEST_F(LibParts, CreditsAreNeverMoreThanAtFirst) {
  int credits = 40, initial = 40;
  bool error = false;
  for (int step = 0; step < 50'000; ++step) {
    if (chance(2)) {
      initial = draw(256);
      model_.initial_i = static_cast<uint8_t>(initial);
      model_.take_i = 0;
      ModuleTest::reset();
      credits = initial;
      error = false;
    }
    ASSERT_EQ(model_.credits_o, credits) << step;
    ASSERT_EQ(model_.error_o, error) << step;
    const int take = chance(50) ? draw(credits + 1) : 0;
    const int give = !chance(50) ? 0 : chance(1) ? draw(256) : draw(initial - credits + take + 1);
    model_.take_i = static_cast<uint8_t>(take);
    model_.give_i = static_cast<uint8_t>(give);
    const int sum = credits - take + give;
    if (sum > initial) {
      error = true;
      ++seen_["too many"];
    }
    if (sum == initial && give > 0) ++seen_["all back"];
    credits = std::min(sum, initial);
    if (credits == 0) ++seen_["all used"];
    edge();
  }
  for (const char* corner : {"too many", "all back", "all used"}) EXPECT_GT(seen_[corner], 100) << corner;
}

TEST_F(LibParts, EventCounterWraps) {
  int count = 0;
  for (int step = 0; step < 1000; ++step) {
    model_.event_i = chance(50);
    count += model_.event_i;
    edge();
    ASSERT_EQ(model_.events_o, count % 16) << step;
  }
}

// The clock runs in resets, at edges that can change something, and for five edges after them.
TEST_F(LibParts, ClockOfAnIdleBlockStands) {
  constexpr int kHoldEdges = 5;
  int hold = kHoldEdges;
  uint16_t edges = model_.edges_o;
  for (int step = 0; step < 20'000; ++step) {
    model_.rst_ni = !chance(3);
    model_.busy_i = chance(15);
    model_.eval();
    const bool busy = !model_.rst_ni || model_.busy_i;
    const bool runs = busy || hold > 0;
    hold = busy ? kHoldEdges : std::max(hold - 1, 0);
    ++seen_[!runs ? "stands" : !model_.rst_ni ? "reset" : busy ? "busy" : "held"];
    edge();
    edges = static_cast<uint16_t>(edges + (runs ? 1 : 0));
    ASSERT_EQ(model_.edges_o, edges) << step;
  }
  for (const char* corner : {"stands", "reset", "busy", "held"}) EXPECT_GT(seen_[corner], 300) << corner;
}

}  // namespace
}  // namespace fabrictwin::test
