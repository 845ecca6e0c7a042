// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/metrics/run_metrics.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "dashboards/metrics/metric_catalogue.h"
#include "tests/dashboards/metrics/small_run.h"

namespace fabrictwin {
namespace {

using Labels = std::map<std::string, std::string>;

const prometheus::MetricFamily* find(const std::vector<prometheus::MetricFamily>& families,
                                     const dashboards::metrics::Metric& metric) {
  for (const auto& family : families) {
    if (family.name == metric.name) return &family;
  }
  return nullptr;
}

/// The value of one series, or -1.
double value_of(const std::vector<prometheus::MetricFamily>& families, const dashboards::metrics::Metric& metric,
                const Labels& labels) {
  const prometheus::MetricFamily* family = find(families, metric);
  if (family == nullptr) return -1;
  for (const auto& series : family->metric) {
    Labels own;
    for (const auto& label : series.label) own[label.name] = label.value;
    if (own == labels)
      return metric.type == dashboards::metrics::MetricType::kCounter ? series.counter.value : series.gauge.value;
  }
  return -1;
}

TEST(RunMetrics, GivesEveryMetricOfTheCatalogueAndNoOther) {
  const SmallRun run;
  const auto families = run.metrics().collect(run.sample, run.links);
  ASSERT_EQ(families.size(), dashboards::metrics::metric_catalogue().size());
  for (size_t i = 0; i < families.size(); ++i) {
    const dashboards::metrics::Metric& metric = *dashboards::metrics::metric_catalogue()[i];
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
  EXPECT_EQ(value_of(families, dashboards::metrics::metric::kLinkBytes, link), 36 * 16);
  EXPECT_EQ(value_of(families, dashboards::metrics::metric::kLinkPackets, link), 2);
  EXPECT_DOUBLE_EQ(value_of(families, dashboards::metrics::metric::kLinkCreditStall, link), 6.4e-6);
  EXPECT_DOUBLE_EQ(value_of(families, dashboards::metrics::metric::kLinkStallToFlit, link), 1000.0 / 36);
  EXPECT_EQ(
      value_of(families, dashboards::metrics::metric::kLinkStallToFlit, {{"link", "router[0].tile->host[0].tile"}}), 0)
      << "nothing sent";
  EXPECT_EQ(value_of(families, dashboards::metrics::metric::kLinkBytes, {{"link", "router[0].tile->host[0].tile"}}), 0);
}

TEST(RunMetrics, TellsWhatModelsHaveMeasured) {
  const SmallRun run;
  const auto families = run.metrics().collect(run.sample, run.links);
  for (const dashboards::metrics::Metric* metric :
       {&dashboards::metrics::metric::kPacketLatency, &dashboards::metrics::metric::kMessageLatency}) {
    const prometheus::MetricFamily* family = find(families, *metric);
    ASSERT_NE(family, nullptr);
    EXPECT_EQ(family->type, prometheus::MetricType::Summary);
    ASSERT_EQ(family->metric.size(), 1u);
    const prometheus::ClientMetric::Summary& summary = family->metric[0].summary;
    EXPECT_EQ(summary.sample_count, 8u);
    EXPECT_EQ(summary.sample_sum, 2.0);
    ASSERT_EQ(summary.quantile.size(), 5u);
    // The values of SmallRun are their shares.
    for (const auto& quantile : summary.quantile) EXPECT_EQ(quantile.value, quantile.quantile);
  }
  EXPECT_EQ(value_of(families, dashboards::metrics::metric::kAcceptedLoad, {}), 0.5);
  EXPECT_EQ(value_of(families, dashboards::metrics::metric::kAcceptedLoadLeast, {}), 0.25);
  EXPECT_EQ(value_of(families, dashboards::metrics::metric::kJainIndex, {}), 0.9);
  EXPECT_EQ(value_of(families, dashboards::metrics::metric::kBufferMean, {}), 12.5);
  EXPECT_EQ(value_of(families, dashboards::metrics::metric::kBufferMost, {}), 90);
  EXPECT_EQ(value_of(families, dashboards::metrics::metric::kBufferCapacity, {}), 640);
}

TEST(RunMetrics, CountsTheCyclesOfInputQueuedRoutersInSeconds) {
  SmallRun run;
  v1::TrafficReport& traffic = *run.sample.measures.mutable_traffic();
  traffic.clear_latency_seconds();
  traffic.set_measured_packets(10);
  traffic.mutable_latency_cycles()->set_mean(100);
  traffic.mutable_latency_cycles()->set_p50(90);
  const auto families = run.metrics().collect(run.sample, run.links);
  const auto& summary = find(families, dashboards::metrics::metric::kPacketLatency)->metric.at(0).summary;
  EXPECT_EQ(summary.sample_count, 10u);
  // 156.25 MHz: 6.4 ns a cycle.
  EXPECT_DOUBLE_EQ(summary.sample_sum, 6.4e-6);
  EXPECT_DOUBLE_EQ(summary.quantile.at(0).value, 576e-9);
}

TEST(RunMetrics, SaysNothingOfWhatNobodyMeasures) {
  SmallRun run;
  run.sample.measures.Clear();
  const auto families = run.metrics().collect(run.sample, run.links);
  for (const dashboards::metrics::Metric* metric :
       {&dashboards::metrics::metric::kPacketLatency, &dashboards::metrics::metric::kMessageLatency,
        &dashboards::metrics::metric::kAcceptedLoad, &dashboards::metrics::metric::kAcceptedLoadLeast,
        &dashboards::metrics::metric::kJainIndex, &dashboards::metrics::metric::kBufferMean,
        &dashboards::metrics::metric::kBufferMost, &dashboards::metrics::metric::kBufferCapacity}) {
    ASSERT_NE(find(families, *metric), nullptr) << metric->name;
    EXPECT_TRUE(find(families, *metric)->metric.empty()) << metric->name;
  }
}

TEST(RunMetrics, SaysWhatRunsWhere) {
  const SmallRun run;
  const auto families = run.metrics().collect(run.sample, run.links);
  EXPECT_EQ(
      value_of(families, dashboards::metrics::metric::kRunInfo,
               {{"version", "1.2.3"}, {"topology", "torus 1x1x1"}, {"seed", "7"}, {"experiment", "small.textproto"}}),
      1);
  EXPECT_EQ(value_of(families, dashboards::metrics::metric::kPartitionInfo,
                     {{"partition", "router[0]"}, {"kind", "RTL"}, {"place", "worker:unix"}}),
            1);
  EXPECT_EQ(value_of(families, dashboards::metrics::metric::kPartitionEvents, {{"partition", "router[0]"}}), 42);
  EXPECT_EQ(value_of(families, dashboards::metrics::metric::kPartitionBusy, {{"partition", "router[0]"}}), 0.5);
  EXPECT_EQ(value_of(families, dashboards::metrics::metric::kPartitionWait, {{"partition", "router[0]"}}), 0.25);
  EXPECT_EQ(value_of(families, dashboards::metrics::metric::kPartitionRecordsReceived, {{"partition", "router[0]"}}),
            10);
  EXPECT_EQ(value_of(families, dashboards::metrics::metric::kPartitionRecordsSent, {{"partition", "router[0]"}}), 11);
  EXPECT_EQ(value_of(families, dashboards::metrics::metric::kTransportRecords, {{"transport", "unix"}}), 21);
  EXPECT_EQ(value_of(families, dashboards::metrics::metric::kTransportMessages, {{"transport", "unix"}}), 3);
  EXPECT_EQ(value_of(families, dashboards::metrics::metric::kTransportBytes, {{"transport", "unix"}}), 1344);
  EXPECT_DOUBLE_EQ(value_of(families, dashboards::metrics::metric::kSimulatedSeconds, {}), 1.5e-6);
  EXPECT_EQ(value_of(families, dashboards::metrics::metric::kWallSeconds, {}), 2.0);
}

TEST(RunMetrics, ARunThatIsNotWiredYetHasNoLinksToShow) {
  const SmallRun run;
  const auto families = run.metrics().collect(run::RunSample{}, {});
  ASSERT_NE(find(families, dashboards::metrics::metric::kLinkBytes), nullptr);
  EXPECT_TRUE(find(families, dashboards::metrics::metric::kLinkBytes)->metric.empty());
  EXPECT_EQ(value_of(families, dashboards::metrics::metric::kSimulatedSeconds, {}), 0);
}

}  // namespace
}  // namespace fabrictwin
