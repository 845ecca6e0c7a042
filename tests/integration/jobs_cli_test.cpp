// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// MPI jobs through the command line: ready experiments and bad input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/integration/digests.h"
#include "tests/test_folder.h"
#include "workloads/trace/format/frame.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string kExperiments = "workloads/experiments/";

nlohmann::json report_of(const std::string& experiment, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"run", "--json", "--quiet", kExperiments + experiment};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const CliResult result = run_cli(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return nlohmann::json::parse(result.out, nullptr, false);
}

TEST(JobsCli, AVictimAndItsBackground) {
  const nlohmann::json report = report_of("victim-background.textproto");
  ASSERT_EQ(report["jobs"].size(), 2u);
  EXPECT_EQ(report["jobs"][0]["name"], "victim");
  EXPECT_EQ(report["jobs"][1]["background"], true);
  EXPECT_EQ(report["ranks"].size(), 32u);
  EXPECT_EQ(report["jobs"][0]["finish_seconds"], report["simulated_seconds"]);
  const CliResult text = run_cli({"run", "--quiet", kExperiments + "victim-background.textproto"});
  EXPECT_THAT(text.out, HasSubstr("completions"));
  // What it measured is nobody's result.
  EXPECT_THAT(text.out, Not(HasSubstr("osu alltoall")));
}

// Two ranks of a background job that send to each other before they receive.
TEST(JobsCli, ABackgroundJobThatWaitsForEverIsTold) {
  const TestFolder temporary;
  const std::filesystem::path folder = temporary.path();
  std::filesystem::create_directories(folder / "ti");
  std::ofstream(folder / "ti" / "trace.index") << "r0.ti\nr1.ti\n";
  for (const int rank : {0, 1}) {
    std::ofstream(folder / "ti" / ("r" + std::to_string(rank) + ".ti")) << rank << " init\n"
                                                                        << rank << " send " << 1 - rank << " 5 5000 6\n"
                                                                        << rank << " recv " << 1 - rank << " 5 5000 6\n"
                                                                        << rank << " finalize\n";
  }
  const std::string trace = (folder / "stuck.fttrace").string();
  ASSERT_EQ(run_cli({"trace", "import", "--from", "ti", (folder / "ti").string(), "--out", trace}).exit_code, 0);
  const std::string experiment = (folder / "stuck.textproto").string();
  std::ofstream(experiment) << "topology { torus { dims: [2, 2] } } router { model: PACKET } workload { jobs {\n"
                               "job { osu { benchmark: LATENCY sizes: \"8\" } }\n"
                               "job { name: \"noise\" mpi_trace { path: \"stuck.fttrace\" } background: true } } }\n";
  const CliResult result = run_cli({"run", "--quiet", "--json", experiment});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json report = nlohmann::json::parse(result.out, nullptr, false);
  ASSERT_EQ(report["warnings"].size(), 1u);
  EXPECT_THAT(
      report["warnings"][0].get<std::string>(),
      AllOf(HasSubstr("the background job noise has waited for ever since "),
            HasSubstr("no load on the network from then on: deadlock: rank 0, event 1 (send) -> rank 1, event 1 "
                      "(send) -> rank 0")));
  // One that is still at work when the others end waits, too, but not for ever.
  EXPECT_EQ(report_of("victim-background.textproto")["warnings"].size(), 0u);
}

// A bit a second: 5000 bytes take 40000 s, simulated time ends at about 9223 s.
TEST(JobsCli, TheEndOfSimulatedTimeIsNoDeadlock) {
  const TestFolder temporary;
  const std::filesystem::path folder = temporary.path();
  const std::string experiment = (folder / "forever.textproto").string();
  std::ofstream(experiment) << "topology { torus { dims: [2, 2] } } router { model: PACKET } workload {\n"
                               "osu { benchmark: LATENCY sizes: \"5000\" } placement { ranks_per_host: 2 } }\n";
  const auto error = [&](const std::vector<std::string>& sets) {
    std::vector<std::string> arguments{"run", "--quiet", experiment, "--set", "host.loopback_latency=1us"};
    for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
    const CliResult result = run_cli(arguments);
    EXPECT_EQ(result.exit_code, 1) << result.err;
    EXPECT_THAT(result.err, testing::Not(HasSubstr("deadlock")));
    return result.err;
  };
  EXPECT_THAT(error({"host.loopback_rate=1bps"}),
              AllOf(HasSubstr("host[0] at "), HasSubstr("a message of 5000 bytes from rank "),
                    HasSubstr("takes longer through its memory than simulated time can; raise loopback_rate")));
  EXPECT_THAT(error({"host.copy_rate=1bps", "host.loopback_rate=1Gbps", "host.eager_limit=8KiB"}),
              HasSubstr("lasts longer than simulated time can"));
}

