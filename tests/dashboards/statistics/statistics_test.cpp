// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Medians, Mann-Whitney, Holm and the bootstrap against values that others give, and against enumeration.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "cosim/base/random.h"
#include "dashboards/statistics/bootstrap.h"
#include "dashboards/statistics/mann_whitney.h"
#include "dashboards/statistics/quantiles.h"

namespace fabrictwin::dashboards::statistics {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

TEST(Quantiles, MedianOfOddAndEvenNumbers) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_TRUE(std::isnan(median({})));
}

TEST(Quantiles, TheLargestNumbersHaveAMedian) {
  EXPECT_DOUBLE_EQ(median({1.75e308, 1.5e308}), 1.625e308);
  EXPECT_EQ(median({-1.75e308, 1.75e308}), 0);
  const std::vector<double> large{1e308, 1.1e308, 1.2e308, 1.3e308};
  EXPECT_TRUE(std::isfinite(median_difference_error(large, large)));
}

TEST(MannWhitney, TheLeastProbabilityIsThatOfSetsThatAreApart) {
  for (const auto& [m, n] : {std::pair<size_t, size_t>{5, 5}, {8, 3}, {20, 20}, {30, 25}}) {
    std::vector<double> low(m);
    std::vector<double> high(n);
    for (size_t i = 0; i < m; ++i) low[i] = static_cast<double>(i);
    for (size_t i = 0; i < n; ++i) high[i] = static_cast<double>(100 + i);
    const double least = least_mann_whitney(m, n);
    EXPECT_NEAR(mann_whitney(low, high) / least, 1, 1e-9) << m << " and " << n;
  }
  EXPECT_EQ(least_mann_whitney(0, 5), 1);
  EXPECT_EQ(enough_samples(0.01), 5u);
  EXPECT_EQ(enough_samples(0.01 / 2), 6u);
  EXPECT_EQ(enough_samples(0.01 / 81), 9u);
}

// The most metrics that so many results of each side can tell of at 1 %.
TEST(MannWhitney, TestsThatCannotTellAnythingDoNotCount) {
  for (const auto& [samples, most] : {std::pair<size_t, size_t>{5, 1}, {6, 4}, {7, 17}, {8, 64}}) {
    const double least = least_mann_whitney(samples, samples);
    EXPECT_GE(largest_least(std::vector<double>(most, least), 0.01), least);
    EXPECT_EQ(largest_least(std::vector<double>(most + 1, least), 0.01), 0);
  }
  // Two with five results each keep nothing from the one that has ten.
  const double five = least_mann_whitney(5, 5);
  EXPECT_EQ(largest_least(std::vector<double>{five, five, least_mann_whitney(10, 10)}, 0.01), 0.005);
  EXPECT_EQ(largest_least({}, 0.01), 0);
}

TEST(Bootstrap, NothingIsAsMuchAsNothing) {
  const std::vector<double> nothing{0, 0, 0};
  const Interval interval = ratio_interval(nothing, nothing, 0.95, 1);
  EXPECT_EQ(interval.low, 1);
  EXPECT_EQ(interval.high, 1);
  const std::vector<double> some{0, 1, 2};
  const Interval beyond = ratio_interval(some, some, 0.95, 1);
  EXPECT_FALSE(std::isnan(beyond.low) || std::isnan(beyond.high));
}

TEST(Quantiles, AnOutlierDoesNotWidenTheSpread) {
  const std::vector<double> calm{10, 11, 9, 10, 12, 8, 10};
  std::vector<double> disturbed = calm;
  disturbed.back() = 1000;
  EXPECT_NEAR(robust_deviation(calm), 1.4826, 1e-9);
  EXPECT_LT(robust_deviation(disturbed), 2.5);
  EXPECT_EQ(robust_deviation(std::vector<double>{5}), 0);
}

