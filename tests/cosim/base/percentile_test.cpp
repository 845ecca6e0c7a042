// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/percentile.h"

#include <gtest/gtest.h>

#include <vector>

namespace fabrictwin {
namespace {

TEST(Percentile, IsOfTheNearestRank) {
  const std::vector<double> values{1, 2, 3, 4};
  EXPECT_EQ(percentile(values, 0), 1);
  EXPECT_EQ(percentile(values, 0.25), 1);
  EXPECT_EQ(percentile(values, 0.26), 2);
  EXPECT_EQ(percentile(values, 0.5), 2);
  EXPECT_EQ(percentile(values, 0.99), 4);
  EXPECT_EQ(percentile(values, 1), 4);
  EXPECT_EQ(percentile(std::vector<double>{7}, 0.5), 7);
}

}  // namespace
}  // namespace fabrictwin
