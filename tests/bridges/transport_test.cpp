// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The law over all transports: where a partition runs and how its records travel changes nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <tuple>

#include "tests/bridges/token_run.h"

namespace fabrictwin {
namespace {

/// Events and records of partitions by their names.
std::map<std::string, std::tuple<std::string, std::string, uint64_t, uint64_t>> counts_of(const auto& partitions) {
  std::map<std::string, std::tuple<std::string, std::string, uint64_t, uint64_t>> counts;
  for (const v1::PartitionReport& partition : partitions) {
    counts[partition.name()] = {partition.place(), partition.kind(), partition.records_in(), partition.records_out()};
  }
  return counts;
}

class Transports : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(Transports, GiveTheSameResultAndShowAllPartitionsWhileTheyRun) {
  TokenRunOptions options;
  options.uses = GetParam();
  const TokenOutcome outcome = run_tokens(options);
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_TRUE(outcome.report.complete());
  EXPECT_EQ(outcome.report.timing_digest(), local_token_report().timing_digest());
  EXPECT_EQ(outcome.report.simulated_fs(), local_token_report().simulated_fs());
  ASSERT_EQ(outcome.report.links_size(), local_token_report().links_size());
  for (int i = 0; i < outcome.report.links_size(); ++i) {
    EXPECT_EQ(outcome.report.links(i).bytes(), local_token_report().links(i).bytes()) << outcome.report.links(i).name();
  }
  EXPECT_EQ(outcome.report.partitions_size(), local_token_report().partitions_size());

