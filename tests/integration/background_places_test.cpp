// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The law for jobs in the background: they end at the same time wherever they run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/integration/cli_process.h"
#include "tests/integration/digests.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Arguments = std::vector<std::string>;

const std::string kVictim = "workloads/experiments/victim-background.textproto";

/// What must not depend on where elements run.
void expect_same(const json& apart, const json& whole, const std::string& where) {
  for (const char* field : {"timing_digest", "payload_digest", "packets_delivered", "bytes_delivered", "simulated_fs",
                            "ranks", "jobs", "flows", "flow_summary", "queues", "pauses", "control", "traffic",
                            "classes", "gpcnet", "links", "link_series", "series", "occupancy"}) {
    EXPECT_EQ(apart.value(field, json()), whole.value(field, json())) << field << " with " << where;
  }
}

Arguments with(Arguments first, const Arguments& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// Whether a background job has begun anew, so that its end counts.
int completions(const json& report, int job) { return report.at("jobs").at(job).at("completions").get<int>(); }

/// Two jobs of ranks, of which one is in the background.
const char* const kRanks = R"(
topology { torus { dims: [4, 4] } }
router { model: PACKET }
workload { jobs {
  job { name: "victim" osu { benchmark: ALLREDUCE sizes: "1KiB" ranks: 8 iterations: 5 warmup: 1 } placement { hosts: "0,2,4,6,8,10,12,14" } }
  job { name: "noise" osu { benchmark: ALLTOALL sizes: "2KiB" ranks: 8 iterations: 1 warmup: 0 } background: true }
} }
)";

TEST(BackgroundPlaces, DoNotShowInRanks) {
  const TestFolder folder;
  const std::string file = folder.write("ranks.textproto", kRanks);
  const json whole = report_of({file}, {});
  ASSERT_GE(completions(whole, 1), 2);
  expect_same(report_of({file, "--split", "2"}, {}), whole, "--split 2");
  const Arguments uses = {"router[0..5]=MODEL@worker:unix", "router[10..12]=MODEL@worker:shm"};
  expect_same(report_of({file, "--threads", "2"}, uses), whole, "workers by messages and memory");
  // One partition elsewhere ends by itself.
  expect_same(report_of({file}, {"*=MODEL@worker:shm"}), whole, "everything elsewhere");
}

TEST(BackgroundPlaces, DoNotShowInStatistics) {
  const TestFolder folder;
  const std::string file = folder.write("ranks.textproto", kRanks);
  for (const char* model : {"PACKET", "INPUT_QUEUED"}) {
    Arguments followed = {file, "--set", std::string("router.model=") + model};
    for (const char* statistic : {"link_interval=5us", "occupancy_interval=3us"})
      followed = with(followed, {"--set", std::string("statistics.") + statistic});
    const json whole = report_of(followed, {});
    ASSERT_GT(whole.at("link_series").at("intervals").size(), 5u);
    expect_same(report_of(with(followed, {"--split", "2"}), {}), whole, model);
    expect_same(report_of(followed, {"router[5..9]=MODEL@worker:unix"}), whole, model);
  }
}

TEST(BackgroundPlaces, DoNotShowInASkeleton) {
  const json whole = report_of({kVictim}, {});
  ASSERT_GE(completions(whole, 1), 2);
  expect_same(report_of({kVictim, "--split", "2"}, {}), whole, "--split 2");
}

TEST(BackgroundPlaces, DoNotShowInFlits) {
  const TestFolder folder;
  const Arguments flits = {folder.write("ranks.textproto", kRanks), "--set", "router.model=INPUT_QUEUED"};
  const json whole = report_of(flits, {});
  ASSERT_GE(completions(whole, 1), 2);
  expect_same(report_of(with(flits, {"--split", "3"}), {}), whole, "--split 3");
  expect_same(report_of(flits, {"router[5..9]=MODEL@worker:tcp"}), whole, "a worker by messages");
}

TEST(BackgroundPlaces, DoNotShowInWords) {
  const TestFolder folder;
  const Arguments words = {folder.write("ranks.textproto", kRanks), "--set", "router.model=EXANET"};
  const json whole = report_of(words, {});
  ASSERT_GE(completions(whole, 1), 2);
  expect_same(report_of(words, {"host[0..9]=MODEL@worker:shm", "router[0..4]=MODEL@worker:unix"}), whole, "two places");
  expect_same(report_of(words, {"host[0..9]=MODEL@worker:tcp"}), whole, "hosts by messages");
  const Arguments answers = with(words, {"--set", "host.nic=RDMA"});
  expect_same(report_of(answers, {"host[0..9]=MODEL@worker:shm"}), report_of(answers, {}), "RDMA");
}

