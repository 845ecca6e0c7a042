// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/metrics/study_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "models/network/topology.h"
#include "models/partition/factory.h"
#include "tests/experiments.h"
#include "workloads/workload_factory.h"

namespace fabrictwin {
namespace {

using run::metrics::StudyMetrics;
using run::metrics::WatchedRun;
using ::testing::Contains;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;

/// A scrape: the value of each metric, of its last series, and the labels of those that carry nothing else.
struct Scraped {
  std::map<std::string, double> values;
  std::map<std::string, std::string> labels;  ///< Of fabrictwin_study_info and fabrictwin_run_info.
};

Scraped scraped(StudyMetrics& metrics) {
  observe::MetricReports reports;
  observe::MetricReporter reporter(reports, true);
  metrics.measure(reporter);
  Scraped result;
  for (const v1::MetricReport& report : reports) {
    result.values[report.name()] = report.value();
    if (report.name() == "fabrictwin_study_info" || report.name() == "fabrictwin_run_info")
      for (const v1::MetricLabel& label : report.labels()) result.labels[label.name()] = label.value();
  }
  return result;
}

/// A run that ends; if not `possible`, one whose models cannot be built.
std::unique_ptr<run::Run> make_run(const std::string& file, bool possible = true) {
  absl::StatusOr<experiment::Experiment> experiment = test::parse_experiment(
      "topology { torus { dims: 2 } } workload { traffic { load: 0.3 payload: \"64B\" duration: \"1us\" } }", file);
  EXPECT_TRUE(experiment.ok()) << experiment.status();
  if (!experiment.ok()) return nullptr;
  run::Registry registry;
  registry.tenants = workloads::tenants();
  registry.topology = network::build_topology;
  registry.model = [possible](const run::PartitionContext& context) {
    return possible ? partition::create_model_partition(context, workloads::make_workload)
                    : absl::StatusOr<std::unique_ptr<engine::Partition>>(absl::UnimplementedError("not here"));
  };
  absl::StatusOr<std::unique_ptr<run::Run>> run = run::Run::create(*std::move(experiment), std::move(registry), {}, {});
  EXPECT_TRUE(run.ok()) << run.status();
  return run.ok() ? *std::move(run) : nullptr;
}

class StudyMetricsTest : public ::testing::Test {
 protected:
  StudyMetrics metrics_{"compare", {"s1", "1.2.3", "abc", "node1"}, {}};
};

TEST_F(StudyMetricsTest, CountsRuns) {
  EXPECT_THAT(scraped(metrics_).values, Not(Contains(Key("fabrictwin_study_runs")))) << "it is not known yet";
  metrics_.expect(4);
  metrics_.run_ended(absl::OkStatus());
  metrics_.run_ended(absl::AbortedError("it failed"));
  metrics_.run_ended(absl::CancelledError("interrupted"));
  const Scraped now = scraped(metrics_);
  EXPECT_EQ(now.labels.at("command"), "compare");
  EXPECT_EQ(now.labels.at("study"), "s1");
  EXPECT_EQ(now.labels.at("place"), "node1");
  EXPECT_THAT(now.values, Contains(Pair("fabrictwin_study_runs", 4)));
  EXPECT_THAT(now.values, Contains(Pair("fabrictwin_study_runs_ended_total", 2)));
  EXPECT_THAT(now.values, Contains(Pair("fabrictwin_study_runs_failed_total", 1)));
  EXPECT_THAT(now.values, Contains(Pair("fabrictwin_study_runs_active", 0)));
  EXPECT_THAT(now.values, Contains(Pair("fabrictwin_study_state", 0)));
  EXPECT_THAT(now.values, Not(Contains(Key("fabrictwin_run_info")))) << "no run has begun";
}

TEST_F(StudyMetricsTest, SaysHowItEnded) {
  metrics_.finish(false);
  EXPECT_THAT(scraped(metrics_).values, Contains(Pair("fabrictwin_study_state", 2)));
  metrics_.finish(true);
  EXPECT_THAT(scraped(metrics_).values, Contains(Pair("fabrictwin_study_state", 1)));
}

TEST_F(StudyMetricsTest, ShowsTheRunThatBeganLastOfThoseThatGoOn) {
  const auto first = make_run("first");
  const auto second = make_run("second");
  ASSERT_TRUE(first && second);
  auto earlier = std::make_unique<WatchedRun>(&metrics_, *first);
  EXPECT_EQ(scraped(metrics_).labels.at("run"), "s1-1");
  {
    const WatchedRun later(&metrics_, *second);
    const Scraped now = scraped(metrics_);
    EXPECT_EQ(now.labels.at("run"), "s1-2");
    EXPECT_EQ(now.labels.at("experiment"), "second");
    EXPECT_THAT(now.values, Contains(Pair("fabrictwin_study_runs_active", 2)));
    EXPECT_THAT(now.values, Contains(Pair("fabrictwin_run_state", 0)));
  }
  EXPECT_EQ(scraped(metrics_).labels.at("experiment"), "first");
}

TEST_F(StudyMetricsTest, KeepsTheFinalValuesOfAShortRun) {
  auto run = make_run("short");
  ASSERT_NE(run, nullptr);
  {
    const WatchedRun watched(&metrics_, *run);
    ASSERT_TRUE(run->execute({}).ok());
  }
  const double packets = static_cast<double>(run->report().packets_delivered());
  EXPECT_GT(packets, 0);
  run.reset();
  const Scraped after = scraped(metrics_);
  EXPECT_EQ(after.labels.at("run"), "s1-1");
  EXPECT_THAT(after.values, Contains(Pair("fabrictwin_run_state", 1)));
  EXPECT_THAT(after.values, Contains(Pair("fabrictwin_packets_delivered_total", packets)));
  EXPECT_THAT(after.values, Contains(Pair("fabrictwin_study_runs_active", 0)));
  // They go when another run begins.
  const auto next = make_run("next");
  const WatchedRun watched(&metrics_, *next);
  EXPECT_EQ(scraped(metrics_).labels.at("experiment"), "next");
}

TEST_F(StudyMetricsTest, ARunThatCouldNotBeginHasEndedEarly) {
  const auto run = make_run("impossible", false);
  ASSERT_NE(run, nullptr);
  const WatchedRun watched(&metrics_, *run);
  EXPECT_THAT(scraped(metrics_).values, Contains(Pair("fabrictwin_run_state", 0)));
  EXPECT_FALSE(run->execute({}).ok());
  EXPECT_TRUE(run->refused());
  EXPECT_THAT(scraped(metrics_).values, Contains(Pair("fabrictwin_run_state", 2)));
}

TEST(WatchedRunTest, NeedsNoStudy) {
  const auto run = make_run("alone");
  ASSERT_NE(run, nullptr);
  const WatchedRun watched(nullptr, *run);
}

}  // namespace
}  // namespace fabrictwin
