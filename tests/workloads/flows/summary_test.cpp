// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/flows/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/workloads/flows/made_state.h"
#include "workloads/flows/results_text.h"

namespace fabrictwin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr uint64_t kAnySize = std::numeric_limits<uint64_t>::max();

v1::Report summary_of(const std::vector<FlowCase>& list, bool transport = true, Time end = Time::from_us(1000)) {
  v1::Report report;
  flows::report_flows(*state_of(list, transport), end, report);
  return report;
}

/// So many bytes, 1 us after a start at 0.
FlowCase in_a_microsecond(uint64_t bytes) { return acknowledged_after(1, bytes); }

TEST(FlowSummary, CountsFromTheStartToTheAcknowledgement) {
  FlowCase flow;
  flow.start = Time::from_us(1);
  flow.arrived = Time::from_us(3);
  flow.acknowledged = Time::from_us(5);
  flow.alone = Time::from_ns(2500);
  flow.received = flow.bytes;
  const v1::Report report = summary_of({flow});
  ASSERT_EQ(report.flows_size(), 1);
  const v1::FlowReport& line = report.flows(0);
  EXPECT_EQ(line.source(), 0);
  EXPECT_EQ(line.destination(), 1);
  EXPECT_EQ(line.bytes(), 1000u);
  EXPECT_EQ(line.bytes_received(), 1000u);
  EXPECT_DOUBLE_EQ(line.start_seconds(), 1e-6);
  EXPECT_DOUBLE_EQ(line.fct_seconds(), 4e-6);
  EXPECT_DOUBLE_EQ(line.slowdown(), 1.6);
  EXPECT_DOUBLE_EQ(line.goodput_gbps(), 4) << "8000 bit from 1 to 3 us: until they have arrived";
  EXPECT_EQ(report.flow_summary().flows(), 1u);
  EXPECT_EQ(report.flow_summary().finished(), 1u);
  EXPECT_DOUBLE_EQ(report.flow_summary().mean_fct_seconds(), 4e-6);
  EXPECT_DOUBLE_EQ(report.flow_summary().max_fct_seconds(), 4e-6);
  EXPECT_DOUBLE_EQ(report.flow_summary().jain_index(), 1);
}

TEST(FlowSummary, CountsToTheArrivalWithoutTransport) {
  FlowCase flow;
  flow.start = Time::from_us(1);
  flow.arrived = Time::from_us(3);
  flow.received = flow.bytes;
  const v1::Report report = summary_of({flow, FlowCase()}, false);
  EXPECT_DOUBLE_EQ(report.flows(0).fct_seconds(), 2e-6);
  EXPECT_DOUBLE_EQ(report.flows(0).goodput_gbps(), 4);
  EXPECT_FALSE(report.flows(0).has_slowdown()) << "nobody knows how long it takes alone";
  EXPECT_FALSE(report.flows(1).has_fct_seconds());
  EXPECT_EQ(report.flow_summary().finished(), 1u);
  ASSERT_GT(report.flow_summary().bins_size(), 0);
  EXPECT_EQ(report.flow_summary().bins(0).flows(), 1u);
  EXPECT_DOUBLE_EQ(report.flow_summary().bins(0).fct_p50_seconds(), 2e-6);
  EXPECT_EQ(report.flow_summary().bins(0).slowdown_mean(), 0);
  EXPECT_EQ(report.flow_summary().bins(0).slowdown_p99(), 0);
}

TEST(FlowSummary, CountsFlowsThatHaveNotEndedUpToTheEnd) {
  FlowCase some;
  some.bytes = 1'000'000;
  some.start = Time::from_us(2);
  some.received = 4000;
  FlowCase late;
  late.start = Time::from_us(11);
  // All of it is there, and the source does not know yet.
  FlowCase unknown;
  unknown.arrived = Time::from_us(8);
  unknown.received = unknown.bytes;
  const v1::Report report = summary_of({some, late, unknown}, true, Time::from_us(10));
  ASSERT_EQ(report.flows_size(), 3);
  for (const v1::FlowReport& line : report.flows()) {
    EXPECT_FALSE(line.has_fct_seconds()) << line.source();
    EXPECT_FALSE(line.has_slowdown()) << line.source();
  }
  EXPECT_DOUBLE_EQ(report.flows(0).goodput_gbps(), 4) << "32000 bit in 8 us";
  EXPECT_EQ(report.flows(0).bytes_received(), 4000u);
  EXPECT_EQ(report.flows(1).goodput_gbps(), 0) << "it has not started";
  EXPECT_DOUBLE_EQ(report.flows(2).goodput_gbps(), 1) << "8000 bit in 8 us";
  EXPECT_EQ(report.flow_summary().flows(), 3u);
  EXPECT_EQ(report.flow_summary().finished(), 0u);
  EXPECT_EQ(report.flow_summary().bins_size(), 0);
  EXPECT_EQ(report.flow_summary().mean_fct_seconds(), 0);
  EXPECT_EQ(report.flow_summary().max_fct_seconds(), 0);
}

