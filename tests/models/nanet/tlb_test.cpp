// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nanet/tlb.h"

#include <gtest/gtest.h>

namespace fabrictwin::nanet {
namespace {

TEST(NanetTlb, KnowsWhatItHasLearnt) {
  Tlb tlb;
  EXPECT_FALSE(tlb.find(7).has_value());
  tlb.learn(7, {.physical = 0x70000, .gpu = true});
  ASSERT_TRUE(tlb.find(7).has_value());
  EXPECT_EQ(tlb.find(7)->physical, 0x70000u);
  EXPECT_TRUE(tlb.find(7)->gpu);
  tlb.flush();
  EXPECT_FALSE(tlb.find(7).has_value());
}

TEST(NanetTlb, ForgetsTheOldestOfFourPagesOfASet) {
  Tlb tlb;
  // Pages whose parts of five bits are twice the same are all in set 0.
  for (uint64_t page = 1; page <= 5; ++page) tlb.learn(page << 5 | page, {.physical = page});
  EXPECT_FALSE(tlb.find(1 << 5 | 1).has_value());
  for (uint64_t page = 2; page <= 5; ++page) EXPECT_TRUE(tlb.find(page << 5 | page).has_value()) << page;
}

TEST(NanetTlb, HoldsAHundredAndTwentyEightPagesInARow) {
  Tlb tlb;
  for (uint64_t page = 0; page < 128; ++page) tlb.learn(page, {.physical = page});
  for (uint64_t page = 0; page < 128; ++page) EXPECT_TRUE(tlb.find(page).has_value()) << page;
}

}  // namespace
}  // namespace fabrictwin::nanet
