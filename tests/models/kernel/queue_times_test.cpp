// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/queue_times.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "rapidcheck/gtest.h"

namespace fabrictwin {
namespace {

using kernel::QueueTimes;
using kernel::QueueTimesTable;

TEST(QueueTimes, EachLengthIsInItsBucket) {
  for (const int64_t bytes : {0, 1, 31, 32, 33, 63, 64, 1048, 999'999, 2'000'000'000}) {
    const size_t index = QueueTimes::index_of(bytes);
    EXPECT_GE(QueueTimes::greatest_of(index), bytes);
    EXPECT_LT(QueueTimes::greatest_of(index), bytes + std::max<int64_t>(bytes / 16, 1));
    if (index > 0) EXPECT_LT(QueueTimes::greatest_of(index - 1), bytes);
  }
  EXPECT_EQ(QueueTimes::index_of(int64_t{1} << 40), QueueTimes::kBuckets - 1);
}

TEST(QueueTimes, ATableBeginsEmpty) {
  QueueTimesTable table(3);
  table.of(1)[QueueTimes::kBuckets - 1] = 5;
  EXPECT_EQ(table.of(2)[0], 0);
  EXPECT_EQ(table.of(0)[QueueTimes::kBuckets - 1], 0);
}

// Beside a sorted list of what there was, femtosecond by femtosecond.
RC_GTEST_PROP(QueueTimes, PercentilesAreThoseOfAList, ()) {
  const auto stretches = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, 100'000), rc::gen::inRange(1, 20)));
  std::vector<int64_t> times(QueueTimes::kBuckets);
  std::vector<int64_t> all;
  for (const auto& [bytes, time] : stretches) {
    if (bytes != 0) times[QueueTimes::index_of(bytes)] += time;
    all.insert(all.end(), static_cast<size_t>(time), bytes);
  }
  RC_PRE(!all.empty());
  std::sort(all.begin(), all.end());
  for (const int percent : {50, 99}) {
    const size_t rank = std::max<size_t>((all.size() * static_cast<size_t>(percent) + 99) / 100, 1);
    const int64_t exact = all[rank - 1];
    const int64_t told = QueueTimes::percentile(times, static_cast<int64_t>(all.size()), percent * 100);
    RC_ASSERT(told >= exact);
    RC_ASSERT(told <= exact + exact / 16);
  }
}

}  // namespace
}  // namespace fabrictwin
