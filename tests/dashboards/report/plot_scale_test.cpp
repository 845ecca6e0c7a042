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

using ::testing::ElementsAre;

std::vector<std::string> texts(const dashboards::report::PlotScale& scale) {
  std::vector<std::string> out;
  for (const dashboards::report::PlotTick& tick : scale.ticks()) out.push_back(tick.text);
  return out;
}

TEST(PlotScale, TicksAreRoundNumbers) {
  EXPECT_THAT(texts(dashboards::report::PlotScale(0, 1, false)), ElementsAre("0.0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(texts(dashboards::report::PlotScale(-3, 12, false)),
              ElementsAre("-4", "-2", "0", "2", "4", "6", "8", "10", "12"));
  EXPECT_THAT(texts(dashboards::report::PlotScale(0.13, 0.17, false)),
              ElementsAre("0.13", "0.14", "0.15", "0.16", "0.17"));
  EXPECT_THAT(texts(dashboards::report::PlotScale(0, 4e6, false)),
              ElementsAre("0", "500000", "1e+06", "1.5e+06", "2e+06", "2.5e+06", "3e+06", "3.5e+06", "4e+06"));
}

TEST(PlotScale, TicksOfLogarithmsArePowersOfTwo) {
  EXPECT_THAT(texts(dashboards::report::PlotScale(32, 512, true)), ElementsAre("32", "64", "128", "256", "512"));
  EXPECT_THAT(texts(dashboards::report::PlotScale(33, 500, true)), ElementsAre("32", "64", "128", "256", "512"));
  EXPECT_THAT(texts(dashboards::report::PlotScale(0.3, 1, true)), ElementsAre("0.25", "0.5", "1"));
  EXPECT_THAT(texts(dashboards::report::PlotScale(512, 4096, true)), ElementsAre("512", "1 Ki", "2 Ki", "4 Ki"));
  EXPECT_THAT(texts(dashboards::report::PlotScale(8, 8, true)), ElementsAre("8", "16"));
}

TEST(PlotScale, EqualEndsAreMovedApart) {
  for (const double value : {0.0, 5.0, -5.0, 1e300, 1e-300}) {
    const dashboards::report::PlotScale scale(value, value, false);
    EXPECT_GE(scale.ticks().size(), 2u) << value;
    EXPECT_GE(scale.place(value), 0) << value;
    EXPECT_LE(scale.place(value), 1) << value;
  }
}

RC_GTEST_PROP(PlotScale, ValuesLieBetweenTheEndsInTheirOrder, ()) {
  const bool log2 = *rc::gen::arbitrary<bool>();
  // From 1e-12 to 1e12 in size.
  const auto number = [&] {
    const double size = std::pow(10, *rc::gen::inRange(-1200, 1200) / 100.0);
    return !log2 && *rc::gen::arbitrary<bool>() ? -size : size;
  };
  const double a = number(), b = number(), c = number();
  const double low = std::min({a, b, c}), high = std::max({a, b, c}), middle = a + b + c - low - high;
  const dashboards::report::PlotScale scale(low, high, log2);
  RC_ASSERT(scale.place(low) >= -1e-6);
  RC_ASSERT(scale.place(high) <= 1 + 1e-6);
  if (middle > low && middle < high)
    RC_ASSERT(scale.place(low) <= scale.place(middle) && scale.place(middle) <= scale.place(high));
  const std::vector<dashboards::report::PlotTick>& ticks = scale.ticks();
  RC_ASSERT(ticks.size() >= 2 && ticks.size() <= 18);
  RC_ASSERT(std::abs(scale.place(ticks.front().value)) < 1e-6);
  RC_ASSERT(std::abs(scale.place(ticks.back().value) - 1) < 1e-6);
  for (size_t i = 1; i < ticks.size(); ++i) RC_ASSERT(ticks[i].value > ticks[i - 1].value);
}

}  // namespace
}  // namespace fabrictwin