// What ranks do is that of the application: 32 ranks of miniFE, 10 iterations.
TEST(JobsCli, GoldenRun) {
  const nlohmann::json report = report_of("exanest-ranks.textproto");
  ASSERT_EQ(report["ranks"].size(), 32u);
  uint64_t events = 0;
  for (const nlohmann::json& rank : report["ranks"]) {
    EXPECT_EQ(rank["host"].get<int>(), rank["rank"].get<int>() / 4);
    EXPECT_EQ(rank["events_replayed"], rank["events_total"]);
    events += rank["events_replayed"].get<uint64_t>();
  }
  EXPECT_EQ(events, 16640u);
}

// A number of ranks that HPCG's own choice is not known for, and messages that are sent at once.
TEST(JobsCli, AStreamedSkeletonHasItsGridAndTheEagerLimit) {
  const TestFolder temporary;
  const std::filesystem::path folder = temporary.path();
  const CliResult made = run_cli({"trace", "generate", "hpcg", "--ranks", "12", "--local", "8x8x8", "--grid", "3x2x2",
                                  "--reference-iterations", "1", "--out", (folder / "hpcg-12.fttrace").string()});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const std::string torus = "topology { torus { dims: [3, 2, 2] } } router { model: PACKET } ";
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder / name) << torus << text;
    return (folder / name).string();
  };
  const std::string skeleton = "workload { skeleton { ranks: 12 hpcg { local: \"8x8x8\" grid: \"3x2x2\" } } }";
  const std::string streamed = write("streamed.textproto", skeleton);
  const std::string eager = write("eager.textproto", "host { eager_limit: \"4KiB\" } " + skeleton);
  const std::string replay = write("replay.textproto", "workload { mpi_trace { path: \"hpcg-12.fttrace\" } }");
  const std::vector<std::string> own = {replay, "--set", "workload.mpi_trace.eager_limit=4KiB"};
  EXPECT_EQ(digests_of({streamed}, {}), digests_of({replay}, {}));
  EXPECT_EQ(digests_of({eager}, {}), digests_of(own, {}));
  EXPECT_NE(digests_of({eager}, {}).timing, digests_of({streamed}, {}).timing);
}

// The chains of LAMMPS on 8 ranks, 8 steps, two of them with new lists.
TEST(JobsCli, GoldenRunOfChains) {
  const TestFolder temporary;
  const std::filesystem::path folder = temporary.path();
  const std::string trace = (folder / "chain-8.fttrace").string();
  const CliResult made = run_cli(
      {"trace", "generate", "lammps-chain", "--ranks", "8", "--atoms", "32000", "--steps", "8", "--out", trace});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const CliResult stats = run_cli({"trace", "stats", trace, "--json"});
  EXPECT_EQ(nlohmann::json::parse(stats.out, nullptr, false)["point_to_point"]["bytes"], 11502432);
  const std::string machine = "topology { torus { dims: [2, 2, 2] } } router { model: PACKET } ";
  const std::string replay = (folder / "replay.textproto").string();
  std::ofstream(replay) << machine << "workload { mpi_trace { path: \"chain-8.fttrace\" } }";
  const std::string streamed = (folder / "streamed.textproto").string();
  std::ofstream(streamed) << machine << "workload { skeleton { ranks: 8 lammps_chain { atoms: 32000 steps: 8 } } }";
  const CliResult run = run_cli({"run", "--json", "--quiet", streamed});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  uint64_t events = 0;
  const nlohmann::json report = nlohmann::json::parse(run.out, nullptr, false);
  for (const nlohmann::json& rank : report["ranks"]) {
    EXPECT_EQ(rank["events_replayed"], rank["events_total"]);
    events += rank["events_replayed"].get<uint64_t>();
  }
  EXPECT_EQ(events, 7344u);
  EXPECT_EQ(digests_of({streamed}, {}), digests_of({replay}, {}));
  EXPECT_NE(digests_of({streamed, "--set", "workload.skeleton.lammps_chain.rebuild_steps=3"}, {}),
            digests_of({replay}, {}));
}

