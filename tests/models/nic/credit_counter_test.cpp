// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/credit_counter.h"

#include <gtest/gtest.h>

namespace fabrictwin::nic {
namespace {

TEST(CreditCounter, CountsCreditsFromTheirArrival) {
  CreditCounter credits(20);
  credits.take(18);
  EXPECT_TRUE(credits.next().is_never());
  credits.add(Time::from_ns(5), 10);
  credits.add(Time::from_ns(5), 1);
  credits.add(Time::from_ns(9), 7);
  credits.collect(Time::from_ns(4));
  EXPECT_EQ(credits.free(), 2);
  EXPECT_EQ(credits.next(), Time::from_ns(5));
  credits.collect(Time::from_ns(5));
  EXPECT_EQ(credits.free(), 13);
  EXPECT_EQ(credits.next(), Time::from_ns(9));
  credits.collect(Time::from_ns(100));
  EXPECT_EQ(credits.free(), 20);
  EXPECT_TRUE(credits.next().is_never());
}

}  // namespace
}  // namespace fabrictwin::nic
