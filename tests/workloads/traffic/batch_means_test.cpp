// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/batch_means.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cosim/base/random.h"

namespace fabrictwin {
namespace {

TEST(BatchMeans, KnowsStudentsDistribution) {
  EXPECT_NEAR(traffic::student_t_95(1), 12.706, 1e-3);
  EXPECT_NEAR(traffic::student_t_95(4), 2.776, 1e-3);
  EXPECT_NEAR(traffic::student_t_95(30), 2.042, 1e-3);
  EXPECT_NEAR(traffic::student_t_95(39), 2.0227, 1e-4);
  EXPECT_NEAR(traffic::student_t_95(60), 2.000, 1e-3);
  EXPECT_NEAR(traffic::student_t_95(1'000'000), 1.95997, 1e-5);
  for (size_t degrees = 1; degrees < 2000; ++degrees)
    EXPECT_GE(traffic::student_t_95(degrees), traffic::student_t_95(degrees + 1));
}

TEST(BatchMeans, FollowsTheFormula) {
  // Mean 3, variance 2.5: 2.7764 sqrt(2.5 / 5).
  EXPECT_NEAR(traffic::confidence_95(std::vector<double>{1, 2, 3, 4, 5}).value(), 1.9632, 1e-4);
  EXPECT_EQ(traffic::confidence_95(std::vector<double>{7, 7, 7}).value(), 0);
  EXPECT_NEAR(traffic::confidence_95(std::vector<double>{0, 1}).value(), 12.7062 / 2, 1e-4);
  EXPECT_FALSE(traffic::confidence_95(std::vector<double>{7}).has_value());
  EXPECT_FALSE(traffic::confidence_95({}).has_value());
}

// What the interval promises: it holds the true mean in 95 of 100 cases.
TEST(BatchMeans, CoversTheMeanAsOftenAsItSays) {
  RandomStream random(1, 0, RandomPurpose::kTest);
  constexpr int kTrials = 20'000;
  int covered = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> batches;
    double sum = 0;
    for (int batch = 0; batch < 6; ++batch) {
      double normal = -6;  // The sum of twelve uniform draws.
      for (int i = 0; i < 12; ++i) normal += random.next_unit();
      batches.push_back(normal);
      sum += normal;
    }
    if (std::abs(sum / 6) <= traffic::confidence_95(batches).value()) ++covered;
  }
  EXPECT_NEAR(covered, 0.95 * kTrials, 0.006 * kTrials);
}

}  // namespace
}  // namespace fabrictwin
