// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// MPI jobs through the command line: ready experiments, the law, bad input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/integration/digests.h"

namespace fabrictwin {
namespace {

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
  EXPECT_THAT(text.out, HasSubstr("noise: osu alltoall on 16 ranks"));
}

// As they ran when they were written down. Events and bytes are those of the applications.
TEST(JobsCli, GoldenRuns) {
  const nlohmann::json exanest = report_of("exanest-ranks.textproto");
  ASSERT_EQ(exanest["ranks"].size(), 32u);
  EXPECT_EQ(exanest["ranks"][31]["host"], 7);
  EXPECT_EQ(exanest["payload_digest"], "27e594afad0bd85d");
  const nlohmann::json hpcg = report_of("skeleton-hpcg.textproto",
                                        {"--set", "topology.torus.dims=4x4x4", "--set", "workload.skeleton.ranks=64"});
  EXPECT_EQ(hpcg["payload_digest"], "HPCG");
}

TEST(JobsCli, PlacesOfRoutersDoNotShow) {
  const std::vector<std::string> experiment = {kExperiments + "skeleton-hpcg.textproto",
                                               "--set",
                                               "topology.torus.dims=2x2",
                                               "--set",
                                               "router.model=EXANET",
                                               "--set",
                                               "workload.skeleton.ranks=8",
                                               "--set",
                                               "workload.skeleton.hpcg.local=8x8x8",
                                               "--set",
                                               "workload.placement.ranks_per_host=2",
                                               "--set",
                                               "stop.after_simulated=100us"};
  const Digests reference = digests_of(experiment, {});
  ASSERT_GT(reference.packets, 100u);
  EXPECT_EQ(digests_of(experiment, {"router[1]=MODEL@worker:unix"}), reference);
  EXPECT_EQ(digests_of(experiment, {"router[0..1]=MODEL@worker:shm", "router[3]=RTL"}), reference);
  EXPECT_EQ(digests_of(experiment, {}, {"--threads", "2"}), reference);
  const std::vector<std::string> boards = {kExperiments + "exanest-ranks.textproto", "--set",
                                           "stop.after_simulated=20us"};
  EXPECT_EQ(digests_of(boards, {"qfdb[1].router=RTL@worker:shm"}), digests_of(boards, {"qfdb[1].router=RTL"}));
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
  EXPECT_THAT(error({"workload.skeleton.ranks=1024"}), HasSubstr("1024 ranks, but torus 8x8x8 has only 512 hosts"));
  EXPECT_THAT(error({"workload.skeleton.ranks=100"}), HasSubstr("skeleton-hpcg.textproto:"));
  EXPECT_THAT(error({"workload.placement.hosts=500..600"}), HasSubstr("host 512 does not exist"));
  EXPECT_THAT(error({"workload.placement.kind=VIRTUAL_TORUS"}), HasSubstr("is for topology { tofu { } }"));
  EXPECT_THAT(error({"workload.placement.ranks_per_host=99"}), HasSubstr("ranks_per_host 99: write 1 to 64"));
}

}  // namespace
}  // namespace fabrictwin
