// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/report/plot_scale.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

namespace fabrictwin {
namespace {

using dashboards::report::PlotScale;
using ::testing::ElementsAre;
using Kind = PlotScale::Kind;

std::vector<std::string> texts(const PlotScale& scale) {
  std::vector<std::string> out;
  for (const dashboards::report::PlotTick& tick : scale.ticks()) out.push_back(tick.text);
  return out;
}

TEST(PlotScale, TicksAreRoundNumbers) {
  EXPECT_THAT(texts(PlotScale(0, 1, Kind::kLinear)), ElementsAre("0.0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(texts(PlotScale(-3, 12, Kind::kLinear)), ElementsAre("-4", "-2", "0", "2", "4", "6", "8", "10", "12"));
  EXPECT_THAT(texts(PlotScale(0.13, 0.17, Kind::kLinear)), ElementsAre("0.13", "0.14", "0.15", "0.16", "0.17"));
  EXPECT_THAT(texts(PlotScale(0, 4e6, Kind::kLinear)),
              ElementsAre("0", "500000", "1e+06", "1.5e+06", "2e+06", "2.5e+06", "3e+06", "3.5e+06", "4e+06"));
}

TEST(PlotScale, TicksOfLogarithmsArePowersOfTwo) {
  EXPECT_THAT(texts(PlotScale(32, 512, Kind::kPowersOfTwo)), ElementsAre("32", "64", "128", "256", "512"));
  EXPECT_THAT(texts(PlotScale(33, 500, Kind::kPowersOfTwo)), ElementsAre("32", "64", "128", "256", "512"));
  EXPECT_THAT(texts(PlotScale(0.3, 1, Kind::kPowersOfTwo)), ElementsAre("0.25", "0.5", "1"));
  EXPECT_THAT(texts(PlotScale(512, 4096, Kind::kPowersOfTwo)), ElementsAre("512", "1 Ki", "2 Ki", "4 Ki"));
  EXPECT_THAT(texts(PlotScale(8, 8, Kind::kPowersOfTwo)), ElementsAre("8", "16"));
}

TEST(PlotScale, TicksOfDecadesAreOneTwoAndFive) {
  EXPECT_THAT(texts(PlotScale(675, 767, Kind::kDecades)), ElementsAre("500", "1000"));
  EXPECT_THAT(texts(PlotScale(1, 30, Kind::kDecades)), ElementsAre("1", "2", "5", "10", "20", "50"));
  EXPECT_THAT(texts(PlotScale(0.03, 0.2, Kind::kDecades)), ElementsAre("0.02", "0.05", "0.1", "0.2"));
  EXPECT_THAT(texts(PlotScale(3, 40'000, Kind::kDecades)), ElementsAre("1", "10", "100", "1000", "10000", "100000"));
  EXPECT_THAT(texts(PlotScale(5, 5, Kind::kDecades)), ElementsAre("5", "10"));
}

// Digits of DejaVu Sans, a wide font, are 7.63 wide in size 12.
TEST(PlotScale, TheAxisLeavesRoomForItsTexts) {
  for (const double most : {1.0, 20'000.0, 300'000.0, 1.2e6, 1.23457e9}) {
    const PlotScale scale(0, most, Kind::kLinear);
    const double axis = dashboards::report::vertical_axis_at(scale, 70);
    for (const std::string& text : texts(scale)) {
      EXPECT_GT(axis - dashboards::report::kTickGap - 7.63 * static_cast<double>(text.size()),
                dashboards::report::kAxisTitle + 3)
          << text;
    }
    EXPECT_EQ(axis == 70, most <= 20'000) << "pictures with short texts stay as they are";
  }
}

TEST(PlotScale, EqualEndsAreMovedApart) {
  for (const double value : {0.0, 5.0, -5.0, 1e300, 1e-300}) {
    const PlotScale scale(value, value, Kind::kLinear);
    EXPECT_GE(scale.ticks().size(), 2u) << value;
    EXPECT_GE(scale.position(value), 0) << value;
    EXPECT_LE(scale.position(value), 1) << value;
  }
}

RC_GTEST_PROP(PlotScale, ValuesLieBetweenTheEndsInTheirOrder, ()) {
  const Kind kind = *rc::gen::element(Kind::kLinear, Kind::kPowersOfTwo, Kind::kDecades);
  // From 1e-12 to 1e12 in size.
  const auto number = [&] {
    const double size = std::pow(10, *rc::gen::inRange(-1200, 1200) / 100.0);
    return kind == Kind::kLinear && *rc::gen::arbitrary<bool>() ? -size : size;
  };
  const double a = number(), b = number(), c = number();
  const double low = std::min({a, b, c}), high = std::max({a, b, c}), middle = a + b + c - low - high;
  const PlotScale scale(low, high, kind);
  RC_ASSERT(scale.position(low) >= -1e-6);
  RC_ASSERT(scale.position(high) <= 1 + 1e-6);
  if (middle > low && middle < high)
    RC_ASSERT(scale.position(low) <= scale.position(middle) && scale.position(middle) <= scale.position(high));
  const std::vector<dashboards::report::PlotTick>& ticks = scale.ticks();
  RC_ASSERT(ticks.size() >= 2 && ticks.size() <= 18);
  RC_ASSERT(std::abs(scale.position(ticks.front().value)) < 1e-6);
  RC_ASSERT(std::abs(scale.position(ticks.back().value) - 1) < 1e-6);
  for (size_t i = 1; i < ticks.size(); ++i) RC_ASSERT(ticks[i].value > ticks[i - 1].value);
}

}  // namespace
}  // namespace fabrictwin