/// Compares a run in words with these rules with one of models in one process.
void expect_same_beside(const Arguments& uses) {
  const TestFolder folder;
  const Arguments words = {folder.write("ranks.textproto", kRanks), "--set", "router.model=EXANET"};
  const json whole = report_of(words, {});
  const json apart = report_of(words, uses);
  for (const char* field : {"timing_digest", "payload_digest", "ranks", "jobs", "simulated_fs"})
    EXPECT_EQ(apart.at(field), whole.at(field)) << field;
}

// Places without hosts tell of no foreground work, and come to the end, too.
TEST(BackgroundPlaces, DoNotShowBesideBoards) {
  expect_same_beside({"host[0..9]=MODEL@worker:shm", "router[3]=BOARD@soft", "router[7]=RTL@worker:unix"});
}

TEST(BackgroundPlaces, DoNotShowBesideAShell) {
  expect_same_beside({"host[0..9]=MODEL@worker:shm", "router[3]=BOARD@shell"});
}

// The lists of a job and its background, which are of independent hosts: such networks are simulated in windows.
const char* const kFlows = R"(
topology { spine_leaf { spines: 2 leaves: 4 hosts_per_leaf: 4 link_rate: "100Gbps" link_latency: "1us" host_rate: "100Gbps" host_latency: "1us" } }
router { model: PACKET packet_payload: "1000B" }
routing { algorithm: ECMP }
statistics { series_interval: "2us" link_interval: "10us" }
congestion { dcqcn { kmin: "5kB" kmax: "50kB" } }
workload { jobs {
  baseline: true
  job { name: "list" flows { sizes: "WEBSEARCH" load: 0.2 duration: "100us" } placement { hosts: "0..7" } }
  job { name: "storm" incast { sources: 5 bytes: "5kB" rounds: 2 period: "5us" jitter: "2us" } placement { hosts: "8..15" } background: true }
} }
)";

TEST(BackgroundPlaces, DoNotShowInFlows) {
  const TestFolder folder;
  const std::string file = folder.write("flows.textproto", kFlows);
  const json whole = report_of({file}, {});
  ASSERT_GT(completions(whole, 1), 2);
  ASSERT_GE(whole.at("jobs").at(0).at("slowdown").get<double>(), 1);
  for (const json& job : whole.at("jobs")) ASSERT_GT(job.at("goodput_gbps").get<double>(), 0);
  for (const char* parts : {"2", "4"}) expect_same(report_of({file, "--split", parts}, {}), whole, parts);
}

// Flows that the run waits for are over before the window of the network is, and others look at them in between.
TEST(BackgroundPlaces, FlowsThatAreOverWaitForNobody) {
  const TestFolder folder;
  const std::string file = folder.write("incasts.textproto", R"(
topology { torus { dims: [4, 4] } }
router { model: PACKET }
workload { jobs {
  job { name: "first" incast { sources: 5 bytes: "10kB" } placement { hosts: "0..7" } }
  job { name: "storm" incast { sources: 5 bytes: "10kB" rounds: 1000 period: "5us" } placement { hosts: "8..15" } background: true }
} }
)");
  const json whole = report_of({file}, {});
  for (int i = 0; i < 5; ++i) expect_same(report_of({file, "--split", "2"}, {}), whole, "--split 2");
}

// Traffic until ranks have ended, which is before it would be over.
const char* const kTraffic = R"(
topology { torus { dims: [4, 4] } }
router { model: PACKET }
workload { jobs {
  job { name: "exchange" osu { benchmark: ALLTOALL sizes: "16KiB" ranks: 8 iterations: 4 warmup: 1 } placement { hosts: "0..7" } }
  job { name: "load" traffic { load: 0.2 duration: "1s" } placement { hosts: "8..15" } background: true }
} }
)";

