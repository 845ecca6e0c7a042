// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/latency_histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "rapidcheck/gtest.h"

namespace fabrictwin {
namespace {

constexpr int64_t kGreatest = std::numeric_limits<int64_t>::max();

LatencyHistogram of(const std::vector<int64_t>& values) {
  LatencyHistogram histogram;
  for (const int64_t value : values) histogram.add(value);
  return histogram;
}

/// Values of all magnitudes.
rc::Gen<std::vector<int64_t>> latencies() {
  return rc::gen::container<std::vector<int64_t>>(rc::gen::map(
      rc::gen::pair(rc::gen::inRange(0, 63), rc::gen::arbitrary<uint64_t>()),
      [](const std::pair<int, uint64_t>& drawn) { return static_cast<int64_t>(drawn.second >> (drawn.first + 1)); }));
}

TEST(LatencyHistogram, IsZeroWhileEmpty) {
  const LatencyHistogram histogram;
  EXPECT_EQ(histogram.count(), 0u);
  EXPECT_EQ(histogram.min(), 0);
  EXPECT_EQ(histogram.max(), 0);
  EXPECT_EQ(histogram.mean(), 0);
  EXPECT_EQ(histogram.percentile(5000), 0);
  EXPECT_TRUE(histogram.buckets().empty());
}

TEST(LatencyHistogram, SmallValuesAreExact) {
  LatencyHistogram histogram;
  for (int64_t value = 1; value <= 200; ++value) histogram.add(value);
  EXPECT_EQ(histogram.percentile(0), 1);
  EXPECT_EQ(histogram.percentile(50), 1);
  EXPECT_EQ(histogram.percentile(51), 2);
  EXPECT_EQ(histogram.percentile(5000), 100);
  EXPECT_EQ(histogram.percentile(9900), 198);
  EXPECT_EQ(histogram.percentile(10'000), 200);
  EXPECT_EQ(histogram.buckets().size(), 200u);
  EXPECT_EQ(histogram.mean(), 100.5);
}

// 0.9999 * 10000 is a little more than 9999 for doubles.
TEST(LatencyHistogram, RanksAreCountedInIntegers) {
  LatencyHistogram histogram;
  for (int i = 0; i < 9999; ++i) histogram.add(1);
  histogram.add(1000);
  EXPECT_EQ(histogram.percentile(9999), 1);
  EXPECT_EQ(histogram.percentile(10'000), 1000);
}

TEST(LatencyHistogram, HoldsTheGreatestValueAndNothingBelowZero) {
  const LatencyHistogram histogram = of({kGreatest, -5});
  EXPECT_EQ(histogram.max(), kGreatest);
  EXPECT_EQ(histogram.min(), 0);
  EXPECT_EQ(histogram.percentile(10'000), kGreatest);
  ASSERT_EQ(histogram.buckets().size(), 2u);
  EXPECT_EQ(histogram.buckets()[1].greatest, kGreatest);
}

TEST(LatencyHistogram, BucketsAreSideBySide) {
  LatencyHistogram histogram;
  for (int64_t value = 0; value < 5000; ++value) histogram.add(value);
  int64_t next = 0;
  for (const LatencyHistogram::Bucket& bucket : histogram.buckets()) {
    EXPECT_EQ(bucket.least, next);
    if (bucket.greatest < 5000) {
      EXPECT_EQ(bucket.count, static_cast<uint64_t>(bucket.greatest - bucket.least + 1));
    }
    next = bucket.greatest + 1;
  }
}

RC_GTEST_PROP(LatencyHistogram, PercentilesAreThoseOfSortedValuesWithinTheError, ()) {
  std::vector<int64_t> values = *latencies();
  RC_PRE(!values.empty());
  const LatencyHistogram histogram = of(values);
  std::sort(values.begin(), values.end());
  const auto share = *rc::gen::inRange(0, 10'001);
  const size_t rank = std::max<size_t>(1, (static_cast<size_t>(share) * values.size() + 9'999) / 10'000);
  const int64_t exact = values[rank - 1];
  const int64_t told = histogram.percentile(share);
  RC_ASSERT(told >= exact);
  RC_ASSERT(told - exact <= exact / LatencyHistogram::kSteps);
  if (exact < LatencyHistogram::kExact) RC_ASSERT(told == exact);
  RC_ASSERT(histogram.min() == values.front());
  RC_ASSERT(histogram.max() == values.back());
  unsigned __int128 sum = 0;
  for (const int64_t value : values) sum += static_cast<uint64_t>(value);
  RC_ASSERT(histogram.sum() == sum);
  uint64_t counted = 0;
  for (const LatencyHistogram::Bucket& bucket : histogram.buckets()) {
    const auto in = [&](int64_t value) { return value >= bucket.least && value <= bucket.greatest; };
    RC_ASSERT(bucket.count == static_cast<uint64_t>(std::count_if(values.begin(), values.end(), in)));
    counted += bucket.count;
  }
  RC_ASSERT(counted == values.size());
}

RC_GTEST_PROP(LatencyHistogram, TheOrderOfMergesDoesNotMatter, ()) {
  const std::vector<int64_t> a = *latencies();
  const std::vector<int64_t> b = *latencies();
  std::vector<int64_t> all = b;
  all.insert(all.end(), a.begin(), a.end());
  LatencyHistogram ab = of(a);
  ab.merge(of(b));
  LatencyHistogram ba = of(b);
  ba.merge(of(a));
  RC_ASSERT(ab == ba);
  RC_ASSERT(ab == of(all));
  ab.clear();
  RC_ASSERT(ab == LatencyHistogram());
}

}  // namespace
}  // namespace fabrictwin
