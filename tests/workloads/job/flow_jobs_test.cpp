// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Jobs of flows: on hosts of their own, beside ranks, in the background, and what it costs the others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/study/baseline.h"
#include "tests/experiments.h"
#include "tests/test_folder.h"
#include "tests/workloads/run_helpers.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

const std::string kStar =
    "topology { spine_leaf { spines: 1 leaves: 2 hosts_per_leaf: 4 link_rate: \"100Gbps\" host_rate: \"100Gbps\" } }\n"
    "router { model: PACKET packet_payload: \"1000B\" } transport { header: \"48B\" arbitration: ROUND_ROBIN }\n";
const std::string kHpcg =
    "job { name: \"hpcg\" skeleton { ranks: 4 hpcg { local: \"16x16x16\" } } placement { hosts: \"0,1,4,5\" } }";

std::string with_jobs(const std::string& jobs) { return kStar + "workload { jobs { " + jobs + " } }\n"; }

std::string storm(const std::string& placement = "hosts: \"3,2,7,6\"", const std::string& bytes = "1MB") {
  return " job { name: \"storm\" incast { sources: 3 bytes: \"" + bytes + "\" } placement { " + placement +
         " } background: true }";
}

TEST(FlowJobs, NumberTheHostsOfTheirPlacement) {
  const Outcome outcome = run_text(
      with_jobs("job { incast { sources: 2 bytes: \"10kB\" destination: 1 } placement { hosts: \"6,4,1\" } }"));
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  ASSERT_EQ(outcome.report.flows_size(), 2);
  EXPECT_EQ(outcome.report.flows(0).source(), 6);
  EXPECT_EQ(outcome.report.flows(1).source(), 1);
  for (const v1::FlowReport& flow : outcome.report.flows()) {
    EXPECT_EQ(flow.destination(), 4);
    EXPECT_TRUE(flow.has_slowdown());
    EXPECT_TRUE(flow.has_job());
    EXPECT_EQ(flow.job(), 0);
  }
  ASSERT_EQ(outcome.report.jobs_size(), 1);
  EXPECT_EQ(outcome.report.jobs(0).ranks(), 0);
  EXPECT_EQ(outcome.report.jobs(0).completions(), 1u);
  EXPECT_EQ(outcome.report.jobs(0).finish_seconds(), outcome.report.simulated_seconds());
  EXPECT_DOUBLE_EQ(outcome.report.jobs(0).goodput_gbps(), 2 * 10'000 * 8e-9 / outcome.report.simulated_seconds());
  EXPECT_EQ(outcome.done, 1);
}

TEST(FlowJobs, TakeTheHostsThatAreLeft) {
  const Outcome outcome = run_text(with_jobs(kHpcg + " job { name: \"rest\" incast { sources: 3 bytes: \"1kB\" } }"));
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  std::vector<int> sources;
  for (const v1::FlowReport& flow : outcome.report.flows()) {
    sources.push_back(flow.source());
    EXPECT_EQ(flow.destination(), 2);
    EXPECT_EQ(flow.job(), 1) << "ranks are job 0";
  }
  EXPECT_THAT(sources, ::testing::ElementsAre(3, 6, 7));
  EXPECT_EQ(outcome.report.jobs(1).name(), "rest");
  EXPECT_DOUBLE_EQ(outcome.report.jobs(1).goodput_gbps(), 3000 * 8e-9 / outcome.report.jobs(1).finish_seconds());
}

// The storm goes on until HPCG has ended, and the report has each flow once, whatever it has repeated.
TEST(FlowJobs, RepeatInTheBackground) {
  const Outcome outcome = run_text(with_jobs(storm("hosts: \"3,2,7,6\"", "50kB") + kHpcg));
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  const v1::Report& report = outcome.report;
  ASSERT_EQ(report.jobs_size(), 2);
  EXPECT_EQ(report.jobs(0).name(), "storm");
  EXPECT_TRUE(report.jobs(0).background());
  EXPECT_GT(report.jobs(0).completions(), 3u);
  EXPECT_EQ(report.jobs(1).finish_seconds(), report.simulated_seconds());
  ASSERT_EQ(report.flows_size(), 3);
  double sum = 0;
  uint64_t received = 0;
  for (const v1::FlowReport& flow : report.flows()) {
    received += flow.bytes_received();
    EXPECT_EQ(flow.bytes(), 50'000u);
    EXPECT_GE(flow.bytes_received(), report.jobs(0).completions() * flow.bytes());
    // The last repetition that has ended.
    EXPECT_GT(flow.start_seconds(), 0);
    EXPECT_GT(flow.slowdown(), 1);
    EXPECT_LT(flow.start_seconds() + flow.fct_seconds(), report.simulated_seconds() * 1.01);
    // All that came, over the whole time.
    EXPECT_GT(flow.goodput_gbps(), 95.4 / 3 / 2);
    sum += flow.goodput_gbps();
  }
  // The link is never idle.
  EXPECT_NEAR(sum, 95.4, 2);
  EXPECT_DOUBLE_EQ(report.jobs(0).goodput_gbps(), static_cast<double>(received) * 8e-9 / report.simulated_seconds());
  EXPECT_EQ(outcome.done, 1);
}

// Each job has what its own flows have received, and a job that a stop cuts has it up to then.
TEST(FlowJobs, HaveTheGoodputOfTheirOwnFlows) {
  const std::string two =
      "job { name: \"small\" incast { sources: 1 bytes: \"10kB\" } placement { hosts: \"0,1\" } } "
      "job { name: \"large\" incast { sources: 2 bytes: \"100kB\" } placement { hosts: \"2,3,4\" } }";
  const v1::Report report = run_text(with_jobs(two)).report;
  ASSERT_EQ(report.jobs_size(), 2);
  ASSERT_EQ(report.flows_size(), 3);
  EXPECT_EQ(report.flows(0).job(), 0);
  EXPECT_EQ(report.flows(2).job(), 1);
  EXPECT_DOUBLE_EQ(report.jobs(0).goodput_gbps(), 10'000 * 8e-9 / report.jobs(0).finish_seconds());
  EXPECT_DOUBLE_EQ(report.jobs(1).goodput_gbps(), 200'000 * 8e-9 / report.jobs(1).finish_seconds());
  EXPECT_DOUBLE_EQ(report.flow_summary().goodput_gbps(), 210'000 * 8e-9 / report.simulated_seconds());
  EXPECT_DOUBLE_EQ(
      report.flow_summary().least_goodput_gbps(),
      std::min({report.flows(0).goodput_gbps(), report.flows(1).goodput_gbps(), report.flows(2).goodput_gbps()}));
  const v1::Report early =
      run_text(with_jobs("job { name: \"now\" incast { sources: 1 bytes: \"10kB\" } placement { hosts: \"0,1\" } } "
                         "job { name: \"later\" incast { sources: 1 bytes: \"10kB\" start: \"50us\" } placement { "
                         "hosts: \"2,3\" } }") +
               "stop { after_simulated: \"20us\" }")
          .report;
  EXPECT_GT(early.flows(0).goodput_gbps(), 0);
  EXPECT_DOUBLE_EQ(early.flow_summary().least_goodput_gbps(), early.flows(0).goodput_gbps())
      << "a flow that has not begun has no goodput yet";
  const v1::Report cut = run_text(with_jobs(two) + "stop { after_simulated: \"10us\" }").report;
  ASSERT_EQ(cut.jobs_size(), 2);
  EXPECT_EQ(cut.jobs(1).completions(), 0u);
  EXPECT_DOUBLE_EQ(cut.jobs(1).goodput_gbps(),
                   static_cast<double>(cut.flows(1).bytes_received() + cut.flows(2).bytes_received()) * 8e-9 / 10e-6);
}

// Flows without bytes and stop go on for ever.
TEST(FlowJobs, AreEndlessInTheBackgroundOnly) {
  const TestFolder folder;
  const std::string path = folder.write("endless.csv", "source,destination\n0,1\n");
  const std::string flows = " job { flows { file: \"" + path + "\" } placement { hosts: \"2,6\" } ";
  const Outcome outcome = run_text(with_jobs(kHpcg + flows + "background: true }"));
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_GT(outcome.report.flows(0).goodput_gbps(), 85);
  EXPECT_FALSE(outcome.report.flows(0).has_fct_seconds());
  EXPECT_EQ(outcome.report.jobs(1).completions(), 0u);
  EXPECT_THAT(std::string(run_text(with_jobs(kHpcg + flows + "}")).status.message()),
              HasSubstr("there is neither a column bytes nor a column stop"));
}

// Where there is no transport, flows end when they have arrived.
TEST(FlowJobs, RunOnOtherRouters) {
  const Outcome outcome =
      run_text("topology { torus { dims: [4, 2] } } router { model: INPUT_QUEUED } workload { jobs { " + kHpcg +
               storm("hosts: \"3,2,7,6\"", "5kB") + " } }");
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_GT(outcome.report.jobs(1).completions(), 1u);
  EXPECT_GT(outcome.report.flows(0).bytes_received(), 5000u);
}

v1::Report with_baselines(const std::string& text) {
  const auto experiment = test::parse_experiment(text, "test.textproto");
  EXPECT_TRUE(experiment.ok()) << experiment.status();
  if (!experiment.ok()) return {};
  const auto baselines = study::run_baselines(*experiment, [](const experiment::Experiment& one) {
    Outcome outcome = run_experiment(one);
    return outcome.status.ok() ? absl::StatusOr<v1::Report>(std::move(outcome.report)) : outcome.status;
  });
  EXPECT_TRUE(baselines.ok()) << baselines.status();
  Outcome outcome = run_experiment(*experiment);
  EXPECT_TRUE(outcome.status.ok()) << outcome.status;
  if (baselines.ok()) study::add_baselines(*experiment, *baselines, outcome.report);
  return outcome.report;
}

// A job alone ends when it would in an experiment without the others.
TEST(FlowJobs, BaselinesAreTheTimesOfJobsAlone) {
  const v1::Report report = with_baselines(with_jobs("baseline: true " + kHpcg + storm()));
  ASSERT_EQ(report.jobs_size(), 2);
  EXPECT_EQ(report.jobs(0).baseline_seconds(), run_text(with_jobs(kHpcg)).report.simulated_seconds());
  uint64_t sent = 0;
  for (const v1::Rank& rank : report.ranks()) sent += rank.bytes_sent();
  ASSERT_GT(sent, 0u);
  EXPECT_DOUBLE_EQ(report.jobs(0).goodput_gbps(), static_cast<double>(sent) * 8e-9 / report.jobs(0).finish_seconds());
  EXPECT_GT(report.jobs(0).slowdown(), 1);
  EXPECT_DOUBLE_EQ(report.jobs(0).slowdown(), report.jobs(0).finish_seconds() / report.jobs(0).baseline_seconds());
  EXPECT_FALSE(report.jobs(1).has_baseline_seconds());
}

// Two jobs that do not wait for each other, on random hosts: each stays where it is.
TEST(FlowJobs, BaselinesKeepPlacements) {
  const std::string osu =
      "job { osu { benchmark: ALLTOALL sizes: \"64KiB\" ranks: 4 iterations: 2 } placement { kind: RANDOM } }";
  const v1::Report report = with_baselines(with_jobs("baseline: true " + osu + osu));
  ASSERT_EQ(report.jobs_size(), 2);
  for (const v1::JobReport& job : report.jobs()) {
    EXPECT_GT(job.baseline_seconds(), 0);
    EXPECT_GE(job.slowdown(), 1);
  }
  EXPECT_TRUE(with_baselines(with_jobs(osu + osu)).jobs(0).slowdown() == 0);
}

struct FlowJobRefusal {
  const char* name;
  std::string jobs;  ///< On line 3, column 19.
  const char* error;
};

const FlowJobRefusal kFlowJobRefusals[] = {
    {"SourcesBeyondItsHosts", "job { incast { sources: 3 bytes: \"1kB\" } placement { hosts: \"0,1,2\" } }",
     "e.textproto:3:43: error: an incast from 3 hosts to another one needs more than the 3 hosts"},
    {"DestinationBeyondItsHosts",
     "job { incast { sources: 1 bytes: \"1kB\" destination: 7 } placement { hosts: \"0,1\" } }",
     "e.textproto:3:71: error: destination 7: there are hosts 0 to 1"},
    {"RanksOfFlows", "job { incast { sources: 1 bytes: \"1kB\" } placement { ranks_per_host: 2 } }",
     "e.textproto:3:88: error: ranks_per_host is for jobs with ranks"},
    {"OverlapWithRanks",
     kHpcg + " job { name: \"s\" incast { sources: 1 bytes: \"1kB\" } placement { hosts: \"4..6\" } }",
     "e.textproto:3:190: error: host[4] is a host of the jobs hpcg and s"},
    {"OverlapOfRanks",
     "job { name: \"s\" incast { sources: 1 bytes: \"1kB\" } placement { hosts: \"0..2\" } } " + kHpcg,
     "e.textproto:3:187: error: host[0] is a host of the jobs s and hpcg"},
    {"HostTwice", "job { incast { sources: 1 bytes: \"1kB\" } placement { hosts: \"0,1,0\" } }",
     "e.textproto:3:79: error: hosts \"0,1,0\": host 0 is named twice"},
    {"BaselineOfOne", "baseline: true " + kHpcg, "e.textproto:3:29: error: the job has nothing beside it"},
    {"BaselineOfBackground", "baseline: true" + storm() + storm("hosts: \"0,1,4,5\""),
     "e.textproto:3:12: error: all jobs are in the background"},
};

class FlowJobRefused : public ::testing::TestWithParam<FlowJobRefusal> {};

TEST_P(FlowJobRefused, AtItsPlace) {
  const std::string text = with_jobs(GetParam().jobs);
  const auto experiment = test::parse_experiment(text, "e.textproto");
  const absl::Status status = experiment.ok() ? run_experiment(experiment).status : experiment.status();
  EXPECT_THAT(std::string(message_of(status)), HasSubstr(GetParam().error));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
}

INSTANTIATE_TEST_SUITE_P(Jobs, FlowJobRefused, ::testing::ValuesIn(kFlowJobRefusals),
                         [](const auto& info) { return std::string(info.param.name); });

// Ranks that wait for ever beside flows that repeat: the run ends and says so.
TEST(FlowJobs, DoNotHideADeadlock) {
  const TestFolder folder;
  const std::string path = folder.file("tags.fttrace");
  ASSERT_TRUE(write_trace(path, {{message(v1::SEND, 1, 3, 5000)}, {message(v1::RECV, 0, 4, 5000)}}).ok());
  const Outcome outcome = run_text(with_jobs("job { name: \"stuck\" mpi_trace { path: \"" + path + "\" } }" + storm()));
  EXPECT_THAT(std::string(message_of(outcome.status)),
              HasSubstr("only jobs in the background still run; the others wait for ever"));
}

}  // namespace
}  // namespace fabrictwin
