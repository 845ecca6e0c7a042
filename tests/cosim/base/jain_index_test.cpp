// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/jain_index.h"

#include <gtest/gtest.h>

#include <vector>

namespace fabrictwin {
namespace {

TEST(JainIndex, IsOneIfAllHaveTheSameAndTheShareOfOneIfHeHasAll) {
  EXPECT_DOUBLE_EQ(*jain_index(std::vector<uint64_t>{5, 5, 5, 5}), 1);
  EXPECT_DOUBLE_EQ(*jain_index(std::vector<uint64_t>{0, 7, 0, 0}), 0.25);
  EXPECT_DOUBLE_EQ(*jain_index(std::vector<uint64_t>{1, 2, 3}), 36.0 / (3 * 14));
}

TEST(JainIndex, IsNeverAboveOne) {
  for (const double share : {0.1, 0.3, 0.7, 1.3}) {
    for (size_t count = 1; count <= 16; ++count) {
      const double index = *jain_index(std::vector<double>(count, share));
      EXPECT_LE(index, 1) << count << " of " << share;
      EXPECT_NEAR(index, 1, 1e-12);
    }
  }
}

TEST(JainIndex, NothingIsNotDivided) {
  EXPECT_FALSE(jain_index(std::vector<uint64_t>{}).has_value());
  EXPECT_FALSE(jain_index(std::vector<uint64_t>{0, 0}).has_value());
}

}  // namespace
}  // namespace fabrictwin
