// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/metric/sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fabrictwin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

const metric::Counter kCounter{{.name = "fabrictwin_test_sink_total", .help = "C", .labels = {"from", "to"}}};
const metric::Gauge kGauge{{.name = "fabrictwin_test_sink", .help = "G"}};
const metric::Summary kSummary{{.name = "fabrictwin_test_sink_seconds", .unit = "seconds", .help = "S"}};
const metric::Summary kLabelled{
    {.name = "fabrictwin_test_sink_labelled_seconds", .unit = "seconds", .help = "L", .labels = {"size"}}};

struct Taken {
  const metric::Metric* metric;
  std::vector<std::pair<std::string, std::string>> labels;
  metric::Value value;
};

class TakingSink : public metric::Sink {
 public:
  void take(const metric::Sample& sample) override {
    Taken& taken = all.emplace_back(Taken{&sample.metric, {}, sample.value});
    for (const metric::Label& label : sample.labels) taken.labels.emplace_back(label.name, label.value);
  }
  std::vector<Taken> all;
};

TEST(Sink, TakesValuesWithTheirLabels) {
  TakingSink sink;
  sink.add(kCounter, 3, {"a", "b"});
  sink.add(kGauge, 0.5);
  ASSERT_EQ(sink.all.size(), 2u);
  EXPECT_EQ(sink.all[0].metric, &kCounter);
  EXPECT_THAT(sink.all[0].labels, ElementsAre(Pair("from", "a"), Pair("to", "b")));
  EXPECT_EQ(std::get<double>(sink.all[0].value), 3);
  EXPECT_EQ(sink.all[1].metric, &kGauge);
  EXPECT_THAT(sink.all[1].labels, IsEmpty());
  EXPECT_EQ(std::get<double>(sink.all[1].value), 0.5);
}

TEST(Sink, LabelsThatDoNotFitChangeNoOther) {
  TakingSink sink;
  sink.add(kCounter, 1, {"a"});
  sink.add(kGauge, 1, {"nobody declared this"});
  EXPECT_THAT(sink.all.at(0).labels, ElementsAre(Pair("from", "a")));
  EXPECT_THAT(sink.all.at(1).labels, IsEmpty());
}

TEST(Sink, ADistributionWithoutValuesIsNoSeries) {
  TakingSink sink;
  sink.add(kSummary, metric::Distribution::of(LatencyHistogram(), 1));
  EXPECT_THAT(sink.all, IsEmpty());
}

TEST(Sink, AHistogramIsItsDistribution) {
  LatencyHistogram histogram;
  TakingSink sink;
  sink.add(kLabelled, histogram, 0.25, {"a"});
  EXPECT_THAT(sink.all, IsEmpty());
  for (const int64_t value : {4, 8}) histogram.add(value);
  sink.add(kLabelled, histogram, 0.25, {"a"});
  ASSERT_EQ(sink.all.size(), 1u);
  EXPECT_EQ(sink.all[0].metric, &kLabelled);
  EXPECT_THAT(sink.all[0].labels, ElementsAre(Pair("size", "a")));
  const auto& distribution = std::get<metric::Distribution>(sink.all[0].value);
  EXPECT_EQ(distribution.count, 2u);
  EXPECT_EQ(distribution.sum, 3);
  EXPECT_EQ(distribution.quantiles[0], 1);
}

TEST(Sink, DistributionsCountInTheUnitOfTheMetric) {
  LatencyHistogram histogram;
  for (int64_t value = 1; value <= 100; ++value) histogram.add(value);
  TakingSink sink;
  sink.add(kSummary, metric::Distribution::of(histogram, 0.25));
  ASSERT_EQ(sink.all.size(), 1u);
  const auto& distribution = std::get<metric::Distribution>(sink.all[0].value);
  EXPECT_EQ(distribution.count, 100u);
  EXPECT_DOUBLE_EQ(distribution.sum, 5050 * 0.25);
  EXPECT_THAT(distribution.quantiles, ElementsAre(12.5, 22.5, 23.75, 24.75, 25, 25));
}

}  // namespace
}  // namespace fabrictwin
