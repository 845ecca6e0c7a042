// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/report_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

v1::Report small_report() {
  v1::Report report;
  report.mutable_run()->set_experiment("mixed.textproto");
  report.mutable_run()->set_topology("torus 2x2x2");
  report.mutable_run()->set_seed(7);
  report.mutable_run()->set_threads(2);
  report.set_timing_digest("0123456789abcdef");
  report.set_payload_digest("fedcba9876543210");
  report.set_simulated_seconds(0.0123);
  report.set_wall_seconds(2);
  report.set_packets_delivered(42);
  report.set_complete(true);
  for (int i = 0; i < 12; ++i) {
    v1::LinkReport& link = *report.add_links();
    link.set_name("link" + std::to_string(i));
    link.set_packets(i == 3 ? 0 : 5);
    link.set_utilization(i / 100.0);
  }
  v1::PartitionReport& partition = *report.add_partitions();
  partition.set_name("router[1]");
  partition.set_kind("RTL");
  partition.set_place("worker:unix");
  return report;
}

TEST(ReportTextTest, TellsTheRun) {
  const std::string text = report_text(small_report());
  EXPECT_THAT(text, HasSubstr("experiment      mixed.textproto\n"));
  EXPECT_THAT(text, HasSubstr("complete        yes\n"));
  EXPECT_THAT(text, HasSubstr("simulated       12.3 ms\n"));
  EXPECT_THAT(text, HasSubstr("wall            2 s (6.15 ms simulated a second)\n"));
  EXPECT_THAT(text, HasSubstr("timing digest   0123456789abcdef\n"));
  EXPECT_THAT(text, HasSubstr("  router[1]  RTL   worker:unix"));
  EXPECT_THAT(text, Not(HasSubstr("ranks")));
  EXPECT_THAT(text, Not(HasSubstr("violations")));
}

TEST(ReportTextTest, SaysHowSureTrafficIs) {
  v1::Report report = small_report();
  v1::TrafficReport& traffic = *report.mutable_traffic();
  traffic.mutable_latency_cycles()->set_mean(50);
  traffic.mutable_latency_cycles()->set_confidence(1.25);
  EXPECT_THAT(report_text(report), Not(HasSubstr("confidence")));
  traffic.set_accepted_load_confidence(0.004);
  EXPECT_THAT(report_text(report), HasSubstr("95 % confidence: latency +/- 1.25 cycles, accepted load +/- 0.4"));
}

TEST(ReportTextTest, ListsTheBusiestLinksFirst) {
  const std::string text = report_text(small_report());
  EXPECT_THAT(text, HasSubstr("busiest links (11 of 12 were used)"));
  EXPECT_LT(text.find("link11 "), text.find("link10 "));
  EXPECT_THAT(text, Not(HasSubstr("link3 ")));
  EXPECT_THAT(text, Not(HasSubstr("link0 "))) << "only ten are listed";
}

TEST(ReportTextTest, SaysWhyAReportIsPartial) {
  v1::Report report = small_report();
  report.set_complete(false);
  report.set_reason("interrupted");
  report.add_violations("late record");
  EXPECT_THAT(report_text(report), HasSubstr("complete        no: interrupted\n"));
  EXPECT_THAT(report_text(report), HasSubstr("violations\n  late record\n"));
}

TEST(ReportTextTest, CutsLongListsOfRanks) {
  v1::Report report = small_report();
  for (int i = 0; i < 40; ++i) report.add_ranks()->set_rank(i);
  EXPECT_THAT(report_text(report), HasSubstr("and 8 more ranks"));
}

}  // namespace
}  // namespace fabrictwin
