// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/observe/message_log.h"

#include <gtest/gtest.h>

namespace fabrictwin {
namespace {

TEST(MessageLog, NumbersTheMessagesOfEachPair) {
  observe::MessageLog log(10);
  log.sent(0, 1, 8, Time::from_ns(1));
  log.sent(1, 0, 16, Time::from_ns(2));
  log.sent(0, 1, 24, Time::from_ns(3));
  log.sent(0, 2, 32, Time::from_ns(4));
  log.arrived(0, 1, Time::from_ns(5));
  log.arrived(0, 2, Time::from_ns(6));
  log.arrived(0, 1, Time::from_ns(7));

  const auto& messages = log.messages();
  ASSERT_EQ(messages.size(), 4u);
  EXPECT_EQ(messages[0].number, 0u);
  EXPECT_EQ(messages[2].number, 1u);
  EXPECT_EQ(messages[1].number, 0u);
  EXPECT_EQ(messages[0].arrived, Time::from_ns(5));
  EXPECT_TRUE(messages[1].arrived.is_never());
  EXPECT_EQ(messages[2].arrived, Time::from_ns(7));
  EXPECT_EQ(messages[2].bytes, 24u);
  EXPECT_EQ(messages[3].arrived, Time::from_ns(6));
}

TEST(MessageLog, LeavesOutWhatIsBeyondItsLimit) {
  observe::MessageLog log(2);
  log.sent(0, 1, 0, Time::from_ns(1));
  log.sent(0, 1, 0, Time::from_ns(2));
  log.sent(0, 1, 0, Time::from_ns(3));
  log.sent(2, 1, 0, Time::from_ns(3));
  EXPECT_EQ(log.left_out(), 2u);
  for (int i = 0; i < 3; ++i) log.arrived(0, 1, Time::from_ns(4 + i));
  log.arrived(2, 1, Time::from_ns(9));
  ASSERT_EQ(log.messages().size(), 2u);
  EXPECT_EQ(log.messages()[0].arrived, Time::from_ns(4));
  EXPECT_EQ(log.messages()[1].arrived, Time::from_ns(5));
}

}  // namespace
}  // namespace fabrictwin
