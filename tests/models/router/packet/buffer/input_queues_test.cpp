// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/router/packet/buffer/input_queues.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace fabrictwin::router::packet::buffer {
namespace {

TEST(VcQueuesTest, ReusesSlotsOfQueuesThatAreEmptyAndOpen) {
  std::vector<uint32_t> next(10);
  const auto next_of = [&](uint32_t packet) -> uint32_t& { return next[packet]; };
  VcQueues queues;
  EXPECT_TRUE(queues.empty());
  const uint32_t one = queues.slot_of(5, 0);
  queues.push(one, 1, next_of);
  queues.push(one, 2, next_of);
  const uint32_t other = queues.slot_of(6, 0);
  EXPECT_NE(other, one);
  EXPECT_EQ(queues.slot_of(5, 0), one);
  EXPECT_EQ(queues.pop(one, next_of), 1U);
  EXPECT_EQ(queues[one].first, 2U);
  EXPECT_EQ(queues.pop(one, next_of), 2U);
  EXPECT_TRUE(queues.empty());
  queues.push(other, 3, next_of);
  queues[one].gate = 100;
  // Its next packet must not leave sooner because the queue has been empty meanwhile.
  EXPECT_EQ(queues.slot_of(5, 99), one);
  EXPECT_EQ(queues[one].gate, 100);
  EXPECT_NE(queues.slot_of(7, 99), one);
  EXPECT_EQ(queues.slot_of(8, 100), one);
  EXPECT_EQ(queues[one].gate, 0);
}

TEST(QueueCreditsTest, CreditsCountFromTheirTimeOn) {
  QueueCredits credits;
  credits.sent(3, 100);
  credits.sent(4, 50);
  credits.sent(3, 100);
  credits.give_back(10, 3, 100);
  credits.give_back(20, 4, 50);
  EXPECT_EQ(credits.held(3, 9), 200);
  EXPECT_EQ(credits.held(3, 10), 100);
  EXPECT_EQ(credits.held(4, 19), 50);
  EXPECT_EQ(credits.held(4, 20), 0);
  EXPECT_EQ(credits.held(5, 20), 0);
}

// Packets of the same size for one queue after the other, as long as they are admitted.
TEST(QueueCreditsTest, OfSeveralLongQueuesEachLeavesAsMuchAsItHas) {
  const auto fill = [](int32_t queues, int32_t capacity) {
    std::vector<int32_t> held(static_cast<size_t>(queues));
    int32_t free = capacity;
    for (bool more = true; more;) {
      more = false;
      for (int32_t& queue : held) {
        if (!QueueCredits::admits(queue, free, 1)) continue;
        ++queue;
        --free;
        more = true;
      }
    }
    return held;
  };
  EXPECT_EQ(fill(1, 12), std::vector<int32_t>({6}));
  EXPECT_EQ(fill(2, 12), std::vector<int32_t>({4, 4}));
  EXPECT_EQ(fill(3, 12), std::vector<int32_t>({3, 3, 3}));
  // Each may have one packet, if there is space.
  EXPECT_EQ(fill(5, 4), std::vector<int32_t>({1, 1, 1, 1, 0}));
  EXPECT_TRUE(QueueCredits::admits(0, 288, 288));
  EXPECT_FALSE(QueueCredits::admits(0, 287, 288));
}

TEST(SetAsideCountTest, CountsInTheOrderOfTime) {
  SetAsideCount count;
  std::vector<SetAsideChange> changes{{30, -1}, {10, 1}, {20, 1}, {20, -1}};
  count.add(changes);
  EXPECT_TRUE(changes.empty());
  EXPECT_EQ(count.in_use(), 0);
  // One was released when the other was made.
  EXPECT_EQ(count.most(), 1);
  EXPECT_EQ(count.released(), 30);
  changes = {{40, 3}};
  count.add(changes);
  EXPECT_EQ(count.in_use(), 3);
  EXPECT_EQ(count.most(), 3);
  EXPECT_EQ(count.released(), 30);
}

}  // namespace
}  // namespace fabrictwin::router::packet::buffer
