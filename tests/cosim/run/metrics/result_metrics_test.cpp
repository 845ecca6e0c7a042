// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/metrics/result_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "cosim/observe/metric_report.h"

namespace fabrictwin {
namespace {

using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

std::vector<std::pair<std::string, double>> metrics_of(const v1::Report& result) {
  observe::MetricReports reports;
  observe::MetricReporter reporter(reports, true);
  run::metrics::measure_result(result, reporter);
  std::vector<std::pair<std::string, double>> metrics;
  for (const v1::MetricReport& report : reports) {
    std::string name = report.name();
    for (const v1::MetricLabel& label : report.labels()) name += " " + label.value();
    metrics.emplace_back(name, report.value());
  }
  return metrics;
}

TEST(ResultMetrics, AreThoseThatTheReportHas) {
  v1::Report report;
  EXPECT_THAT(metrics_of(report), IsEmpty());
  report.mutable_control()->set_false_marks(0);
  EXPECT_THAT(metrics_of(report), UnorderedElementsAre(Pair("fabrictwin_false_marks_total", 0)));
  v1::FlowSummary& flows = *report.mutable_flow_summary();
  EXPECT_THAT(metrics_of(report), UnorderedElementsAre(Pair("fabrictwin_false_marks_total", 0)));
  flows.set_jain_index(0.5);
  flows.set_min_over_max_min(0.25);
  flows.set_jain_over_max_min(0.75);
  flows.set_convergence_seconds(0.001);
  report.add_faults()->set_link("a.p0");
  v1::FaultReport& fault = *report.add_faults();
  fault.set_link("b.p1");
  fault.set_recovery_seconds(2e-6);
  v1::GpcnetRow& row = *report.mutable_gpcnet()->add_rows();
  row.set_test("RR");
  row.set_cif_mean(1.5);
  row.set_cif_p99(3);
  EXPECT_THAT(
      metrics_of(report),
      UnorderedElementsAre(
          Pair("fabrictwin_false_marks_total", 0), Pair("fabrictwin_flow_jain_index", 0.5),
          Pair("fabrictwin_flow_min_over_max_min_ratio", 0.25), Pair("fabrictwin_flow_jain_over_max_min_index", 0.75),
          Pair("fabrictwin_flow_convergence_seconds", 0.001), Pair("fabrictwin_fault_recovery_seconds 1 b.p1", 2e-6),
          Pair("fabrictwin_gpcnet_impact_ratio RR mean", 1.5), Pair("fabrictwin_gpcnet_impact_ratio RR p99", 3)));
}

TEST(ResultMetrics, FlowsAndClassesHaveGoodputInTheWindowAndAgain) {
  v1::Report report;
  v1::FlowReport& flow = *report.add_flows();
  flow.set_source(3);
  flow.set_destination(5);
  flow.set_window_goodput_gbps(8);
  v1::ClassReport& hot = *report.add_classes();
  hot.set_name("hot");
  hot.set_window_goodput_gbps(0.5);
  hot.set_goodput_recovery_seconds(2e-3);
  v1::FaultReport& fault = *report.add_faults();
  fault.set_link("a.p0");
  fault.set_goodput_recovery_seconds(1e-3);
  EXPECT_THAT(metrics_of(report),
              UnorderedElementsAre(Pair("fabrictwin_flow_window_goodput_bytes_per_second 0 3 5", 1e9),
                                   Pair("fabrictwin_class_window_goodput_bytes_per_second hot", 62.5e6),
                                   Pair("fabrictwin_class_goodput_recovery_seconds hot", 2e-3),
                                   Pair("fabrictwin_fault_goodput_recovery_seconds 0 a.p0", 1e-3)));
}

}  // namespace
}  // namespace fabrictwin
