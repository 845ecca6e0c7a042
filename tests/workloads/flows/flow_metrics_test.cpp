// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/flows/flow_metrics.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "cosim/observe/metric_report.h"
#include "tests/workloads/flows/made_state.h"

namespace fabrictwin {
namespace {

/// Series by name and values of labels: "fabrictwin_flow_marks_total 3".
using Series = std::map<std::string, v1::MetricReport>;

Series series_of(const flows::State& state, const std::vector<bool>& here) {
  observe::MetricReports reports;
  observe::MetricReporter reporter(reports, true);
  flows::measure_flows(state, here, reporter);
  Series series;
  for (const v1::MetricReport& report : reports) {
    std::string name = report.name();
    for (const v1::MetricLabel& label : report.labels()) name += " " + label.value();
    EXPECT_TRUE(series.emplace(name, report).second) << name << " is there twice";
  }
  return series;
}

double value(const Series& series, const std::string& name) {
  const auto found = series.find(name);
  return found == series.end() ? -1 : found->second.value();
}

TEST(FlowMetrics, TellWhatHasArrivedOfEachFlowAndOfAll) {
  FlowCase some;
  some.received = 300;
  FlowCase other = acknowledged_after(4);
  const auto state = state_of({some, other});
  const Series series = series_of(*state, {true, true, true});
  EXPECT_EQ(value(series, "fabrictwin_flows"), 2);
  EXPECT_EQ(value(series, "fabrictwin_flows_complete_total"), 1);
  EXPECT_EQ(value(series, "fabrictwin_flow_bytes_total"), 1300);
  EXPECT_EQ(value(series, "fabrictwin_flow_received_bytes_total 0 0 1"), 300);
  EXPECT_EQ(value(series, "fabrictwin_flow_received_bytes_total 1 1 2"), 1000);
}

TEST(FlowMetrics, CompleteFlowsHaveTimesAndSlowdownsBySize) {
  std::vector<FlowCase> cases{acknowledged_after(2), acknowledged_after(4), acknowledged_after(8, 10'001)};
  FlowCase cut = acknowledged_after(9, 20'000'000);
  cut.received = 1;
  cases.push_back(cut);
  const Series series = series_of(*state_of(cases), std::vector<bool>(5, true));
  const v1::MetricSummary& small = series.at("fabrictwin_flow_completion_seconds to 10 kB").summary();
  EXPECT_EQ(small.count(), 2u);
  EXPECT_NEAR(small.sum(), 6e-6, 1e-12);
  EXPECT_NEAR(small.p50(), 2e-6, 2e-6 / 128);
  EXPECT_NEAR(small.p99(), 4e-6, 4e-6 / 128);
  const v1::MetricSummary& slow = series.at("fabrictwin_flow_slowdown_ratio to 100 kB").summary();
  EXPECT_EQ(slow.count(), 1u);
  EXPECT_NEAR(slow.p50(), 8, 8.0 / 128);
  EXPECT_FALSE(series.contains("fabrictwin_flow_completion_seconds above 10 MB")) << "a flow that was cut short";
}

// What several places tell is not told twice.
TEST(FlowMetrics, EachPlaceTellsOfItsHosts) {
  const auto state = state_of({acknowledged_after(2), acknowledged_after(4)});
  // Hosts 0 and 1 are here: the source of both flows, and the destination of the first one.
  const Series here = series_of(*state, {true, true, false});
  EXPECT_TRUE(here.contains("fabrictwin_flow_received_bytes_total 0 0 1"));
  EXPECT_FALSE(here.contains("fabrictwin_flow_received_bytes_total 1 1 2"));
  EXPECT_EQ(value(here, "fabrictwin_flows"), 1);
  EXPECT_EQ(value(here, "fabrictwin_flows_complete_total"), 2);
  const Series there = series_of(*state, {false, false, true});
  EXPECT_TRUE(there.contains("fabrictwin_flow_received_bytes_total 1 1 2"));
  EXPECT_EQ(value(there, "fabrictwin_flows_complete_total"), 0);
  EXPECT_FALSE(there.contains("fabrictwin_flow_completion_seconds to 10 kB"));
}

// The source of a flow with a stop knows when its last packet was acknowledged, and not that there were to be more.
TEST(FlowMetrics, FlowsThatTheirStopHasCutAreCompleteNowhere) {
  FlowCase cut = acknowledged_after(4, 10'000);
  cut.stop = Time::from_us(3);
  const auto state = state_of({cut});
  state->bytes[0] = 0;
  EXPECT_EQ(value(series_of(*state, {true, false}), "fabrictwin_flows_complete_total"), 0) << "at its source";
  state->bytes[0] = 5000;
  EXPECT_EQ(value(series_of(*state, {true, true}), "fabrictwin_flows_complete_total"), 0) << "in one process";
}

TEST(FlowMetrics, AJobHasTheBytesOfItsFlows) {
  observe::MetricReports reports;
  observe::MetricReporter reporter(reports, true);
  const std::vector<uint64_t> bytes{300, 0, 1000};
  flows::measure_job("storm", bytes, reporter);
  flows::measure_job("idle", {}, reporter);
  ASSERT_EQ(reports.size(), 2);
  EXPECT_EQ(reports[0].name(), "fabrictwin_flow_job_received_bytes_total");
  EXPECT_EQ(reports[0].labels(0).name(), "mpi_job");
  EXPECT_EQ(reports[0].labels(0).value(), "storm");
  EXPECT_EQ(reports[0].value(), 1300);
  EXPECT_EQ(reports[1].value(), 0);
}

TEST(FlowMetrics, ManyFlowsHaveNoSeriesOfTheirOwn) {
  const auto of = [](size_t flows) {
    const Series series = series_of(*state_of(std::vector<FlowCase>(flows)), std::vector<bool>(flows + 1, true));
    size_t own = 0;
    for (const auto& [name, report] : series) own += report.name() == "fabrictwin_flow_received_bytes_total" ? 1 : 0;
    return own;
  };
  EXPECT_EQ(of(64), 64u);
  EXPECT_EQ(of(65), 0u);
}

}  // namespace
}  // namespace fabrictwin
