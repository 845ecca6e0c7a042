// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/geometric_gap.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rapidcheck/gtest.h"

namespace fabrictwin {
namespace {

TEST(GeometricGap, HasTheMeanAndTheShapeOfItsProbability) {
  for (const double p : {0.9, 0.5, 1.0 / 18, 0.3 / 18, 1e-3, 1e-6}) {
    const traffic::GeometricGap gap(p);
    RandomStream random(1, 2, RandomPurpose::kTest);
    constexpr int kDraws = 100'000;
    double sum = 0;
    int zeros = 0;
    for (int i = 0; i < kDraws; ++i) {
      const int64_t slots = gap.next(random);
      ASSERT_GE(slots, 0);
      sum += static_cast<double>(slots);
      zeros += slots == 0 ? 1 : 0;
    }
    const double mean = (1 - p) / p;
    const double deviation = std::sqrt(1 - p) / p / std::sqrt(double{kDraws});
    EXPECT_NEAR(sum / kDraws, mean, 5 * deviation) << p;
    EXPECT_NEAR(zeros, p * kDraws, 5 * std::sqrt(p * kDraws) + 1) << p;
  }
}

TEST(GeometricGap, OneIsAlways) {
  const traffic::GeometricGap gap(1.0);
  RandomStream random(1, 2, RandomPurpose::kTest);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(gap.next(random), 0);
}

// The same as counting failures of (1 - p)^n > u one by one.
RC_GTEST_PROP(GeometricGap, IsTheInverseOfTheDistribution, ()) {
  const double p = *rc::gen::inRange(1, 100) / 100.0;
  RandomStream random(*rc::gen::arbitrary<uint64_t>(), 0, RandomPurpose::kTest);
  RandomStream copy = random;
  const double u = copy.next_unit();
  const int64_t gap = traffic::GeometricGap(p).next(random);
  RC_ASSERT(std::pow(1 - p, static_cast<double>(gap)) * (1 + 1e-9) > u);
  RC_ASSERT(std::pow(1 - p, static_cast<double>(gap + 1)) * (1 - 1e-9) <= u);
}

}  // namespace
}  // namespace fabrictwin
