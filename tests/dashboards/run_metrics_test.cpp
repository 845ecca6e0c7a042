// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/run_metrics.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "dashboards/metric_catalogue.h"
#include "tests/dashboards/small_run.h"

namespace fabrictwin {
namespace {

using Labels = std::map<std::string, std::string>;

const prometheus::MetricFamily* find(const std::vector<prometheus::MetricFamily>& families, const Metric& metric) {
  for (const auto& family : families) {
    if (family.name == metric.name) return &family;
  }
  return nullptr;
}

/// The value of one series, or -1.
double value_of(const std::vector<prometheus::MetricFamily>& families, const Metric& metric, const Labels& labels) {
  const prometheus::MetricFamily* family = find(families, metric);
  if (family == nullptr) return -1;
  for (const auto& series : family->metric) {
    Labels own;
    for (const auto& label : series.label) own[label.name] = label.value;
    if (own == labels) return metric.type == MetricType::kCounter ? series.counter.value : series.gauge.value;
  }
  return -1;
}

TEST(RunMetrics, GivesEveryMetricOfTheCatalogueAndNoOther) {
  const SmallRun run;
  const auto families = run.metrics().collect(run.sample, run.links);
  ASSERT_EQ(families.size(), metric_catalogue().size());
  for (size_t i = 0; i < families.size(); ++i) {
    const Metric& metric = *metric_catalogue()[i];
    EXPECT_EQ(families[i].name, metric.name);
    EXPECT_EQ(families[i].help, metric.help);
    ASSERT_FALSE(families[i].metric.empty()) << metric.name;
    for (const auto& series : families[i].metric) EXPECT_EQ(series.label.size(), metric.labels().size()) << metric.name;
  }
}

TEST(RunMetrics, CountsLinksInBytesPacketsAndSeconds) {
  SmallRun run;
  run.links[0].words.set(36);
  run.links[0].packets.set(2);
  // 156.25 MHz: 6.4 ns a cycle.
  run.links[0].credit_stall_cycles.set(1000);
  const auto families = run.metrics().collect(run.sample, run.links);
  const Labels link{{"link", "host[0].tile->router[0].tile"}};
  EXPECT_EQ(value_of(families, metric::kLinkBytes, link), 36 * 16);
  EXPECT_EQ(value_of(families, metric::kLinkPackets, link), 2);
  EXPECT_DOUBLE_EQ(value_of(families, metric::kLinkCreditStall, link), 6.4e-6);
  EXPECT_DOUBLE_EQ(value_of(families, metric::kLinkStallToFlit, link), 1000.0 / 36);
  EXPECT_EQ(value_of(families, metric::kLinkStallToFlit, {{"link", "router[0].tile->host[0].tile"}}), 0)
      << "nothing sent";
  EXPECT_EQ(value_of(families, metric::kLinkBytes, {{"link", "router[0].tile->host[0].tile"}}), 0);
}

TEST(RunMetrics, SaysWhatRunsWhere) {
  const SmallRun run;
  const auto families = run.metrics().collect(run.sample, run.links);
  EXPECT_EQ(
      value_of(families, metric::kRunInfo,
               {{"version", "1.2.3"}, {"topology", "torus 1x1x1"}, {"seed", "7"}, {"experiment", "small.textproto"}}),
      1);
  EXPECT_EQ(value_of(families, metric::kPartitionInfo,
                     {{"partition", "router[0]"}, {"kind", "RTL"}, {"place", "worker:unix"}}),
            1);
  EXPECT_EQ(value_of(families, metric::kPartitionEvents, {{"partition", "router[0]"}}), 42);
  EXPECT_EQ(value_of(families, metric::kPartitionBusy, {{"partition", "router[0]"}}), 0.5);
  EXPECT_EQ(value_of(families, metric::kPartitionWait, {{"partition", "router[0]"}}), 0.25);
  EXPECT_EQ(value_of(families, metric::kPartitionRecordsReceived, {{"partition", "router[0]"}}), 10);
  EXPECT_EQ(value_of(families, metric::kPartitionRecordsSent, {{"partition", "router[0]"}}), 11);
  EXPECT_EQ(value_of(families, metric::kTransportRecords, {{"transport", "unix"}}), 21);
  EXPECT_EQ(value_of(families, metric::kTransportMessages, {{"transport", "unix"}}), 3);
  EXPECT_EQ(value_of(families, metric::kTransportBytes, {{"transport", "unix"}}), 1344);
  EXPECT_DOUBLE_EQ(value_of(families, metric::kSimulatedSeconds, {}), 1.5e-6);
  EXPECT_EQ(value_of(families, metric::kWallSeconds, {}), 2.0);
}

TEST(RunMetrics, ARunThatIsNotWiredYetHasNoLinksToShow) {
  const SmallRun run;
  const auto families = run.metrics().collect(RunSample{}, {});
  ASSERT_NE(find(families, metric::kLinkBytes), nullptr);
  EXPECT_TRUE(find(families, metric::kLinkBytes)->metric.empty());
  EXPECT_EQ(value_of(families, metric::kSimulatedSeconds, {}), 0);
}

}  // namespace
}  // namespace fabrictwin