  EXPECT_EQ(counts_of(outcome.sampled), counts_of(outcome.report.partitions()));
  size_t elsewhere = 0;
  for (const v1::PartitionReport& partition : outcome.report.partitions()) {
    if (partition.place() == "inproc") continue;
    ++elsewhere;
    EXPECT_EQ(counts_of(outcome.live).count(partition.name()), 1u) << partition.name();
  }
  ASSERT_EQ(outcome.live.size(), elsewhere);
  for (const v1::PartitionReport& partition : outcome.live) {
    // A soft board writes its counters down now and then.
    EXPECT_TRUE(partition.kind() == "BOARD" || partition.records_in() > 0) << partition.name();
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Transports,
    testing::Values(std::vector<std::string>{"router[1]=RTL", "router[2]=RTL"},
                    std::vector<std::string>{"router[1]=RTL@worker:shm", "router[2]=RTL"},
                    std::vector<std::string>{"router[1]=RTL@worker:unix", "router[2]=RTL"},
                    std::vector<std::string>{"router[1]=RTL@worker:tcp", "router[2]=RTL"},
                    std::vector<std::string>{"router[1]=BOARD@soft", "router[2]=RTL"},
                    // Two partitions in one worker, linked to each other.
                    std::vector<std::string>{"router[1..2]=RTL@worker:unix"},
                    std::vector<std::string>{"router[1..2]=RTL@worker:shm"},
                    // Two workers, linked to each other through this process or directly.
                    std::vector<std::string>{"router[1]=RTL@worker:unix", "router[2]=RTL@worker:unix"},
                    std::vector<std::string>{"router[1]=RTL@worker:shm", "router[2]=RTL@worker:shm"},
                    std::vector<std::string>{"router[1]=RTL@worker:shm", "router[2]=RTL@worker:tcp"},
                    std::vector<std::string>{"router[1]=BOARD@soft", "router[2]=RTL@worker:shm"},
                    std::vector<std::string>{"router[1]=BOARD@soft", "router[2]=BOARD@soft"}));

// A caller that kept its connections open would wait for its workers, and they for it.
TEST(Transport, WorkersEndByThemselves) {
  std::ostringstream log;
  const auto before = spdlog::default_logger();
  spdlog::set_default_logger(
      std::make_shared<spdlog::logger>("test", std::make_shared<spdlog::sinks::ostream_sink_mt>(log)));
  TokenRunOptions options;
  options.uses = {"router[1]=RTL@worker:tcp", "router[2]=RTL@worker:unix", "router[3]=BOARD@soft"};
  const TokenOutcome outcome = run_tokens(options);
  spdlog::set_default_logger(before);
  EXPECT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_EQ(log.str(), "");
}

/// The values of a metric by its labels.
std::map<std::string, double> values_of(const observe::MetricReports& metrics) {
  std::map<std::string, double> values;
  for (const v1::MetricReport& series : metrics) {
    std::string labels(series.name());
    for (const v1::MetricLabel& label : series.labels()) labels += " " + label.name() + "=" + label.value();
    EXPECT_TRUE(values.emplace(labels, series.value()).second) << labels << " is there twice";
  }
  return values;
}

// The report has what all partitions measured, and a scrape what those in workers have measured so far.
TEST(Transport, MetricsOfWorkersHaveTheirPlace) {
  for (const std::string place : {"worker:shm", "worker:unix"}) {
    TokenRunOptions options;
    options.uses = {"router[1]=MODEL@" + place, "router[2]=RTL@" + place};
    const TokenOutcome outcome = run_tokens(options);
    ASSERT_TRUE(outcome.status.ok()) << outcome.status;
    std::map<std::string, double> expected;
    std::map<std::string, double> elsewhere;
    for (const v1::PartitionReport& partition : outcome.report.partitions()) {
      const bool here = partition.place() == "inproc";
      std::string labels = "fabrictwin_test_tokens_total partition=" + partition.name();
      if (!here) labels += " place=" + partition.place();
      expected[labels] = static_cast<double>(partition.events());
      if (!here) elsewhere[labels] = expected[labels];
    }
    EXPECT_EQ(expected.size(), 3u);
    EXPECT_EQ(values_of(outcome.report.metrics()), expected);
    const std::map<std::string, double> live = values_of(outcome.live_metrics);
    ASSERT_EQ(live.size(), 2u);
    for (const auto& [labels, value] : live) {
      ASSERT_TRUE(elsewhere.contains(labels)) << labels;
      EXPECT_GT(value, 0) << labels;
      EXPECT_LE(value, elsewhere[labels]) << labels;
    }
  }
}

/// How long a row of a timeline is busy, in seconds.
double busy_seconds_of(const v1::PartitionTimeline& timeline, const v1::PartitionRow& row) {
  double busy = 0;
  double begin = 0;
  for (int i = 0; i < timeline.wall_end_seconds_size(); ++i) {
    busy += row.busy_permille(i) * 1e-3 * (timeline.wall_end_seconds(i) - begin);
    begin = timeline.wall_end_seconds(i);
  }
  return busy;
}

// Whether a place answers in time does not depend on how fast this machine is: it is asked from inside the run.
TEST_P(Transports, TellHowLongPartitionsWereBusyWhileTheyRun) {
  for (const bool watched : {true, false}) {
    TokenRunOptions options;
    options.uses = GetParam();
    options.watched = watched;
    const TokenOutcome outcome = run_tokens(options);
    ASSERT_TRUE(outcome.status.ok()) << outcome.status;
    EXPECT_EQ(outcome.report.timing_digest(), local_token_report().timing_digest());
    std::map<std::string, double> busy;
    for (const v1::PartitionReport& partition : outcome.report.partitions())
      busy[partition.name()] = partition.busy_seconds();
    const v1::PartitionTimeline& timeline = outcome.timeline;
    ASSERT_EQ(timeline.rows_size(), outcome.report.partitions_size());
    ASSERT_GT(timeline.wall_end_seconds_size(), 0);
    const double end = timeline.wall_end_seconds(timeline.wall_end_seconds_size() - 1);
    for (const v1::PartitionRow& row : timeline.rows()) {
      EXPECT_FALSE(row.spread()) << row.partition();
      // Shares are rounded to thousandths.
      EXPECT_NEAR(busy_seconds_of(timeline, row), std::min(busy.at(row.partition()), end), 0.001 * end)
          << row.partition() << " at " << row.place();
    }
  }
}

TEST(Transport, ThreadsChangeNothing) {
  TokenRunOptions options;
  options.uses = {"router[1]=RTL@worker:unix", "router[2]=RTL"};
  options.threads = 2;
  const TokenOutcome outcome = run_tokens(options);
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_EQ(outcome.report.timing_digest(), local_token_report().timing_digest());
}

// A millisecond without events is some eight thousand link latencies, but takes a handful of messages.
class IdleStretch : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(IdleStretch, CostsNoMessages) {
  TokenRunOptions options;
  options.load.count = 1;
  options.load.bursts = 10;
  options.load.hops = 2;
  options.load.gap = Time::from_us(100'000);
  options.uses = GetParam();
  const TokenOutcome outcome = run_tokens(options);
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_GT(outcome.report.simulated_seconds(), 0.9);
  uint64_t messages = 0;
  for (const run::TransportCounters& transport : outcome.transports) messages += transport.messages;
  EXPECT_LT(messages, 1000u);
}

INSTANTIATE_TEST_SUITE_P(
    All, IdleStretch,
    testing::Values(std::vector<std::string>{"router[1]=RTL@worker:unix"},
                    std::vector<std::string>{"router[1..2]=RTL@worker:unix"},
                    std::vector<std::string>{"router[1]=RTL@worker:unix", "router[2]=RTL@worker:unix"},
                    std::vector<std::string>{"router[1]=RTL@worker:shm", "router[2]=RTL@worker:unix"},
                    std::vector<std::string>{"router[1]=BOARD@soft"}));

// With a latency of 100 us far more records are on their way than a ring has slots.
class BackPressure : public testing::TestWithParam<std::string> {};

TEST_P(BackPressure, HoldsRecordsBackAndLosesNone) {
  TokenRunOptions options;
  options.sets = {"topology.torus.link_latency=100us", "topology.torus.tile_latency=100us"};
  options.load.count = 4000;
  options.load.bursts = 1;
  options.load.hops = 4;
  options.uses = {"router[1]=RTL"};
  const TokenOutcome expected = run_tokens(options);
  ASSERT_TRUE(expected.status.ok()) << expected.status;
  options.uses = {"router[1]=RTL@" + GetParam()};
  if (GetParam() == "soft") options.uses = {"router[1]=BOARD@soft"};
  const TokenOutcome outcome = run_tokens(options);
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_EQ(outcome.report.timing_digest(), expected.report.timing_digest());
}

INSTANTIATE_TEST_SUITE_P(All, BackPressure, testing::Values("worker:shm", "worker:unix", "worker:tcp", "soft"));

}  // namespace
}  // namespace fabrictwin
