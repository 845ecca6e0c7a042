// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/observe/link_series.h"

#include <gtest/gtest.h>

#include <vector>

#include "cosim/link/record.h"

namespace fabrictwin {
namespace {

/// A word a nanosecond.
constexpr int64_t kRate = int64_t{link::kWordBits} * 1'000'000'000;

v1::LinkSeriesReport report_of(const observe::LinkSeries& series, Time end,
                               const std::vector<link::LinkCounters>& counters) {
  v1::LinkSeriesReport report;
  series.report(end, counters, report);
  return report;
}

TEST(LinkSeries, OffItNeverSamples) {
  EXPECT_TRUE(observe::LinkSeries().next().is_never());
  EXPECT_TRUE(observe::LinkSeries(Time::zero(), {kRate}).next().is_never());
  EXPECT_TRUE(observe::LinkSeries(Time::from_ns(1), {}).next().is_never());
  EXPECT_EQ(report_of(observe::LinkSeries(), Time::from_us(1), {}).intervals_size(), 0);
}

TEST(LinkSeries, TellsWhatEachLinkSentInEachInterval) {
  std::vector<link::LinkCounters> counters(2);
  observe::LinkSeries series(Time::from_ns(100), {kRate, 2 * kRate});
  counters[0].words.add(50);
  counters[1].words.add(20);
  EXPECT_EQ(series.next(), Time::from_ns(100));
  series.sample(counters);
  EXPECT_EQ(series.next(), Time::from_ns(200));
  series.sample(counters);
  counters[1].words.add(50);
  const v1::LinkSeriesReport report = report_of(series, Time::from_ns(250), counters);
  EXPECT_DOUBLE_EQ(report.interval_seconds(), 1e-7);
  ASSERT_EQ(report.intervals_size(), 3);
  EXPECT_EQ(report.intervals(0).permille(0), 500u);
  EXPECT_EQ(report.intervals(0).permille(1), 100u);
  EXPECT_DOUBLE_EQ(report.intervals(0).mean_utilization(), 0.3);
  EXPECT_DOUBLE_EQ(report.intervals(0).max_utilization(), 0.5);
  EXPECT_EQ(report.intervals(1).permille(0) + report.intervals(1).permille(1), 0u);
  // The last one is shorter.
  EXPECT_DOUBLE_EQ(report.intervals(2).end_seconds(), 2.5e-7);
  EXPECT_EQ(report.intervals(2).permille(1), 500u);
}

TEST(LinkSeries, AnIntervalBeyondTheEndIsShownUntilThere) {
  std::vector<link::LinkCounters> counters(1);
  observe::LinkSeries series(Time::from_ns(100), {kRate});
  counters[0].words.add(10);
  series.sample(counters);
  const v1::LinkSeriesReport report = report_of(series, Time::from_ns(20), counters);
  ASSERT_EQ(report.intervals_size(), 1);
  EXPECT_DOUBLE_EQ(report.intervals(0).end_seconds(), 2e-8);
  EXPECT_EQ(report.intervals(0).permille(0), 100u);
}

TEST(LinkSeries, ALongRunHasWiderIntervals) {
  std::vector<link::LinkCounters> counters(1);
  observe::LinkSeries series(Time::from_ns(100), {kRate});
  // A tenth of the rate.
  for (Time at = Time::zero(); at < Time::from_us(1000);) {
    counters[0].words.set(static_cast<uint64_t>(series.next().fs() / 10'000'000));
    at = series.next();
    series.sample(counters);
  }
  const v1::LinkSeriesReport report = report_of(series, Time::from_us(1000), counters);
  EXPECT_LE(report.intervals_size(), static_cast<int>(observe::LinkSeries::kMostIntervals));
  EXPECT_GE(report.intervals_size(), static_cast<int>(observe::LinkSeries::kMostIntervals) / 2 - 1);
  for (const v1::LinkInterval& interval : report.intervals()) {
    EXPECT_EQ(interval.permille(0), 100u);
    EXPECT_NEAR(interval.mean_utilization(), 0.1, 1e-9);
  }
}

TEST(LinkSeries, OfManyLinksOnlyTheMeanAndTheMostAreKept) {
  const size_t links = observe::LinkSeries::kMostLinks + 1;
  std::vector<link::LinkCounters> counters(links);
  observe::LinkSeries series(Time::from_ns(100), std::vector<int64_t>(links, kRate));
  counters[7].words.add(80);
  for (int i = 0; i < 64; ++i) series.sample(counters);
  const v1::LinkSeriesReport report = report_of(series, series.next(), counters);
  ASSERT_EQ(report.intervals_size(), 33);
  EXPECT_EQ(report.intervals(0).permille_size(), 0);
  EXPECT_DOUBLE_EQ(report.intervals(0).max_utilization(), 0.8) << "in the sample that had most";
  EXPECT_NEAR(report.intervals(0).mean_utilization(), 0.4 / static_cast<double>(links), 1e-12);
}

TEST(LinkSeries, KeepsABoundedNumberOfValues) {
  const size_t links = observe::LinkSeries::kMostLinks;
  const std::vector<link::LinkCounters> counters(links);
  observe::LinkSeries series(Time::from_ns(1), std::vector<int64_t>(links, kRate));
  for (int i = 0; i < 1000; ++i) {
    series.sample(counters);
    ASSERT_LE(static_cast<size_t>(report_of(series, series.next(), counters).intervals_size()) * links,
              observe::LinkSeries::kMostValues + 2 * links);
    if (series.next() > Time::from_us(1)) break;
  }
}

}  // namespace
}  // namespace fabrictwin
