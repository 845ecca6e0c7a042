// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/admittance.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <vector>

#include "rapidcheck/gtest.h"

namespace fabrictwin {
namespace {

TEST(AdmittanceTest, ServesQueuesByTheAgeOfTheirFirstMessage) {
  fabric::Admittance waiting;
  waiting.push(7, 1);
  waiting.push(7, 2);
  waiting.push(3, 3);
  waiting.push(7, 4);
  ASSERT_EQ(waiting.queues(), 2U);
  EXPECT_EQ(waiting.front(0), 1U);
  EXPECT_EQ(waiting.front(1), 3U);
  // The first message of the other queue goes past one that may not leave.
  waiting.pop(1);
  ASSERT_EQ(waiting.queues(), 1U);
  waiting.push(3, 5);
  waiting.pop(0);
  waiting.pop(0);
  EXPECT_EQ(waiting.front(0), 4U);
  EXPECT_EQ(waiting.front(1), 5U);
  waiting.pop(0);
  waiting.pop(0);
  EXPECT_TRUE(waiting.empty());
}

// Whatever is held up: each queue is in order, nothing is lost, and without anything held up, so are all together.
RC_GTEST_PROP(AdmittanceTest, KeepsTheOrderOfEachQueue, (std::vector<uint8_t> steps)) {
  fabric::Admittance waiting;
  std::map<uint32_t, int32_t> number_of;
  std::map<int32_t, uint32_t> last;
  uint32_t made = 0;
  for (const uint8_t step : steps) {
    if (step % 2 == 0 || waiting.empty()) {
      number_of[++made] = step / 2 % 4;
      waiting.push(number_of[made], made);
      continue;
    }
    for (size_t queue = 1; queue < waiting.queues(); ++queue)
      RC_ASSERT(waiting.front(queue - 1) < waiting.front(queue));
    const size_t queue = step / 2 % waiting.queues();
    const uint32_t message = waiting.front(queue);
    RC_ASSERT(message > last[number_of[message]]);
    last[number_of[message]] = message;
    number_of.erase(message);
    waiting.pop(queue);
  }
  size_t left = 0;
  for (; !waiting.empty(); ++left) {
    RC_ASSERT(waiting.front(0) == number_of.begin()->first);
    number_of.erase(number_of.begin());
    waiting.pop(0);
  }
  RC_ASSERT(number_of.empty());
}

}  // namespace
}  // namespace fabrictwin
