// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/limits_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace fabrictwin::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

void add_rank(v1::Report& report, double finish, double communication) {
  v1::Rank& rank = *report.add_ranks();
  rank.set_rank(report.ranks_size() - 1);
  rank.set_host(10 * (report.ranks_size() - 1));
  rank.set_finish_seconds(finish);
  rank.set_communication_seconds(communication);
}

void add_link(v1::Report& report, const std::string& name, double utilization, double stalled) {
  v1::LinkReport& link = *report.add_links();
  link.set_name(name);
  link.set_packets(1);
  link.set_utilization(utilization);
  link.set_credit_stall_seconds(stalled);
}

void add_partition(v1::Report& report, const std::string& name, double busy) {
  v1::PartitionReport& partition = *report.add_partitions();
  partition.set_name(name);
  partition.set_kind("RTL");
  partition.set_place("worker:shm");
  partition.set_busy_seconds(busy);
}

v1::Report small_report() {
  v1::Report report;
  report.mutable_run()->set_experiment("mixed.textproto");
  report.set_simulated_seconds(0.01);
  report.set_wall_seconds(4);
  return report;
}

std::string limits(const v1::Report& report) {
  std::string text;
  add_limits(report, text);
  return text;
}

TEST(LimitsTextTest, NamesTheBusiestLink) {
  v1::Report report = small_report();
  add_link(report, "a->b", 0.2, 0.005);
  add_link(report, "b->c", 0.75, 0.001);
  EXPECT_THAT(limits(report),
              HasSubstr("link       b->c\n             used 75.00 %, without credits 10.00 % of the time"));
  EXPECT_THAT(limits(report), HasSubstr("fabrictwin run mixed.textproto --html run.html"));
  report.mutable_provenance()->set_command("fabrictwin run mixed.textproto --use 'router[*]=RTL'");
  EXPECT_THAT(limits(report), HasSubstr("fabrictwin run mixed.textproto --use 'router[*]=RTL' --html run.html"));
  // Other outputs are not made again.
  report.mutable_provenance()->set_command(
      "fabrictwin run mixed.textproto --html a.html --seed 3 --record --db=h.db --json --out 'a folder'");
  EXPECT_THAT(limits(report), HasSubstr("fabrictwin run mixed.textproto --seed 3 --html run.html\n"));
  report.mutable_run()->set_experiment("<stdin>");
  report.clear_provenance();
  EXPECT_THAT(limits(report), HasSubstr("fabrictwin run - --html run.html\n"));
}

TEST(LimitsTextTest, NamesTheRankThatTheOthersWaitFor) {
  v1::Report report = small_report();
  add_rank(report, 0.0050, 0.001);
  add_rank(report, 0.0100, 0.008);
  add_rank(report, 0.0100, 0.002);
  EXPECT_THAT(limits(report),
              HasSubstr("rank       2 on host 20\n             ends at 10 ms, communicates for 20.00 % of that"));
}

TEST(LimitsTextTest, NamesThePartitionThatSimulatesLongest) {
  v1::Report report = small_report();
  add_partition(report, "router[0]", 1);
  add_partition(report, "router[1]", 3);
  EXPECT_THAT(limits(report),
              HasSubstr("partition  router[1] (RTL, worker:shm)\n             simulates for 75.00 % of the wall time"));
  EXPECT_THAT(limits(report), HasSubstr("fabrictwin describe mixed.textproto\n"));
  // Rules and changes say who simulates what; describe knows nothing of other options.
  report.mutable_provenance()->set_command(
      "build/fabrictwin run mixed.textproto --use 'router[1, 2]=RTL' --json --set=seed=2 --threads 2 --split 2");
  EXPECT_THAT(
      limits(report),
      HasSubstr(" build/fabrictwin describe mixed.textproto --use 'router[1, 2]=RTL' --set=seed=2 --split 2\n"));
}

TEST(LimitsTextTest, ALinkThatIsHardlyUsedHasLimitedNothing) {
  v1::Report report = small_report();
  add_link(report, "a->b", 0.00002, 0.00001);
  EXPECT_EQ(limits(report), "");
  // Packets wait for a tenth of the time.
  report.mutable_links(0)->set_credit_stall_seconds(0.001);
  EXPECT_THAT(limits(report), HasSubstr("used 0.00 %, without credits 10.00 % of the time"));
}

TEST(LimitsTextTest, ARunThatWasCutIsNotTheEndOfARank) {
  v1::Report report = small_report();
  report.set_reason("stopped by stop.after_simulated before the workload ended");
  add_rank(report, 0.0030, 0.0006);
  EXPECT_THAT(limits(report),
              HasSubstr("rank       0 on host 0\n             was cut at 3 ms, communicates for 20.00 % of that"));
  report.set_complete(true);
  EXPECT_THAT(limits(report), HasSubstr("ends at 3 ms, communicates for 20.00 % of that"));
}

// They are to be copied into a shell.
TEST(LimitsTextTest, QuotesThePathsOfItsCommands) {
  v1::Report report = small_report();
  report.mutable_run()->set_experiment("a; touch 'x y'.textproto");
  add_link(report, "a->b", 0.2, 0.005);
  add_partition(report, "router[0]", 1);
  const std::string path = R"('a; touch '\''x y'\''.textproto')";
  EXPECT_THAT(limits(report), HasSubstr(" fabrictwin run " + path + " --html run.html\n"));
  EXPECT_THAT(limits(report), HasSubstr(" fabrictwin describe " + path + "\n"));
  report.mutable_provenance()->set_command("'/opt/my tools/fabrictwin' run " + path + " --html a.html --set seed=2");
  EXPECT_THAT(limits(report), HasSubstr(" '/opt/my tools/fabrictwin' run " + path + " --set seed=2 --html run.html\n"));
  EXPECT_THAT(limits(report), HasSubstr(" '/opt/my tools/fabrictwin' describe " + path + " --set seed=2\n"));
}

TEST(LimitsTextTest, LeavesOutWhatARunDidNotHave) {
  v1::Report report = small_report();
  EXPECT_EQ(limits(report), "");
  report.add_links()->set_name("never used");
  add_rank(report, 0, 0);
  EXPECT_EQ(limits(report), "");
  add_partition(report, "models", 1);
  EXPECT_THAT(limits(report), Not(HasSubstr("link ")));
  report.set_wall_seconds(0);
  EXPECT_EQ(limits(report), "");
}

}  // namespace
}  // namespace fabrictwin::report
