// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/report_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "cosim/base/text.h"
#include "workloads/tenants.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
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

/// What `fabrictwin run` prints.
std::string text_of(const v1::Report& report) { return report::report_text(report, workloads::results_text(report)); }

TEST(ReportTextTest, TellsTheRun) {
  const std::string text = text_of(small_report());
  EXPECT_THAT(text, HasSubstr("experiment      mixed.textproto\n"));
  EXPECT_THAT(text, HasSubstr("complete        yes\n"));
  EXPECT_THAT(text, HasSubstr("simulated       12.3 ms\n"));
  EXPECT_THAT(text, HasSubstr("wall            2 s (6.15 ms simulated a second)\n"));
  EXPECT_THAT(text, HasSubstr("timing digest   0123456789abcdef\n"));
  EXPECT_THAT(text, HasSubstr("  router[1]  RTL   worker:unix"));
  EXPECT_THAT(text, Not(HasSubstr("ranks")));
  EXPECT_THAT(text, Not(HasSubstr("violations")));
}

TEST(ReportTextTest, HasNoTablesOfNothing) {
  v1::Report report = small_report();
  report.clear_links();
  report.clear_partitions();
  report.mutable_puts()->set_operation("put");
  const std::string text = text_of(report);
  EXPECT_THAT(text, Not(HasSubstr("links")));
  EXPECT_THAT(text, Not(HasSubstr("partitions")));
  EXPECT_THAT(text, Not(HasSubstr("puts")));
}

TEST(ReportTextTest, TablesFitTerminals) {
  v1::Report report = small_report();
  v1::PartitionReport& partition = *report.mutable_partitions(0);
  partition.set_events(1912173000);
  partition.set_busy_seconds(1.024);
  partition.set_wait_seconds(323.9);
  partition.set_records_in(634130000);
  partition.set_records_out(634894000);
  v1::LinkReport& link = *report.add_links();
  link.set_name("qfdb[0].router.x+->qfdb[1].router.x-");
  link.set_packets(123456789);
  link.set_bytes(1234567890123);
  link.set_utilization(1);
  link.set_stall_to_flit(0.1658);
  link.set_credit_stall_seconds(71.36e-6);
  v1::TrafficReport& traffic = *report.mutable_traffic();
  traffic.set_saturated(false);
  traffic.mutable_latency_cycles()->set_mean(266.27);
  traffic.set_accepted_load_min_node(0.168);
  traffic.set_mean_hops(4.427);
  for (const std::string_view line : split(text_of(report), "\n")) EXPECT_LE(line.size(), 80u) << line;
}

TEST(ReportTextTest, PercentilesGoOnInAnotherLine) {
  v1::Report report = small_report();
  v1::LatencySeconds& latency = *report.mutable_traffic()->mutable_latency_seconds();
  latency.set_p50(1.234e-6);
  latency.set_p90(2.345e-6);
  latency.set_p99(3.456e-6);
  latency.set_p99_9(4.567e-6);
  latency.set_p99_99(5.678e-6);
  EXPECT_THAT(text_of(report), HasSubstr("\n  latency p50 1.234 us, p90 2.345 us, p99 3.456 us, p99.9 4.567 us,\n"
                                         "          p99.99 5.678 us\n"));
}

TEST(ReportTextTest, SaysHowSureTrafficIs) {
  v1::Report report = small_report();
  v1::TrafficReport& traffic = *report.mutable_traffic();
  traffic.set_saturated(false);
  traffic.mutable_latency_cycles()->set_mean(50);
  traffic.mutable_latency_cycles()->set_confidence(1.25);
  EXPECT_THAT(text_of(report), Not(HasSubstr("confidence")));
  traffic.set_accepted_load_confidence(0.004);
  EXPECT_THAT(text_of(report), HasSubstr("95 % confidence: latency +/- 1.25 cycles, accepted load +/- 0.4"));
}

TEST(ReportTextTest, NoPacketsHaveNoLatency) {
  v1::Report report = small_report();
  report.mutable_traffic()->set_packets_sent(3);
  EXPECT_THAT(text_of(report), MatchesRegex("(.|\n)* 3 +0 +- +-\n(.|\n)*"));
  report.mutable_traffic()->set_mean_latency_seconds(1e-6);
  report.mutable_traffic()->set_max_latency_seconds(2e-6);
  EXPECT_THAT(text_of(report), MatchesRegex("(.|\n)* 3 +0 +1 us +2 us\n(.|\n)*"));
}

