// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/timing_wheel.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "rapidcheck/gtest.h"

namespace fabrictwin {
namespace {

// Any mix of near and far entries comes out as from a sorted multimap.
RC_GTEST_PROP(TimingWheel, IsASortedQueue, ()) {
  kernel::TimingWheel wheel;
  std::multimap<int64_t, int32_t> model;
  int64_t now = 0;
  const int operations = *rc::gen::inRange(1, 200);
  for (int i = 0; i < operations; ++i) {
    if (*rc::gen::inRange(0, 3) > 0) {
      const int64_t distance = *rc::gen::oneOf(rc::gen::inRange<int64_t>(0, 100), rc::gen::inRange<int64_t>(4000, 4200),
                                               rc::gen::inRange<int64_t>(0, 1'000'000));
      wheel.add(now + distance, i);
      model.emplace(now + distance, i);
    }
    RC_ASSERT(wheel.next_cycle() == (model.empty() ? kernel::TimingWheel::kNever : model.begin()->first));
    if (*rc::gen::arbitrary<bool>() && !model.empty()) {
      now = model.begin()->first;
      std::multiset<int32_t> expected;
      for (auto it = model.begin(); it != model.upper_bound(now); ++it) expected.insert(it->second);
      model.erase(model.begin(), model.upper_bound(now));
      const std::vector<int32_t>& taken = wheel.take();
      RC_ASSERT(std::multiset<int32_t>(taken.begin(), taken.end()) == expected);
      ++now;
    }
  }
}

TEST(TimingWheel, CrossesManyEmptyTurns) {
  kernel::TimingWheel wheel;
  wheel.add(1'000'000'000'000, 7);
  EXPECT_EQ(wheel.next_cycle(), 1'000'000'000'000);
  EXPECT_EQ(wheel.take(), std::vector<int32_t>{7});
  EXPECT_EQ(wheel.next_cycle(), kernel::TimingWheel::kNever);
  wheel.add(1'000'000'000'001, 8);
  EXPECT_EQ(wheel.next_cycle(), 1'000'000'000'001);
}

}  // namespace
}  // namespace fabrictwin
