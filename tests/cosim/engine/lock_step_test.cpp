// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/engine/lock_step.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "fmt/format.h"

namespace fabrictwin {
namespace {

// Each thread reads what all have written in the step before, without any other protection.
TEST(LockStepTest, StepsSeeAllOfTheStepBefore) {
  for (const int threads : {1, 2, 3, 8}) {
    const auto count = static_cast<size_t>(threads);
    std::vector<uint64_t> values[2] = {std::vector<uint64_t>(count, 1), std::vector<uint64_t>(count, 1)};
    int step = 0;
    int last = 0;
    engine::LockStep team(
        threads,
        [&](int index) {
          uint64_t sum = 0;
          for (const uint64_t value : values[step % 2]) sum += value;
          values[(step + 1) % 2][static_cast<size_t>(index)] = sum % 1000003;
        },
        [&] { return ++step <= last; });
    uint64_t expected = 1;
    for (const int steps : {0, 1, 50, 0, 2, 10}) {
      // The decision that ends a run has counted, but was no step.
      step = 0;
      last = steps;
      values[1] = values[0] = std::vector<uint64_t>(count, expected);
      team.run();
      for (int i = 0; i < steps; ++i) expected = expected * count % 1000003;
      for (size_t i = 0; i < count && steps > 0; ++i) EXPECT_EQ(values[(steps + 1) % 2][i], expected);
      EXPECT_EQ(step, steps + 1);
    }
  }
}

// Whichever thread throws, the others are not left behind, and nothing runs any more.
TEST(LockStepTest, AnExceptionEndsTheRun) {
  for (const int threads : {1, 2, 3}) {
    for (int thrower = 0; thrower < threads; ++thrower) {
      int step = 0;
      engine::LockStep team(
          threads,
          [&](int index) {
            if (step == 3 && index >= thrower) throw std::runtime_error(fmt::format("no more from {}", index));
          },
          [&] { return ++step < 10; });
      for (int run = 0; run < 2; ++run) {
        const auto& failure = team.run();
        ASSERT_TRUE(failure.has_value());
        EXPECT_EQ(failure->thread, thrower);
        EXPECT_EQ(failure->what, fmt::format("no more from {}", thrower));
        EXPECT_EQ(step, 3);
      }
    }
  }
}

TEST(LockStepTest, ADecisionMayThrowToo) {
  int step = 0;
  engine::LockStep team(
      3, [](int) {},
      [&]() -> bool {
        if (++step == 2) throw 2;
        return true;
      });
  const auto& failure = team.run();
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->what, "an exception that is no std::exception");
}

TEST(LockStepTest, EndsWithoutARun) {
  int worked = 0;
  {
    const engine::LockStep never(
        4, [&](int) { ++worked; }, [] { return false; });
    engine::LockStep idle(
        4, [&](int) { ++worked; }, [] { return false; });
    idle.run();
  }
  EXPECT_EQ(worked, 0);
}

}  // namespace
}  // namespace fabrictwin