/// The exact probability by trying every choice of ranks.
double by_enumeration(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> all = a;
  all.insert(all.end(), b.begin(), b.end());
  const auto u_of = [&](uint32_t chosen) {
    double u = 0;
    for (size_t i = 0; i < all.size(); ++i) {
      for (size_t j = 0; j < all.size(); ++j)
        if ((chosen >> i & 1u) != 0 && (chosen >> j & 1u) == 0 && all[i] > all[j]) ++u;
    }
    return u;
  };
  const double centre = static_cast<double>(a.size() * b.size()) / 2;
  const double distance = std::abs(u_of((1u << a.size()) - 1) - centre);
  double reached = 0;
  double ways = 0;
  for (uint32_t chosen = 0; chosen < 1u << all.size(); ++chosen) {
    if (static_cast<size_t>(std::popcount(chosen)) != a.size()) continue;
    ++ways;
    if (std::abs(u_of(chosen) - centre) >= distance - 1e-9) ++reached;
  }
  return reached / ways;
}

TEST(MannWhitney, IsWhatEnumerationGives) {
  RandomStream random(7, 0, RandomPurpose::kTest);
  for (int round = 0; round < 20; ++round) {
    std::vector<double> a(2 + random.next_below(4));
    std::vector<double> b(2 + random.next_below(5));
    for (double& value : a) value = random.next_unit();
    for (double& value : b) value = random.next_unit() + 0.2;
    EXPECT_NEAR(mann_whitney(a, b), by_enumeration(a, b), 1e-12);
  }
}

TEST(MannWhitney, TiesAndLargeSetsUseTheNormalDistribution) {
  // U is 2.5 and its mean 12.5; with ties of 2, 2 and 3 values its variance is 25 / 12 * (11 - 36 / 90), and the
  // normal distribution has 0.0432 beyond 9.5 / 4.699 on both sides.
  EXPECT_NEAR(mann_whitney(std::vector<double>{1, 2, 2, 3, 4}, std::vector<double>{3, 4, 4, 5, 6}), 0.0432, 0.0001);
  std::vector<double> a(40);
  std::vector<double> b(40);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<double>(i);
    b[i] = static_cast<double>(i) + 0.5;
  }
  EXPECT_GT(mann_whitney(a, b), 0.8);
  for (double& value : b) value += 40;
  EXPECT_LT(mann_whitney(a, b), 1e-12);
}

TEST(MannWhitney, NothingDiffersFromNothing) {
  EXPECT_EQ(mann_whitney({}, std::vector<double>{1}), 1);
  EXPECT_EQ(mann_whitney(std::vector<double>{2, 2, 2}, std::vector<double>{2, 2, 2}), 1);
}

TEST(Holm, MultipliesByWhatIsLeft) {
  EXPECT_THAT(
      holm(std::vector<double>{0.01, 0.04, 0.03, 0.005}),
      ElementsAre(DoubleNear(0.03, 1e-12), DoubleNear(0.06, 1e-12), DoubleNear(0.06, 1e-12), DoubleNear(0.02, 1e-12)));
  EXPECT_THAT(holm(std::vector<double>{0.9, 0.8}), ElementsAre(1, 1));
}

TEST(Bootstrap, TheIntervalHasTheRatioAsOftenAsItSays) {
  RandomStream random(11, 0, RandomPurpose::kTest);
  constexpr double kRatio = 1.1;
  int inside = 0;
  constexpr int kRounds = 200;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> a(15);
    std::vector<double> b(15);
    const auto noisy = [&] { return 1 + 0.02 * (random.next_unit() + random.next_unit() + random.next_unit() - 1.5); };
    for (double& value : a) value = 50 * noisy();
    for (double& value : b) value = 50 * kRatio * noisy();
    const Interval interval = ratio_interval(a, b, 0.95, static_cast<uint64_t>(round));
    EXPECT_LT(interval.low, interval.high);
    inside += interval.low <= kRatio && kRatio <= interval.high ? 1 : 0;
  }
  EXPECT_GE(inside, kRounds * 90 / 100);
  EXPECT_LE(inside, kRounds * 99 / 100);
}

TEST(Bootstrap, TheSeedDecides) {
  const std::vector<double> a{1, 2, 3, 4, 5};
  const std::vector<double> b{2, 3, 4, 5, 7};
  EXPECT_EQ(ratio_interval(a, b, 0.95, 3).low, ratio_interval(a, b, 0.95, 3).low);
  const Interval single = ratio_interval(std::vector<double>{2}, std::vector<double>{3}, 0.95, 1);
  EXPECT_EQ(single.low, 1.5);
  EXPECT_EQ(single.high, 1.5);
}

}  // namespace
}  // namespace fabrictwin::dashboards::statistics