// Four panels of four tiles, each of which memory holds up for 18.2 us, and 1 us to start.
TEST(JobsCli, GemmIsVerified) {
  const nlohmann::json report = report_of("gemm.textproto");
  ASSERT_EQ(report["jobs"].size(), 1u);
  const nlohmann::json& gemm = report["jobs"][0]["gemm"];
  EXPECT_EQ(gemm["verified"], true);
  const double busy = 4 * 4 * 4 * 65536 / 14.4e9;
  EXPECT_GT(gemm["seconds"].get<double>(), busy + 4e-6);
  EXPECT_NEAR(gemm["engine_utilization"].get<double>() * gemm["seconds"].get<double>(), busy, 1e-9);
  EXPECT_NEAR(report["ranks"][3]["compute_seconds"].get<double>(), busy + 4e-6, 1e-9);
  const CliResult text = run_cli({"run", "--quiet", kExperiments + "gemm.textproto"});
  EXPECT_THAT(text.out, HasSubstr("gemm of 512 x 512 on 2 x 2 ranks"));
  EXPECT_THAT(text.out, HasSubstr("result verified"));
}

// The digests of a run with accelerators in RTL are those of models, as is what the report says of the product.
TEST(JobsCli, GemmWithRtlIsThatOfModels) {
  nlohmann::json rtl = report_of("gemm-rtl.textproto");
  nlohmann::json model = report_of("gemm-rtl.textproto", {"--set", "workload.gemm.engine.implementation=MODEL"});
  EXPECT_EQ(rtl["jobs"][0]["gemm"]["verified"], true);
  // Which engines are RTL is all that the reports differ in.
  EXPECT_EQ(rtl["jobs"][0]["gemm"]["rtl_ranks"], "0, 3");
  for (nlohmann::json* report : {&rtl, &model}) (*report)["jobs"][0]["gemm"].erase("rtl_ranks");
  EXPECT_EQ(rtl["jobs"][0]["gemm"], model["jobs"][0]["gemm"]);
  EXPECT_EQ(rtl["timing_digest"], model["timing_digest"]);
  EXPECT_EQ(rtl["payload_digest"], model["payload_digest"]);
}

TEST(JobsCli, GemmNamesTheAcceleratorsInRtl) {
  const CliResult result =
      run_cli({"run", kExperiments + "gemm-rtl.textproto", "--set", "workload.gemm.engine.lanes=8"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("implementation RTL: there are tiles of 16 with 4 lanes"));
}

class DamagedTrace : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.file(name); }

  CliResult run(const std::vector<std::string>& sets) const {
    std::vector<std::string> arguments{"run",   "--quiet",  "--json", kExperiments + "all-model.textproto",
                                       "--out", path("out")};
    for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
    return run_cli(arguments);
  }

  /// What a run says that is refused before it begins.
  std::string refused(const std::vector<std::string>& sets) const {
    const CliResult result = run(sets);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_FALSE(std::filesystem::exists(path("out")));
    return result.err;
  }

  /// Overwrites four bytes of a file.
  void damage(const std::string& name, uint64_t at) const {
    std::fstream file(path(name), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at));
    file << "\xff\xff\xff\xff";
    ASSERT_TRUE(file.flush().good());
  }

  const TestFolder folder_;
};

