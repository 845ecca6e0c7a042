// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/window_goodputs.h"

#include <gtest/gtest.h>

namespace fabrictwin {
namespace {

/// A flow that has received `bytes` by `end`, of them `in_window` in the window from 1 to 3 s.
void add_flow(v1::Report& report, double start, double end, uint64_t bytes, uint64_t in_window, double max_min) {
  v1::FlowReport& flow = *report.add_flows();
  flow.set_start_seconds(start);
  flow.set_bytes_received(bytes);
  if (bytes > 0) flow.set_goodput_gbps(static_cast<double>(bytes) * 8e-9 / (end - start));
  flow.set_max_min_gbps(max_min);
  report.mutable_goodput_window()->add_flow_bytes(in_window);
}

v1::Report with_window() {
  v1::Report report;
  report.mutable_goodput_window()->set_from_seconds(1);
  report.mutable_goodput_window()->set_until_seconds(3);
  return report;
}

constexpr uint64_t kGbit = 1'000'000'000 / 8;

TEST(WindowGoodputs, CountsFlowsThatAreThere) {
  v1::Report report = with_window();
  add_flow(report, 0, 4, 12 * kGbit, 6 * kGbit, 4);
  add_flow(report, 2, 4, 2 * kGbit, 2 * kGbit, 4);
  // One is over before, one begins afterwards.
  add_flow(report, 0, 0.5, kGbit, 0, 4);
  add_flow(report, 3, 4, kGbit, 0, 4);
  run::add_window_goodputs(report);
  EXPECT_DOUBLE_EQ(report.flows(0).window_goodput_gbps(), 3);
  EXPECT_DOUBLE_EQ(report.flows(1).window_goodput_gbps(), 1);
  EXPECT_EQ(report.flows(2).window_goodput_gbps(), 0);
  const v1::FlowSummary& summary = report.flow_summary();
  EXPECT_DOUBLE_EQ(summary.window_goodput_gbps(), 4);
  EXPECT_DOUBLE_EQ(summary.window_least_goodput_gbps(), 1);
  EXPECT_DOUBLE_EQ(summary.window_jain_index(), 16. / (2 * 10));
  EXPECT_DOUBLE_EQ(summary.window_min_over_max_min(), 0.25);
}

TEST(WindowGoodputs, AFlowThatReceivesNothingIsThere) {
  v1::Report report = with_window();
  add_flow(report, 0, 4, 4 * kGbit, 2 * kGbit, 0);
  add_flow(report, 0, 0, 0, 0, 0);
  run::add_window_goodputs(report);
  EXPECT_EQ(report.flow_summary().window_least_goodput_gbps(), 0);
  EXPECT_DOUBLE_EQ(report.flow_summary().window_jain_index(), 0.5);
  EXPECT_FALSE(report.flow_summary().has_window_min_over_max_min()) << "routing has several paths";
}

// In the background, flows begin anew, and have the start of the last time.
TEST(WindowGoodputs, AFlowThatRepeatsIsThere) {
  v1::Report report = with_window();
  add_flow(report, 3.5, 4, 4 * kGbit, 2 * kGbit, 0);
  run::add_window_goodputs(report);
  EXPECT_DOUBLE_EQ(report.flow_summary().window_least_goodput_gbps(), 1);
}

TEST(WindowGoodputs, ClassesHaveThemWithoutFlows) {
  v1::Report report = with_window();
  report.add_classes()->set_name("hot");
  report.mutable_goodput_window()->add_class_bytes(5 * kGbit);
  run::add_window_goodputs(report);
  EXPECT_DOUBLE_EQ(report.classes(0).window_goodput_gbps(), 2.5);
  EXPECT_FALSE(report.has_flow_summary());
}

TEST(WindowGoodputs, NothingIsSaidWithoutAWindow) {
  v1::Report report;
  report.add_flows()->set_goodput_gbps(1);
  run::add_window_goodputs(report);
  EXPECT_FALSE(report.flows(0).has_window_goodput_gbps());
  EXPECT_FALSE(report.has_flow_summary());
}

}  // namespace
}  // namespace fabrictwin