TEST(ReportTextTest, ListsTheBusiestLinksFirst) {
  const std::string text = text_of(small_report());
  EXPECT_THAT(text, HasSubstr("busiest links (11 of 12 were used)"));
  EXPECT_LT(text.find("link11 "), text.find("link10 "));
  EXPECT_THAT(text, Not(HasSubstr("link3 ")));
  EXPECT_THAT(text, Not(HasSubstr("link0 "))) << "only ten are listed";
}

TEST(ReportTextTest, ListsTheMostStalledLinksFirst) {
  v1::Report report = small_report();
  EXPECT_THAT(text_of(report), Not(HasSubstr("links with most stalls"))) << "none had any";
  report.mutable_links(2)->set_stall_to_flit(0.25);
  report.mutable_links(7)->set_stall_to_flit(1.5);
  report.mutable_links(3)->set_stall_to_flit(9);  // It carried nothing.
  const std::string text = text_of(report);
  const std::string stalls = text.substr(text.find("links with most stalls (2 had any)"));
  EXPECT_THAT(stalls, HasSubstr("link7           1.5000"));
  EXPECT_LT(stalls.find("link7 "), stalls.find("link2 "));
  EXPECT_THAT(stalls, Not(HasSubstr("link3 ")));
}

TEST(ReportTextTest, TellsStatistics) {
  v1::Report report = small_report();
  EXPECT_THAT(text_of(report), Not(HasSubstr("input buffers")));
  v1::LatencySeconds& latency = *report.mutable_message_latency_seconds();
  latency.set_count(12);
  latency.set_mean(2e-6);
  latency.set_p50(1e-6);
  latency.set_p99_99(5e-6);
  report.mutable_traffic()->set_jain_index(0.98765);
  v1::OccupancyReport& occupancy = *report.mutable_occupancy();
  occupancy.set_routers(4);
  occupancy.set_capacity_flits(360);
  for (int i = 0; i < 40; ++i) {
    v1::OccupancyInterval& interval = *occupancy.add_intervals();
    interval.set_end_seconds((i + 1) * 1e-6);
    interval.set_samples(i < 39 ? 2 : 1);
    interval.set_mean_flits(i);
    interval.set_max_flits(2 * i);
  }
  report.mutable_packet_trace()->set_packets(7);
  report.mutable_packet_trace()->set_unfinished(2);
  report.mutable_packet_trace()->set_file("p.json");
  const std::string text = text_of(report);
  EXPECT_THAT(text,
              HasSubstr("  12 messages, mean latency 2 us, p50 1 us, p90 0 s, p99 0 s, p99.9 0 s,\n  p99.99 5 us\n"));
  EXPECT_THAT(text, HasSubstr("Jain index of the hosts 0.9877"));
  EXPECT_THAT(text, HasSubstr("input buffers of 4 routers, of 360 flits each at most\n"));
  EXPECT_THAT(text, HasSubstr("  3 us         1.00           4\n"));  // Three intervals a line.
  EXPECT_THAT(text, HasSubstr("  40 us       39.00          78\n"));
  EXPECT_THAT(text, HasSubstr("  7 packets in p.json; 2 had not arrived\n"));
}

TEST(ReportTextTest, SaysWhyAReportIsPartial) {
  v1::Report report = small_report();
  report.set_complete(false);
  report.set_reason("interrupted");
  report.add_violations("late record");
  EXPECT_THAT(text_of(report), HasSubstr("complete        no: interrupted\n"));
  EXPECT_THAT(text_of(report), HasSubstr("violations\n  late record\n"));
}

TEST(ReportTextTest, CutsLongListsOfRanks) {
  v1::Report report = small_report();
  for (int i = 0; i < 40; ++i) report.add_ranks()->set_rank(i);
  EXPECT_THAT(text_of(report), HasSubstr("and 8 more ranks"));
}

}  // namespace
}  // namespace fabrictwin
