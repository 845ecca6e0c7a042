// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Change points in synthetic series whose truth is known. The noise is like that of wall-clock times on a shared
// machine: a spread of 1.5 %, and 5 % of all values up to 15 % too large.
#include "dashboards/statistics/change_points.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cosim/base/random.h"

namespace fabrictwin::dashboards::statistics {
namespace {

/// `calm` values of a level, then `shifted` ones of another.
std::vector<double> noisy_series(uint64_t seed, size_t calm, size_t shifted, double shift) {
  RandomStream random(seed, 0, RandomPurpose::kTest);
  std::vector<double> values;
  for (size_t i = 0; i < calm + shifted; ++i) {
    double normal = -6;
    for (int k = 0; k < 12; ++k) normal += random.next_unit();
    double value = 80 * (1 + 0.015 * normal);
    if (random.next_unit() < 0.05) value *= 1 + 0.15 * random.next_unit();
    values.push_back(i < calm ? value : value * (1 + shift));
  }
  return values;
}

struct Tally {
  int series = 0;
  int alarms = 0;  ///< Series with a change point where nothing changes.
  int found = 0;   ///< Series whose change was found within two values.
};

Tally try_series(int series, size_t calm, size_t shifted, double shift) {
  Tally tally;
  ChangePointOptions options;
  options.least_change = 0.005;
  for (int i = 0; i < series; ++i) {
    const std::vector<double> values = noisy_series(static_cast<uint64_t>(i) + 1, calm, shifted, shift);
    bool found = false;
    bool alarm = false;
    for (const ChangePoint& point : change_points(values, options)) {
      const bool here = shifted > 0 && point.index + 2 >= calm && point.index <= calm + 2;
      found = found || here;
      alarm = alarm || !here;
    }
    ++tally.series;
    tally.found += found ? 1 : 0;
    tally.alarms += alarm ? 1 : 0;
  }
  return tally;
}

TEST(ChangePoints, OfAClearStep) {
  std::vector<double> values(20, 10.0);
  values.resize(40, 12.0);
  const std::vector<ChangePoint> points = change_points(values);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].index, 20u);
  EXPECT_EQ(points[0].before, 10);
  EXPECT_EQ(points[0].after, 12);
  EXPECT_NEAR(points[0].change(), 0.2, 1e-12);
  EXPECT_LE(points[0].probability, 0.005);
}

TEST(ChangePoints, SeveralOfThem) {
  std::vector<double> values = noisy_series(3, 30, 0, 0);
  for (size_t i = 10; i < 20; ++i) values[i] *= 1.4;
  const std::vector<ChangePoint> points = change_points(values);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].index, 10u);
  EXPECT_EQ(points[1].index, 20u);
}

TEST(ChangePoints, NoneWhereThereAreFewValuesOrAllAreEqual) {
  EXPECT_TRUE(change_points({}).empty());
  EXPECT_TRUE(change_points(std::vector<double>{1, 2, 3, 4, 5}).empty());
  EXPECT_TRUE(change_points(std::vector<double>(50, 7.0)).empty());
}

TEST(ChangePoints, SmallOnesAreNone) {
  std::vector<double> values(20, 100.0);
  values.resize(40, 100.5);
  ChangePointOptions options;
  EXPECT_EQ(change_points(values, options).size(), 1u);
  options.least_change = 0.01;
  EXPECT_TRUE(change_points(values, options).empty());
}

TEST(ChangePoints, TheSeedDecides) {
  const std::vector<double> values = noisy_series(5, 40, 10, 0.04);
  const std::vector<ChangePoint> once = change_points(values);
  const std::vector<ChangePoint> again = change_points(values);
  ASSERT_EQ(once.size(), again.size());
  for (size_t i = 0; i < once.size(); ++i) EXPECT_EQ(once[i].probability, again[i].probability);
}

TEST(ChangePointSeries, FalseAlarmsAreRare) {
  const Tally tally = try_series(400, 60, 0, 0);
  RecordProperty("alarms", std::to_string(tally.alarms));
  EXPECT_LE(tally.alarms, tally.series / 100) << tally.alarms;
}

TEST(ChangePointSeries, ShiftsOfFivePercentAreFoundWithinTenRuns) {
  const Tally tally = try_series(200, 50, 10, 0.05);
  EXPECT_GE(tally.found, tally.series * 95 / 100) << tally.found;
}

TEST(ChangePointSeries, ShiftsOfTenPercentAreFoundWithinFiveRuns) {
  const Tally tally = try_series(200, 50, 5, 0.1);
  EXPECT_GE(tally.found, tally.series * 95 / 100) << tally.found;
}

/// The table of docs/history.md.
TEST(ChangePointSeries, LargerShiftsAreFoundMoreOften) {
  int before = 0;
  for (const int percent : {1, 2, 3, 5, 10}) {
    const Tally tally = try_series(200, 50, 10, percent / 100.0);
    RecordProperty("found_" + std::to_string(percent), std::to_string(tally.found));
    EXPECT_GE(tally.found, before);
    before = tally.found;
  }
}

TEST(ChangePointSeries, LessThanTheNoiseIsSeldomFound) {
  const Tally tally = try_series(200, 50, 10, 0.005);
  EXPECT_LE(tally.found, tally.series / 10) << tally.found;
}

}  // namespace
}  // namespace fabrictwin::dashboards::statistics