TEST(BackgroundPlaces, DoNotShowInTraffic) {
  const TestFolder folder;
  const std::string file = folder.write("traffic.textproto", kTraffic);
  const json whole = report_of({file}, {});
  ASSERT_GT(whole.at("traffic").at("measured_packets").get<int>(), 100);
  expect_same(report_of({file}, {"router[3,8..11]=MODEL@worker:shm"}), whole, "a worker");
  expect_same(report_of({file, "--split", "3"}, {}), whole, "--split 3");
}

// Which packet of traffic is the last one shows only afterwards, and the background would have gone on.
TEST(BackgroundPlaces, DoNotGoTogetherWithTrafficThatTheRunWaitsFor) {
  const TestFolder folder;
  const std::string file = folder.write(
      "traffic.textproto",
      "topology { torus { dims: [4, 4] } } router { model: PACKET } workload { jobs {\n"
      "job { name: \"load\" traffic { load: 0.2 duration: \"50us\" } placement { hosts: \"8..15\" } }\n"
      "job { osu { benchmark: ALLTOALL sizes: \"8\" ranks: 8 } placement { hosts: \"0..7\" } background: true } } }\n");
  const CliResult result = run_cli({"run", "--quiet", "--json", file, "--use", "router[0..9]=MODEL@worker:shm"});
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_THAT(result.err,
              HasSubstr("--use:1:1: error: routers and hosts of this experiment cannot be at several places: "
                        "the run ends with traffic, which is over when its last packet has arrived"));
  // All hosts of the traffic are at one place.
  const json whole = report_of({file}, {});
  EXPECT_GT(whole.at("traffic").at("measured_packets"), 100);
  expect_same(report_of({file}, {"router[0..3]=MODEL@worker:shm"}), whole, "traffic that is not cut");
}

TEST(BackgroundPlaces, DoNotShowInGpcnet) {
  const Arguments gpcnet = {"workloads/experiments/congestion/gpcnet.textproto",
                            "--set",
                            "workload.gpcnet.bandwidth_bytes=4KiB",
                            "--set",
                            "workload.gpcnet.ranks_per_host=1",
                            "--set",
                            "workload.gpcnet.iterations=2"};
  const json whole = report_of(gpcnet, {});
  ASSERT_EQ(whole.at("gpcnet").at("rows").size(), 3u);
  ASSERT_GT(whole.at("gpcnet").at("rows").at(0).at("isolated_mean").get<double>(), 0);
  expect_same(report_of(with(gpcnet, {"--split", "2"}), {}), whole, "--split 2");
}

/// A trace of two ranks that send to each other before they receive.
void write_stuck_trace(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder / "ti");
  std::ofstream(folder / "ti" / "trace.index") << "r0.ti\nr1.ti\n";
  for (const int rank : {0, 1}) {
    std::ofstream(folder / "ti" / ("r" + std::to_string(rank) + ".ti"))
        << rank << " init\n"
        << rank << " send " << 1 - rank << " 5 500000 6\n"
        << rank << " recv " << 1 - rank << " 5 500000 6\n"
        << rank << " finalize\n";
  }
  ASSERT_EQ(run_cli({"trace", "import", "--from", "ti", (folder / "ti").string(), "--out",
                     (folder / "stuck.fttrace").string()})
                .exit_code,
            0);
}

TEST(BackgroundPlaces, HideNoDeadlock) {
  const TestFolder folder;
  ASSERT_NO_FATAL_FAILURE(write_stuck_trace(folder.path()));
  const std::string file =
      folder.write("stuck.textproto",
                   "topology { torus { dims: [2, 2] } } router { model: PACKET } workload { jobs {\n"
                   "job { name: \"stuck\" mpi_trace { path: \"stuck.fttrace\" } placement { hosts: \"0,3\" } }\n"
                   "job { osu { benchmark: ALLTOALL sizes: \"8\" ranks: 2 } placement { hosts: \"1,2\" } background: "
                   "true } } }\n");
  for (const char* place : {"shm", "unix"}) {
    const CliResult result =
        run_cli({"run", "--quiet", "--json", file, "--use", std::string("router[2..3]=MODEL@worker:") + place});
    EXPECT_EQ(result.exit_code, 1) << result.err;
    EXPECT_THAT(result.err, AllOf(HasSubstr("only jobs in the background still run; the others wait for ever"),
                                  HasSubstr("rank 0 waits in event 1 (send) for rank 1"),
                                  HasSubstr("rank 1 waits in event 1 (send) for rank 0")));
  }
}

