// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/engine/free_advance.h"

#include <gtest/gtest.h>

namespace fabrictwin {
namespace {

using engine::FreeAdvance;
using std::chrono::milliseconds;

TEST(FreeAdvance, IsShorterAfterALongOneAndLongerAfterAShortOne) {
  FreeAdvance advance;
  EXPECT_EQ(advance.length(), Time::from_us(1));
  advance.took(milliseconds(21));
  EXPECT_EQ(advance.length(), Time::from_ns(500));
  advance.took(milliseconds(20));
  advance.took(milliseconds(5));
  EXPECT_EQ(advance.length(), Time::from_ns(500)) << "that is as it should be";
  advance.took(milliseconds(4));
  EXPECT_EQ(advance.length(), Time::from_us(1));
}

TEST(FreeAdvance, HasBounds) {
  FreeAdvance advance;
  advance.took(milliseconds(0));
  EXPECT_EQ(advance.length(), FreeAdvance::kMost);
  for (int i = 0; i < 100; ++i) advance.took(std::chrono::seconds(1));
  EXPECT_EQ(advance.length(), FreeAdvance::kLeast);
}

// A network whose microsecond takes a second is looked at after some 20 ms.
TEST(FreeAdvance, SettlesWhereItTakesSomeMilliseconds) {
  FreeAdvance advance;
  const auto time = [&] { return std::chrono::nanoseconds(advance.length().fs()); };  // A second for 1e9 fs.
  for (int i = 0; i < 20; ++i) advance.took(time());
  EXPECT_LE(time(), FreeAdvance::kLong);
  EXPECT_GE(time(), FreeAdvance::kLong / 4);
}

}  // namespace
}  // namespace fabrictwin