// Whatever else it does, the run would come to nothing.
TEST_F(DamagedTrace, AtTheStartOfARankIsRefused) {
  std::filesystem::copy_file(kExperiments + "data/minife-8.fttrace", path("bad.fttrace"));
  damage("bad.fttrace", 9000);
  EXPECT_THAT(refused({"workload.mpi_trace.path=" + path("bad.fttrace")}),
              AllOf(HasSubstr("--set:1:25: error: "), HasSubstr("bad.fttrace: rank 4, event 0: ")));
  const std::string experiment = path("background.textproto");
  std::ofstream(experiment) << "topology { torus { dims: [4, 4] } }\nworkload { jobs {\n"
                               "job { osu { benchmark: BCAST ranks: 2 } }\n"
                               "job { mpi_trace { path: \"bad.fttrace\" } background: true } } }\n";
  const CliResult background = run_cli({"run", "--quiet", experiment});
  EXPECT_EQ(background.exit_code, 2) << background.err;
  EXPECT_EQ(background.out, "");
  EXPECT_THAT(background.err, AllOf(HasSubstr("background.textproto:4:1: error: "), HasSubstr("rank 4, event 0: ")));

  // Whoever checks it finds it, and a run that is refused has written nothing, in other folders neither.
  const std::string mixed = kExperiments + "mixed-demo.textproto";
  const std::string set = "workload.mpi_trace.path=" + path("bad.fttrace");
  const std::string wave = "router[1..2]=" + path("w.fst");
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"check", mixed},
           {"run", mixed, "--dry-run"},
           {"run", mixed, "--sweep", "host.send_overhead=1us,2us", "--out", path("sweep")},
           {"run", mixed, "--wave", wave, "--out", path("run")}}) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), {"--set", set});
    const CliResult result = run_cli(all);
    EXPECT_EQ(result.exit_code, 2) << arguments[0] << arguments[2 % arguments.size()];
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("rank 4, event 0: "));
  }
  for (const char* const name : {"sweep", "run", "w.fst", "w.router[1].fst", "w.router[2].fst"})
    EXPECT_FALSE(std::filesystem::exists(path(name))) << name;
}

TEST_F(DamagedTrace, InTheMiddleEndsTheRun) {
  const CliResult made = run_cli({"trace", "generate", "minife", "--ranks", "2", "--global", "4x4x4", "--iterations",
                                  "3000", "--out", path("long.fttrace")});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  // The index begins where the trailer says; in front of it is the last block, the end of rank 1.
  std::ifstream file(path("long.fttrace"), std::ios::binary);
  file.seekg(-static_cast<std::streamoff>(trace::format::kTraceTrailerBytes), std::ios::end);
  uint64_t index = 0;
  file.read(reinterpret_cast<char*>(&index), sizeof index);
  damage("long.fttrace", index - 12);
  const CliResult result = run({"workload.mpi_trace.path=" + path("long.fttrace")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("long.fttrace: rank 1, event "));
  const nlohmann::json report = nlohmann::json::parse(result.out, nullptr, false);
  ASSERT_TRUE(report.is_object());
  EXPECT_EQ(report["complete"], false);
  EXPECT_THAT(report["reason"].get<std::string>(), HasSubstr("rank 1, event "));
  EXPECT_GE(report["ranks"][1]["events_replayed"].get<uint64_t>(), 8192u);
  EXPECT_TRUE(std::filesystem::exists(path("out/report.json")));
}

TEST(JobsCli, MistakesExitWithTwoAndHaveAPlace) {
  const auto error = [](const std::vector<std::string>& sets) {
    std::vector<std::string> arguments{"run", kExperiments + "skeleton-hpcg.textproto"};
    for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
    const CliResult result = run_cli(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_THAT(error({"workload.skeleton.ranks=1024"}),
              HasSubstr("--set:1:25: error: hpcg-1024 has 1024 ranks, but torus 8x8x8 has only 512 hosts"));
  EXPECT_THAT(error({"workload.skeleton.hpcg.grid=3x2x1"}),
              AllOf(HasSubstr("skeleton-hpcg.textproto:"), HasSubstr("a grid of 3x2x1 ranks does not have 512 ranks")));
  EXPECT_THAT(error({"workload.placement.kind=VIRTUAL_TORUS"}), HasSubstr("is for topology { tofu { } }"));
}

}  // namespace
}  // namespace fabrictwin