// All places say who waits.
TEST(HostsThatAnswer, HideNoDeadlock) {
  const TestFolder folder;
  ASSERT_NO_FATAL_FAILURE(write_stuck_trace(folder.path()));
  const std::string file = folder.write("stuck.textproto",
                                        "topology { torus { dims: [2, 2] } } host { nic: RDMA } workload { mpi_trace { "
                                        "path: \"stuck.fttrace\" } }\n");
  for (const char* rule : {"host[1]=MODEL@worker:shm", "*=MODEL@worker:unix"}) {
    const CliResult result = run_cli({"run", "--quiet", "--json", file, "--use", rule});
    EXPECT_EQ(result.exit_code, 1) << result.err;
    EXPECT_THAT(result.err, AllOf(HasSubstr("nothing can happen any more at "), Not(HasSubstr("any more at 0")),
                                  HasSubstr("rank 0 waits in event 1 (send) for rank 1"),
                                  HasSubstr("rank 1 waits in event 1 (send) for rank 0")));
  }
}

// The rest of the foreground ends, and then only the background goes on.
TEST(BackgroundPlaces, HideNoDeadlockBesideFlows) {
  const TestFolder folder;
  ASSERT_NO_FATAL_FAILURE(write_stuck_trace(folder.path()));
  const std::string file = folder.write(
      "stuck.textproto",
      "topology { torus { dims: [2, 2, 2] } } router { model: PACKET } workload { jobs {\n"
      "job { name: \"stuck\" mpi_trace { path: \"stuck.fttrace\" } placement { hosts: \"0,7\" } }\n"
      "job { name: \"list\" incast { sources: 1 bytes: \"10kB\" } placement { hosts: \"1,6\" } }\n"
      "job { osu { benchmark: ALLTOALL sizes: \"8\" ranks: 2 } placement { hosts: \"2,5\" } background: true } } }\n");
  const CliResult result = run_cli({"run", "--quiet", "--json", file, "--split", "2"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.err, HasSubstr("only jobs in the background still run; the others wait for ever"));
}

TEST(BackgroundPlaces, AnotherDeadlockIsTold) {
  const TestFolder folder;
  ASSERT_NO_FATAL_FAILURE(write_stuck_trace(folder.path()));
  const std::string file =
      folder.write("stuck.textproto",
                   "topology { torus { dims: [2, 2] } } router { model: PACKET } workload { jobs {\n"
                   "job { osu { benchmark: ALLTOALL sizes: \"64KiB\" ranks: 2 } placement { hosts: \"1,2\" } }\n"
                   "job { name: \"noise\" mpi_trace { path: \"stuck.fttrace\" } placement { hosts: \"0,3\" } "
                   "background: true } } }\n");
  const json report = report_of({file, "--use", "router[2..3]=MODEL@worker:shm"}, {});
  ASSERT_EQ(report.at("warnings").size(), 1u);
  EXPECT_THAT(report.at("warnings").at(0).get<std::string>(),
              AllOf(HasSubstr("the background job noise has waited for ever since "), HasSubstr("(send) for rank ")));
}

TEST(OnlyOneJob, RunsWhereItIsAmongTheOthers) {
  const Arguments only = {kVictim, "--set", "workload.jobs.only=victim"};
  const json alone = report_of(only, {});
  ASSERT_EQ(alone.at("jobs").size(), 1u);
  EXPECT_EQ(alone.at("jobs").at(0).at("name"), "victim");
  const json baseline = report_of({kVictim, "--set", "workload.jobs.baseline=true"}, {});
  EXPECT_EQ(alone.at("jobs").at(0).at("finish_seconds"), baseline.at("jobs").at(0).at("baseline_seconds"));
  expect_same(report_of(with(only, {"--split", "2"}), {}), alone, "--split 2");
}

TEST(OnlyOneJob, IsOneThatTheRunWaitsFor) {
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
           {"victor", "no job is called so; the jobs are noise, victim"}, {"noise", "the job is in the background"}}) {
    const CliResult result = run_cli({"run", "--quiet", kVictim, "--set", "workload.jobs.only=" + name});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, AllOf(HasSubstr("--set:1:"), HasSubstr(text)));
  }
}

}  // namespace
}  // namespace fabrictwin
