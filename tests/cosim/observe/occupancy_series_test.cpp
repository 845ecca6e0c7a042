// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/observe/occupancy_series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace fabrictwin {
namespace {

v1::OccupancyReport report_of(const observe::OccupancySeries& series) {
  v1::OccupancyReport report;
  series.report(report);
  return report;
}

TEST(OccupancySeries, OffItNeverSamples) {
  EXPECT_TRUE(observe::OccupancySeries(Time::zero(), 4, 100).next().is_never());
  EXPECT_TRUE(observe::OccupancySeries(Time::from_ns(1), 0, 100).next().is_never());
}

TEST(OccupancySeries, SamplesStandAtMultiplesOfTheInterval) {
  observe::OccupancySeries series(Time::from_us(1), 4, 100);
  EXPECT_EQ(series.next(), Time::from_us(1));
  series.add({8, 5}, Time::from_ns(1500));
  EXPECT_EQ(series.next(), Time::from_us(2));
  series.add({99, 99}, Time::from_ns(1999));  // Not yet.
  EXPECT_EQ(series.next(), Time::from_us(2));
  series.add({0, 0}, Time::from_us(3));  // Itself included.
  EXPECT_EQ(series.next(), Time::from_us(4));
  const v1::OccupancyReport report = report_of(series);
  EXPECT_EQ(report.interval_seconds(), 1e-6) << "to the last digit";
  EXPECT_EQ(report.routers(), 4);
  EXPECT_EQ(report.capacity_flits(), 100);
  ASSERT_EQ(report.intervals_size(), 3);
  EXPECT_EQ(report.intervals(0).samples(), 1u);
  EXPECT_EQ(report.intervals(0).mean_flits(), 2);
  EXPECT_EQ(report.intervals(0).max_flits(), 5);
  EXPECT_DOUBLE_EQ(report.intervals(1).begin_seconds(), 1e-6);
  EXPECT_DOUBLE_EQ(report.intervals(1).end_seconds(), 2e-6);
  EXPECT_EQ(report.intervals(2).mean_flits(), 0);
}

// 1000 samples, the k-th of k flits, do not fit: pairs become one, and again.
TEST(OccupancySeries, ALongRunHasWiderIntervals) {
  observe::OccupancySeries series(Time::from_us(1), 1, 2000);
  for (int64_t k = 1; k <= 1000; ++k) series.add({static_cast<uint64_t>(k), k}, Time::from_us(k));
  const v1::OccupancyReport report = report_of(series);
  ASSERT_EQ(report.intervals_size(), 250);
  for (int i = 0; i < 250; ++i) {
    EXPECT_EQ(report.intervals(i).samples(), 4u);
    EXPECT_DOUBLE_EQ(report.intervals(i).mean_flits(), 4 * i + 2.5);
    EXPECT_EQ(report.intervals(i).max_flits(), 4 * i + 4);
  }
}

// However a stretch of time is cut, it gives the same.
TEST(OccupancySeries, ALongStretchCountsAsManySamples) {
  observe::OccupancySeries once(Time::from_us(1), 1, 10);
  observe::OccupancySeries often(Time::from_us(1), 1, 10);
  once.add({3, 3}, Time::from_us(10));
  often.add({3, 3}, Time::from_us(10));
  once.add({7, 7}, Time::from_us(5000));
  for (int64_t k = 11; k <= 5000; ++k) often.add({7, 7}, Time::from_us(k));
  EXPECT_EQ(report_of(once).SerializeAsString(), report_of(often).SerializeAsString());
  EXPECT_EQ(report_of(once).intervals_size(), 157);  // 5000 samples, 32 in an interval.
  EXPECT_EQ(once.next(), Time::from_us(5001));
}

TEST(OccupancySeries, EndsWithTime) {
  observe::OccupancySeries series(Time::from_fs(1), 1, 10);
  series.add({1, 1}, Time::from_fs(Time::never().fs() - 1));
  EXPECT_TRUE(series.next().is_never());
  const v1::OccupancyReport report = report_of(series);
  EXPECT_LE(report.intervals_size(), 256);
  EXPECT_EQ(report.intervals(0).mean_flits(), 1);
}

// --- Several partitions ---

/// Adds samples of one router each to the series of a partition, and what is in it at the end.
v1::OccupancyPart part_of(const std::vector<int64_t>& samples, int64_t rest) {
  observe::OccupancySeries series(Time::from_us(1), 2, 100);
  series.keep_recent();
  for (size_t i = 0; i < samples.size(); ++i)
    series.add({static_cast<uint64_t>(samples[i]), samples[i]}, Time::from_us(static_cast<int64_t>(i) + 1));
  v1::OccupancyPart part;
  series.report_part({static_cast<uint64_t>(rest), rest}, part);
  return part;
}

// Partitions go on after the end, for different times, or have nothing more to do before it.
RC_GTEST_PROP(OccupancyParts, AreWhatOnePartitionHas, ()) {
  const auto flits = rc::gen::container<std::vector<int64_t>>(rc::gen::inRange<int64_t>(0, 4));
  std::vector<int64_t> a = *rc::gen::resize(700, flits);
  std::vector<int64_t> b = *rc::gen::resize(700, flits);
  const v1::OccupancyPart first = part_of(a, 1);
  const v1::OccupancyPart second = part_of(b, 2);
  const auto end = *rc::gen::inRange<size_t>(1, 1000);
  a.resize(std::max(a.size(), end), 1);
  b.resize(std::max(b.size(), end), 2);
  observe::OccupancySeries one(Time::from_us(1), 2, 100);
  for (size_t i = 0; i < end; ++i)
    one.add({static_cast<uint64_t>(a[i] + b[i]), std::max(a[i], b[i])}, Time::from_us(static_cast<int64_t>(i) + 1));
  v1::OccupancyReport report;
  RC_ASSERT(observe::OccupancySeries::report_parts(std::vector{&first, &second},
                                                   Time::from_us(static_cast<int64_t>(end)), report)
                .ok());
  RC_ASSERT(report.SerializeAsString() == report_of(one).SerializeAsString());
}

// Those that were merged before anybody knew where the run had ended cannot be taken apart.
TEST(OccupancyParts, SamplesAfterTheEndAreNotReported) {
  observe::OccupancySeries series(Time::from_fs(1), 2, 100);
  series.keep_recent();
  const auto most = static_cast<int64_t>(observe::OccupancySeries::kMostRecent);
  for (int64_t i = 1; i <= most + 5; ++i) series.add({static_cast<uint64_t>(i % 2), i % 2}, Time::from_fs(i));
  v1::OccupancyPart part;
  series.report_part({}, part);
  v1::OccupancyReport report;
  EXPECT_TRUE(
      observe::OccupancySeries::report_parts(std::vector<const v1::OccupancyPart*>{&part}, Time::from_fs(5), report)
          .ok());
  EXPECT_THAT(std::string(observe::OccupancySeries::report_parts(std::vector<const v1::OccupancyPart*>{&part},
                                                                 Time::from_fs(4), report)
                              .message()),
              ::testing::HasSubstr("changed too often after the end of the run"));
}

TEST(OccupancyParts, OfOtherSystemsAreRefused) {
  const v1::OccupancyPart part = part_of({1, 2, 3}, 0);
  const auto ok = [&](const v1::OccupancyPart& other) {
    v1::OccupancyReport report;
    return observe::OccupancySeries::report_parts(std::vector{&part, &other}, Time::from_us(3), report).ok();
  };
  EXPECT_TRUE(ok(part));
  v1::OccupancyPart other = part;
  other.set_interval_fs(0);
  EXPECT_FALSE(ok(other));
  other.set_interval_fs(part.interval_fs() / 2);
  EXPECT_FALSE(ok(other));
  other = part;
  other.set_stride(0);
  EXPECT_FALSE(ok(other));
  other.set_stride(~uint64_t{0});
  EXPECT_FALSE(ok(other));
  other = part;
  other.mutable_recent(0)->set_samples(0);
  EXPECT_FALSE(ok(other));
  other = part;
  other.add_older()->set_samples(2);
  EXPECT_FALSE(ok(other)) << "more than the stride";
}

}  // namespace
}  // namespace fabrictwin
