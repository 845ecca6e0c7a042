// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/observe/link_series.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "cosim/link/record.h"

namespace fabrictwin {
namespace {

using observe::LinkSeries;
using Counters = std::vector<link::LinkCounters>;
using Parts = google::protobuf::RepeatedPtrField<v1::LinkSeriesPart>;

/// A word a nanosecond.
constexpr int64_t kRate = int64_t{link::kWordBits} * 1'000'000'000;

/// A series of all directions of a system.
LinkSeries series_of(Time interval, const std::vector<int64_t>& rates) {
  std::vector<int32_t> channels(rates.size());
  std::iota(channels.begin(), channels.end(), 0);
  return LinkSeries(interval, rates, channels);
}

v1::LinkSeriesReport report_of(const LinkSeries& series, const std::vector<int64_t>& rates, Time end,
                               const Counters& counters) {
  Parts parts;
  series.report(counters, *parts.Add());
  return observe::merge_link_series(parts, rates, end);
}

TEST(LinkSeries, OffItNeverSamples) {
  const std::vector<int64_t> rates = {kRate};
  EXPECT_TRUE(LinkSeries().next().is_never());
  EXPECT_TRUE(series_of(Time::zero(), rates).next().is_never());
  EXPECT_TRUE(LinkSeries(Time::from_ns(1), rates, {}).next().is_never());
  EXPECT_EQ(report_of(LinkSeries(), rates, Time::from_us(1), Counters(1)).intervals_size(), 0);
}

TEST(LinkSeries, TellsWhatEachLinkSentInEachInterval) {
  Counters counters(2);
  const std::vector<int64_t> rates = {kRate, 2 * kRate};
  LinkSeries series = series_of(Time::from_ns(100), rates);
  counters[0].words.add(50);
  counters[1].words.add(20);
  EXPECT_EQ(series.next(), Time::from_ns(100));
  series.sample(counters);
  EXPECT_EQ(series.next(), Time::from_ns(200));
  series.sample(counters);
  counters[1].words.add(50);
  const v1::LinkSeriesReport report = report_of(series, rates, Time::from_ns(250), counters);
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
  EXPECT_DOUBLE_EQ(report.intervals(2).max_utilization(), 0.5);
  EXPECT_EQ(report.unknown_size(), 0);
}

// Threads decide whether the last interval has been sampled when the run ends.
TEST(LinkSeries, TheLastIntervalIsTheSameWhetherSampledOrNot) {
  for (uint64_t words = 1; words < 60; ++words) {
    Counters counters(1);
    LinkSeries series = series_of(Time::from_ns(100), {kRate});
    counters[0].words.add(words);
    const Time end = Time::from_ns(60 + static_cast<int64_t>(words) % 40);
    const v1::LinkSeriesReport before = report_of(series, {kRate}, end, counters);
    series.sample(counters);
    const v1::LinkSeriesReport after = report_of(series, {kRate}, end, counters);
    ASSERT_EQ(before.intervals_size(), 1);
    ASSERT_EQ(after.intervals_size(), 1);
    EXPECT_EQ(before.intervals(0).max_utilization(), after.intervals(0).max_utilization()) << words;
  }
}

TEST(LinkSeries, AnIntervalBeyondTheEndIsShownUntilThere) {
  Counters counters(1);
  LinkSeries series = series_of(Time::from_ns(100), {kRate});
  counters[0].words.add(10);
  series.sample(counters);
  const v1::LinkSeriesReport report = report_of(series, {kRate}, Time::from_ns(20), counters);
  ASSERT_EQ(report.intervals_size(), 1);
  EXPECT_DOUBLE_EQ(report.intervals(0).end_seconds(), 2e-8);
  EXPECT_EQ(report.intervals(0).permille(0), 500u);
  EXPECT_DOUBLE_EQ(report.intervals(0).max_utilization(), 0.5);
}

TEST(LinkSeries, ALongRunHasWiderIntervals) {
  Counters counters(1);
  LinkSeries series = series_of(Time::from_ns(100), {kRate});
  // A tenth of the rate.
  for (Time at = Time::zero(); at < Time::from_us(1000);) {
    counters[0].words.set(static_cast<uint64_t>(series.next().fs() / 10'000'000));
    at = series.next();
    series.sample(counters);
  }
  const v1::LinkSeriesReport report = report_of(series, {kRate}, Time::from_us(1000), counters);
  EXPECT_LE(report.intervals_size(), static_cast<int>(LinkSeries::kMostIntervals));
  EXPECT_GE(report.intervals_size(), static_cast<int>(LinkSeries::kMostIntervals) / 2 - 1);
  // Samples were taken beyond the end of the last interval.
  for (int i = 0; i + 1 < report.intervals_size(); ++i) {
    EXPECT_EQ(report.intervals(i).permille(0), 100u);
    EXPECT_NEAR(report.intervals(i).mean_utilization(), 0.1, 1e-9);
  }
}

TEST(LinkSeries, OfManyLinksOnlyTheMeanAndTheMostAreKept) {
  const size_t links = LinkSeries::kMostLinks + 1;
  const std::vector<int64_t> rates(links, kRate);
  Counters counters(links);
  LinkSeries series = series_of(Time::from_ns(100), rates);
  counters[7].words.add(80);
  for (int i = 0; i < 64; ++i) series.sample(counters);
  const v1::LinkSeriesReport report = report_of(series, rates, series.next(), counters);
  ASSERT_EQ(report.intervals_size(), 33);
  EXPECT_EQ(report.intervals(0).permille_size(), 0);
  EXPECT_DOUBLE_EQ(report.intervals(0).max_utilization(), 0.8) << "in the sample that had most";
  EXPECT_NEAR(report.intervals(0).mean_utilization(), 0.4 / static_cast<double>(links), 1e-12);
}

TEST(LinkSeries, KeepsABoundedNumberOfValues) {
  const size_t links = LinkSeries::kMostLinks;
  const std::vector<int64_t> rates(links, kRate);
  const Counters counters(links);
  LinkSeries series = series_of(Time::from_ns(1), rates);
  for (int i = 0; i < 1000; ++i) {
    series.sample(counters);
    ASSERT_LE(static_cast<size_t>(report_of(series, rates, series.next(), counters).intervals_size()) * links,
              LinkSeries::kMostValues + 2 * links);
    if (series.next() > Time::from_us(1)) break;
  }
}

/// Words by channel at a time: something that differs for all of them.
uint64_t sent_at(int32_t channel, Time at) {
  return static_cast<uint64_t>(at.fs() / 1'000'000 * (channel + 1) / 7 + (at.fs() / 37'000'000) * channel);
}

TEST(LinkSeries, PartsOfPartitionsAddUpToTheWhole) {
  const std::vector<int64_t> rates = {kRate, 2 * kRate, 3 * kRate, kRate};
  const Time end = Time::from_ns(20'030);
  Counters counters(4);
  const auto count = [&](Time at) {
    for (int32_t channel = 0; channel < 4; ++channel)
      counters[static_cast<size_t>(channel)].words.set(sent_at(channel, at));
  };
  LinkSeries whole = series_of(Time::from_ns(100), rates);
  // The first partition stops before the others, and has finer intervals then.
  LinkSeries first(Time::from_ns(100), rates, {2, 0});
  LinkSeries second(Time::from_ns(100), rates, {3});
  const Time early = Time::from_ns(5'950);
  Parts parts;
  parts.Reserve(2);
  while (whole.next() <= end) {
    count(whole.next());
    if (second.next() == whole.next()) second.sample(counters);
    whole.sample(counters);
  }
  count(end);
  second.report(counters, *parts.Add());
  v1::LinkSeriesReport of_whole = report_of(whole, rates, end, counters);
  while (first.next() <= early) {
    count(first.next());
    first.sample(counters);
  }
  count(early);
  first.report(counters, *parts.Add());
  const v1::LinkSeriesReport merged = observe::merge_link_series(parts, rates, end);
  ASSERT_EQ(merged.intervals_size(), of_whole.intervals_size());
  EXPECT_EQ(merged.interval_seconds(), of_whole.interval_seconds());
  ASSERT_EQ(merged.unknown_size(), 1);
  EXPECT_EQ(merged.unknown(0), 1u);
  for (int i = 0; i < merged.intervals_size(); ++i) {
    const double begin = i == 0 ? 0 : merged.intervals(i - 1).end_seconds();
    EXPECT_EQ(merged.intervals(i).permille(1), 0u);
    EXPECT_EQ(merged.intervals(i).permille(3), of_whole.intervals(i).permille(3)) << i;
    if (merged.intervals(i).end_seconds() < early.seconds()) {
      EXPECT_EQ(merged.intervals(i).permille(0), of_whole.intervals(i).permille(0)) << i;
      EXPECT_EQ(merged.intervals(i).permille(2), of_whole.intervals(i).permille(2)) << i;
      EXPECT_GT(merged.intervals(i).permille(2), 0u) << i;
    }
    if (begin > early.seconds()) {
      EXPECT_EQ(merged.intervals(i).permille(0), 0u) << i;
    }
  }
}

TEST(LinkSeries, PartsWithFineIntervalsBecomeFew) {
  const std::vector<int64_t> rates = {kRate};
  Counters counters(1);
  LinkSeries series = series_of(Time::from_fs(1), rates);
  counters[0].words.add(250);
  series.sample(counters);
  const v1::LinkSeriesReport report = report_of(series, rates, Time::from_us(1), counters);
  EXPECT_LE(report.intervals_size(), static_cast<int>(LinkSeries::kMostIntervals) + 2);
  ASSERT_GT(report.intervals_size(), 30);
  EXPECT_EQ(report.intervals(0).permille(0), 1000u);
  EXPECT_EQ(report.intervals(1).permille(0), 0u);
}

TEST(LinkSeries, PartsThatDoNotFitAreLeftOut) {
  const std::vector<int64_t> rates = {kRate, kRate};
  Counters counters(2);
  counters[1].words.add(30);
  LinkSeries good(Time::from_ns(100), rates, {1});
  Parts parts;
  good.report(counters, *parts.Add());
  good.report(counters, *parts.Add());
  parts.Mutable(1)->set_channels(0, 2);
  good.report(counters, *parts.Add());
  parts.Mutable(2)->set_interval_fs(33);
  good.report(counters, *parts.Add());
  parts.Mutable(3)->mutable_rest()->add_words(7);
  const v1::LinkSeriesReport report = observe::merge_link_series(parts, rates, Time::from_ns(100));
  ASSERT_EQ(report.intervals_size(), 1);
  EXPECT_EQ(report.intervals(0).permille(1), 300u);
  ASSERT_EQ(report.unknown_size(), 1);
  EXPECT_EQ(report.unknown(0), 0u);
  parts.DeleteSubrange(0, 1);
  EXPECT_EQ(observe::merge_link_series(parts, rates, Time::from_ns(100)).intervals_size(), 0) << "none fits";
}

}  // namespace
}  // namespace fabrictwin
