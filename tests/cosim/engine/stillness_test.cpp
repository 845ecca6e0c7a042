// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/engine/stillness.h"

#include <gtest/gtest.h>

namespace fabrictwin::engine {
namespace {

using std::chrono::milliseconds;

class StillnessTest : public ::testing::Test {
 protected:
  milliseconds look(uint64_t activity, milliseconds later) {
    now_ += later;
    return std::chrono::duration_cast<milliseconds>(stillness_.look(activity, now_));
  }

  Stillness::TimePoint now_;
  Stillness stillness_{now_};
};

TEST_F(StillnessTest, AddsUpWhileNothingMoves) {
  EXPECT_EQ(look(1, milliseconds(20)), milliseconds(0));
  EXPECT_EQ(look(1, milliseconds(20)), milliseconds(20));
  EXPECT_EQ(look(1, milliseconds(500)), milliseconds(520));
}

TEST_F(StillnessTest, BeginsAnewWhenSomethingHasMoved) {
  look(1, milliseconds(20));
  look(1, milliseconds(900));
  EXPECT_EQ(look(2, milliseconds(20)), milliseconds(0));
  EXPECT_EQ(look(2, milliseconds(30)), milliseconds(30));
}

TEST_F(StillnessTest, DoesNotCountTimeInWhichTheProcessWasStopped) {
  look(1, milliseconds(20));
  EXPECT_EQ(look(1, milliseconds(3'600'000)), Stillness::kMostBetween);
  EXPECT_EQ(look(1, milliseconds(20)), Stillness::kMostBetween + milliseconds(20));
}

}  // namespace
}  // namespace fabrictwin::engine
