// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/run_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/dashboards/metrics/small_run.h"

namespace fabrictwin {
namespace {

using Labels = std::map<std::string, std::string>;
using Families = std::vector<prometheus::MetricFamily>;

const prometheus::MetricFamily* find(const Families& families, std::string_view metric) {
  for (const auto& family : families) {
    if (family.name == metric) return &family;
  }
  return nullptr;
}

/// The value of one series, or -1.
double value_of(const Families& families, std::string_view metric, const Labels& labels) {
  const prometheus::MetricFamily* family = find(families, metric);
  if (family == nullptr) return -1;
  for (const auto& series : family->metric) {
    Labels own;
    for (const auto& label : series.label) own[label.name] = label.value;
    if (own == labels)
      return family->type == prometheus::MetricType::Counter ? series.counter.value : series.gauge.value;
  }
  return -1;
}

// Those of models that are not in this program are in the catalogue of none.
TEST(RunMetrics, ThereIsAFamilyForEachMetricOfTheCatalogueInItsOrder) {
  const SmallRun run;
  const Families families = run.families();
  ASSERT_EQ(families.size(), metric::catalogue().size());
  for (size_t i = 0; i < families.size(); ++i) {
    const metric::Metric& metric = *metric::catalogue()[i];
    EXPECT_EQ(families[i].name, metric.name());
    EXPECT_EQ(families[i].help, metric.help());
    for (const auto& series : families[i].metric)
      EXPECT_EQ(series.label.size(), metric.labels().size()) << metric.name();
  }
}

TEST(RunMetrics, StandInTheOrderOfTheirOrderAndGiveAllOfARun) {
  const SmallRun run;
  std::vector<std::string> shown;
  for (const auto& family : run.families()) {
    if (!family.metric.empty()) shown.push_back(family.name);
  }
  EXPECT_THAT(
      shown,
      testing::ElementsAre(
          "fabrictwin_run_info", "fabrictwin_simulated_seconds_total", "fabrictwin_wall_seconds_total",
          "fabrictwin_link_bytes_total", "fabrictwin_link_packets_total", "fabrictwin_link_credit_stall_seconds_total",
          "fabrictwin_link_stall_to_flit_ratio", "fabrictwin_partition_info", "fabrictwin_partition_events_total",
          "fabrictwin_partition_busy_seconds_total", "fabrictwin_partition_wait_seconds_total",
          "fabrictwin_partition_records_received_total", "fabrictwin_partition_records_sent_total",
          "fabrictwin_transport_records_total", "fabrictwin_transport_messages_total",
          "fabrictwin_transport_bytes_total", "fabrictwin_test_fill_flits", "fabrictwin_test_wait_seconds"));
}

TEST(RunMetrics, CountsLinksInBytesPacketsAndSeconds) {
  SmallRun run;
  run.links[0].words.set(36);
  run.links[0].packets.set(2);
  // 156.25 MHz: 6.4 ns a cycle.
  run.links[0].credit_stall_cycles.set(1000);
  const Families families = run.families();
  const Labels link{{"link", "host[0].tile->router[0].tile"}};
  const Labels back{{"link", "router[0].tile->host[0].tile"}};
  EXPECT_EQ(value_of(families, "fabrictwin_link_bytes_total", link), 36 * 16);
  EXPECT_EQ(value_of(families, "fabrictwin_link_packets_total", link), 2);
  EXPECT_DOUBLE_EQ(value_of(families, "fabrictwin_link_credit_stall_seconds_total", link), 6.4e-6);
  EXPECT_DOUBLE_EQ(value_of(families, "fabrictwin_link_stall_to_flit_ratio", link), 1000.0 / 36);
  EXPECT_EQ(value_of(families, "fabrictwin_link_stall_to_flit_ratio", back), 0) << "nothing sent";
  EXPECT_EQ(value_of(families, "fabrictwin_link_bytes_total", back), 0);
}

TEST(RunMetrics, TellsWhatModelsHaveMeasured) {
  const SmallRun run;
  const Families families = run.families();
  EXPECT_EQ(value_of(families, SmallRun::kFill.name(), {}), 12.5);
  const prometheus::MetricFamily* family = find(families, SmallRun::kWait.name());
  ASSERT_NE(family, nullptr);
  EXPECT_EQ(family->type, prometheus::MetricType::Summary);
  ASSERT_EQ(family->metric.size(), 1u);
  ASSERT_EQ(family->metric[0].label.size(), 1u);
  EXPECT_EQ(family->metric[0].label[0].name, "host");
  EXPECT_EQ(family->metric[0].label[0].value, "host[0]");
  const prometheus::ClientMetric::Summary& summary = family->metric[0].summary;
  EXPECT_EQ(summary.sample_count, 8u);
  EXPECT_EQ(summary.sample_sum, 2.0);
  ASSERT_EQ(summary.quantile.size(), 5u);
  // The values of SmallRun are their shares.
  for (const auto& quantile : summary.quantile) EXPECT_EQ(quantile.value, quantile.quantile);
}

TEST(RunMetrics, TellsWhatAWorkerHasMeasuredWithItsPlace) {
  SmallRun run;
  observe::MetricReports there;
  observe::MetricReporter worker(there, true);
  worker.add(SmallRun::kFill, 3);
  observe::MetricReporter models(run.sample.measures, true);
  observe::send_metrics(there, "worker:shm", models);
  const Families families = run.families();
  EXPECT_EQ(value_of(families, SmallRun::kFill.name(), {}), 12.5);
  EXPECT_EQ(value_of(families, SmallRun::kFill.name(), {{"place", "worker:shm"}}), 3);
}

TEST(RunMetrics, SaysNothingOfWhatNobodyMeasures) {
  const SmallRun run;
  const Families families = run.families();
  ASSERT_NE(find(families, SmallRun::kNothing.name()), nullptr);
  EXPECT_TRUE(find(families, SmallRun::kNothing.name())->metric.empty());
}

TEST(RunMetrics, SaysWhatRunsWhere) {
  const SmallRun run;
  const Families families = run.families();
  EXPECT_EQ(
      value_of(families, "fabrictwin_run_info",
               {{"version", "1.2.3"}, {"topology", "torus 1x1x1"}, {"seed", "7"}, {"experiment", "small.textproto"}}),
      1);
  EXPECT_EQ(value_of(families, "fabrictwin_partition_info",
                     {{"partition", "router[0]"}, {"kind", "RTL"}, {"place", "worker:unix"}}),
            1);
  const Labels router{{"partition", "router[0]"}};
  EXPECT_EQ(value_of(families, "fabrictwin_partition_events_total", router), 42);
  EXPECT_EQ(value_of(families, "fabrictwin_partition_busy_seconds_total", router), 0.5);
  EXPECT_EQ(value_of(families, "fabrictwin_partition_wait_seconds_total", router), 0.25);
  EXPECT_EQ(value_of(families, "fabrictwin_partition_records_received_total", router), 10);
  EXPECT_EQ(value_of(families, "fabrictwin_partition_records_sent_total", router), 11);
  const Labels transport{{"transport", "unix"}};
  EXPECT_EQ(value_of(families, "fabrictwin_transport_records_total", transport), 21);
  EXPECT_EQ(value_of(families, "fabrictwin_transport_messages_total", transport), 3);
  EXPECT_EQ(value_of(families, "fabrictwin_transport_bytes_total", transport), 1344);
  EXPECT_DOUBLE_EQ(value_of(families, "fabrictwin_simulated_seconds_total", {}), 1.5e-6);
  EXPECT_EQ(value_of(families, "fabrictwin_wall_seconds_total", {}), 2.0);
}

TEST(RunMetrics, ARunThatIsNotWiredYetHasNoLinksToShow) {
  SmallRun run;
  run.sample = {};
  run.links.clear();
  const Families families = run.families();
  ASSERT_NE(find(families, "fabrictwin_link_bytes_total"), nullptr);
  EXPECT_TRUE(find(families, "fabrictwin_link_bytes_total")->metric.empty());
  EXPECT_EQ(value_of(families, "fabrictwin_simulated_seconds_total", {}), 0);
}

}  // namespace
}  // namespace fabrictwin
