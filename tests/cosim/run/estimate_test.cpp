// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/estimate.h"

#include <gtest/gtest.h>

namespace fabrictwin {
namespace {

TEST(EstimateTest, GoesOnAsTheSecondHalfWent) {
  // The first half was slow: 1 % in a second. The second one did 9 % in another.
  EXPECT_DOUBLE_EQ(run::extrapolate(1, 0.01, 2, 0.10), 2 + 0.9 / 0.09);
}

TEST(EstimateTest, TakesTheMeanIfTheSecondHalfDidNothing) {
  EXPECT_DOUBLE_EQ(run::extrapolate(1, 0.1, 2, 0.1), 20);
  EXPECT_DOUBLE_EQ(run::extrapolate(0, -1, 2, 0.1), 20) << "without a first half";
}

TEST(EstimateTest, NothingIsLeftOfWhatIsDone) { EXPECT_DOUBLE_EQ(run::extrapolate(1, 0.5, 2, 1), 2); }

}  // namespace
}  // namespace fabrictwin
