// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/suggest.h"

#include <gtest/gtest.h>

#include <string>

namespace fabrictwin {
namespace {

constexpr std::string_view kFields[] = {"dims", "link_rate", "link_latency", "tile_rate", "tile_latency"};

TEST(SuggestTest, FindsSlipsOfTheFinger) {
  EXPECT_EQ(nearest_name("link_rat", kFields), "link_rate");
  EXPECT_EQ(nearest_name("lnik_rate", kFields), "link_rate");
  EXPECT_EQ(nearest_name("Dims", kFields), "dims");
  EXPECT_EQ(nearest_name("dim", kFields), "dims");
  EXPECT_EQ(nearest_name("tile_latancy", kFields), "tile_latency");
}

TEST(SuggestTest, SaysNothingWhereNothingIsNear) {
  EXPECT_EQ(nearest_name("", kFields), "");
  EXPECT_EQ(nearest_name("bananas", kFields), "");
  EXPECT_EQ(nearest_name(std::string(10'000, 'l'), kFields), "");
  EXPECT_EQ(did_you_mean("bananas", kFields), "");
}

TEST(SuggestTest, PrefersTheRightCase) {
  constexpr std::string_view kUnits[] = {"ms", "Ms", "MS"};
  EXPECT_EQ(nearest_name("Mss", kUnits), "Ms");
}

TEST(SuggestTest, MakesAPhrase) { EXPECT_EQ(did_you_mean("link_rat", kFields), " (did you mean \"link_rate\"?)"); }

}  // namespace
}  // namespace fabrictwin
