// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/observe/occupancy_series.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace fabrictwin
