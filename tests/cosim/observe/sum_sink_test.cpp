// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/observe/sum_sink.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>

#include "cosim/observe/metric_report.h"

namespace fabrictwin {
namespace {

const metric::Counter kPartSent{{.name = "fabrictwin_test_sum_sent_total", .help = "Sent", .labels = {"host"}}};
const metric::Counter kTogether{{.name = "fabrictwin_test_sum_together_total", .help = "What partitions count"}};
const metric::Gauge kRanks{{.name = "fabrictwin_test_sum_ranks", .help = "Ranks", .labels = {"job"}}};
const metric::Gauge kMost{{.name = "fabrictwin_test_sum_most", .help = "The longest queue", .largest = true}};
const metric::Summary kPartWait{
    {.name = "fabrictwin_test_sum_wait_seconds", .unit = "seconds", .help = "How long hosts wait", .labels = {"job"}}};

observe::MetricReports given(const observe::SumSink& sum) {
  observe::MetricReports reports;
  observe::MetricReporter reporter(reports, true);
  sum.give(reporter);
  return reports;
}

LatencyHistogram of_values(std::initializer_list<int64_t> values) {
  LatencyHistogram histogram;
  for (const int64_t value : values) histogram.add(value);
  return histogram;
}

TEST(SumSink, AddsUpSeriesWithTheSameLabels) {
  observe::SumSink sum;
  for (const double value : {7.0, 0.0, 2.0}) {
    sum.add(kTogether, value);
    sum.add(kPartSent, value, {"host[0]"});
    sum.add(kRanks, value, {"a"});
    sum.add(kRanks, 1, {"b"});
  }
  const observe::MetricReports reports = given(sum);
  ASSERT_EQ(reports.size(), 4);
  EXPECT_EQ(reports[0].name(), kTogether.name()) << "they stay in their order";
  EXPECT_EQ(reports[0].value(), 9);
  EXPECT_EQ(reports[1].value(), 9);
  EXPECT_EQ(reports[1].labels(0).name(), "host");
  EXPECT_EQ(reports[1].labels(0).value(), "host[0]");
  EXPECT_EQ(reports[2].value(), 9);
  EXPECT_EQ(reports[3].labels(0).value(), "b");
  EXPECT_EQ(reports[3].value(), 3);
}

TEST(SumSink, KeepsTheLargestOfWhatIsTheLargest) {
  observe::SumSink sum;
  for (const double value : {7.0, 9.0, 2.0}) sum.add(kMost, value);
  const observe::MetricReports reports = given(sum);
  ASSERT_EQ(reports.size(), 1);
  EXPECT_EQ(reports[0].value(), 9);
}

TEST(SumSink, PutsHistogramsTogether) {
  observe::SumSink sum;
  sum.add(kPartWait, of_values({1, 1, 1}), 0.5, {"a"});
  sum.add(kPartWait, of_values({40}), 0.5, {"b"});
  sum.add(kPartWait, of_values({9, 9}), 0.5, {"a"});
  sum.add(kPartWait, of_values({}), 0.5, {"none"});
  const observe::MetricReports reports = given(sum);
  ASSERT_EQ(reports.size(), 2);
  EXPECT_EQ(reports[0].summary().count(), 5u);
  EXPECT_EQ(reports[0].summary().sum(), 10.5);
  EXPECT_EQ(reports[0].summary().p50(), 0.5);
  EXPECT_EQ(reports[0].summary().p90(), 4.5);
  EXPECT_EQ(reports[1].summary().count(), 1u);
}

// Nobody can add up quantiles, and a series must not come twice.
TEST(SumSink, OfDistributionsTheFirstOneStays) {
  observe::SumSink sum;
  sum.add(kPartWait, {.count = 4, .sum = 10, .quantiles = {1, 2, 3, 4, 5, 6}}, {"a"});
  sum.add(kPartWait, {.count = 1, .sum = 7, .quantiles = {7, 7, 7, 7, 7, 7}}, {"a"});
  const observe::MetricReports reports = given(sum);
  ASSERT_EQ(reports.size(), 1);
  EXPECT_EQ(reports[0].summary().sum(), 10);
}

}  // namespace
}  // namespace fabrictwin