// When a flow without bytes ends is in the file, not in the network.
TEST(FlowSummary, GivesStoppedFlowsAGoodputOnly) {
  FlowCase stopped;
  stopped.bytes = 0;
  stopped.start = Time::from_us(2);
  stopped.stop = Time::from_us(7);
  stopped.acknowledged = Time::from_us(8);
  stopped.alone = Time::from_us(1);
  stopped.received = 7500;
  const v1::Report report = summary_of({stopped, acknowledged_after(3)});
  EXPECT_FALSE(report.flows(0).has_fct_seconds());
  EXPECT_FALSE(report.flows(0).has_slowdown());
  EXPECT_DOUBLE_EQ(report.flows(0).goodput_gbps(), 10) << "60000 bit from 2 to 8 us";
  EXPECT_EQ(report.flow_summary().finished(), 2u);
  ASSERT_GT(report.flow_summary().bins_size(), 0);
  EXPECT_EQ(report.flow_summary().bins(0).flows(), 1u);
  EXPECT_DOUBLE_EQ(report.flow_summary().mean_fct_seconds(), 3e-6);
  EXPECT_DOUBLE_EQ(report.flow_summary().max_fct_seconds(), 3e-6);
}

TEST(FlowSummary, HasMeanAndMaximumOfFinishedFlows) {
  const v1::Report report =
      summary_of({acknowledged_after(4), acknowledged_after(9), FlowCase(), acknowledged_after(2)});
  EXPECT_EQ(report.flow_summary().flows(), 4u);
  EXPECT_EQ(report.flow_summary().finished(), 3u);
  EXPECT_DOUBLE_EQ(report.flow_summary().mean_fct_seconds(), 5e-6);
  EXPECT_DOUBLE_EQ(report.flow_summary().max_fct_seconds(), 9e-6);
}

TEST(FlowSummary, SortsFlowsIntoBinsOfSizes) {
  std::vector<FlowCase> list;
  for (const uint64_t bytes : {uint64_t{1}, uint64_t{10'000}, uint64_t{10'001}, uint64_t{1'000'000},
                               uint64_t{10'000'000}, uint64_t{10'000'001}, uint64_t{1} << 40})
    list.push_back(acknowledged_after(5, bytes));
  const v1::Report report = summary_of(list);
  std::vector<std::pair<uint64_t, uint64_t>> bounds;
  std::vector<uint64_t> counts;
  for (const v1::FlowBin& bin : report.flow_summary().bins()) {
    bounds.emplace_back(bin.above_bytes(), bin.up_to_bytes());
    counts.push_back(bin.flows());
  }
  EXPECT_THAT(bounds,
              ElementsAre(Pair(0u, kAnySize), Pair(0u, 10'000u), Pair(10'000u, 100'000u), Pair(100'000u, 1'000'000u),
                          Pair(1'000'000u, 10'000'000u), Pair(10'000'000u, kAnySize)));
  EXPECT_THAT(counts, ElementsAre(7u, 2u, 1u, 1u, 1u, 2u));
}

TEST(FlowSummary, LeavesEmptyBinsOut) {
  FlowCase unfinished;
  unfinished.bytes = 500'000;
  const v1::Report report = summary_of({acknowledged_after(2, 20'000), unfinished});
  ASSERT_EQ(report.flow_summary().bins_size(), 2);
  EXPECT_EQ(report.flow_summary().bins(0).up_to_bytes(), kAnySize);
  EXPECT_EQ(report.flow_summary().bins(1).above_bytes(), 10'000u);
  EXPECT_EQ(report.flow_summary().bins(1).up_to_bytes(), 100'000u);
}

// The nearest rank: the least value that so many percent of the flows are not above.
TEST(FlowSummary, HasPercentilesByNearestRank) {
  std::vector<FlowCase> list;
  // 37 has no factor in common with 100: these are 1 to 100 us, mixed up.
  for (int64_t i = 0; i < 100; ++i) list.push_back(acknowledged_after(i * 37 % 100 + 1));
  const v1::Report hundred = summary_of(list);
  const v1::FlowBin& all = hundred.flow_summary().bins(0);
  EXPECT_EQ(all.flows(), 100u);
  EXPECT_NEAR(all.slowdown_mean(), 50.5, 1e-9);
  EXPECT_NEAR(all.slowdown_p50(), 50, 1e-9);
  EXPECT_NEAR(all.slowdown_p95(), 95, 1e-9);
  EXPECT_NEAR(all.slowdown_p99(), 99, 1e-9);
  EXPECT_NEAR(all.fct_p50_seconds(), 50e-6, 1e-15);
  EXPECT_NEAR(all.fct_p95_seconds(), 95e-6, 1e-15);
  EXPECT_NEAR(all.fct_p99_seconds(), 99e-6, 1e-15);

  const v1::Report three = summary_of({acknowledged_after(9), acknowledged_after(2), acknowledged_after(4)});
  EXPECT_NEAR(three.flow_summary().bins(0).slowdown_p50(), 4, 1e-9);
  EXPECT_NEAR(three.flow_summary().bins(0).slowdown_p95(), 9, 1e-9);
  const v1::Report two = summary_of({acknowledged_after(9), acknowledged_after(2)});
  EXPECT_NEAR(two.flow_summary().bins(0).slowdown_p50(), 2, 1e-9);
  EXPECT_NEAR(two.flow_summary().bins(0).fct_p99_seconds(), 9e-6, 1e-15);
  const v1::Report one = summary_of({acknowledged_after(7)});
  EXPECT_NEAR(one.flow_summary().bins(0).slowdown_p50(), 7, 1e-9);
  EXPECT_NEAR(one.flow_summary().bins(0).slowdown_p99(), 7, 1e-9);
}

TEST(FlowSummary, HasPercentilesOfEachBin) {
  const v1::Report report = summary_of({acknowledged_after(3), acknowledged_after(8, 50'000), acknowledged_after(5)});
  ASSERT_EQ(report.flow_summary().bins_size(), 3);
  EXPECT_NEAR(report.flow_summary().bins(0).slowdown_p99(), 8, 1e-9);
  EXPECT_NEAR(report.flow_summary().bins(1).slowdown_p99(), 5, 1e-9);
  EXPECT_NEAR(report.flow_summary().bins(1).slowdown_mean(), 4, 1e-9);
  EXPECT_NEAR(report.flow_summary().bins(2).slowdown_p50(), 8, 1e-9);
}

TEST(FlowSummary, HasJainsIndexOfGoodputs) {
  const auto index = [](const std::vector<FlowCase>& list) { return summary_of(list).flow_summary().jain_index(); };
  EXPECT_NEAR(index({in_a_microsecond(1000), in_a_microsecond(1000), in_a_microsecond(1000)}), 1, 1e-12);
  EXPECT_NEAR(index({in_a_microsecond(1000), in_a_microsecond(3000)}), 0.8, 1e-12) << "4^2 / (2 * (1 + 9))";
  // A flow that gets nothing counts: one of n that has everything makes 1/n.
  EXPECT_NEAR(index({in_a_microsecond(1000), FlowCase(), FlowCase(), FlowCase()}), 0.25, 1e-12);
}

TEST(FlowSummary, HasNoIndexIfNothingHasArrived) {
  const v1::Report nothing = summary_of({FlowCase(), FlowCase()});
  EXPECT_FALSE(nothing.flow_summary().has_jain_index());
  std::string text;
  flows::add_results(nothing, text);
  EXPECT_THAT(text, HasSubstr("flows: 0 of 2 have ended, Jain index of goodputs -\n"));
  text.clear();
  flows::add_results(summary_of({in_a_microsecond(1000), in_a_microsecond(3000)}), text);
  EXPECT_THAT(text, HasSubstr("Jain index of goodputs 0.8000\n"));
}

TEST(FlowSummary, TakesNoFlows) {
  const v1::Report report = summary_of({});
  EXPECT_EQ(report.flows_size(), 0);
  EXPECT_TRUE(report.has_flow_summary());
  EXPECT_EQ(report.flow_summary().flows(), 0u);
  EXPECT_FALSE(report.flow_summary().has_jain_index());
  EXPECT_EQ(report.flow_summary().bins_size(), 0);
}

}  // namespace
}  // namespace fabrictwin
