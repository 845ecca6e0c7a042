// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Routers of the model PACKET through the command line. Digests and times here change only with the model, and then
// docs/models/packet-network.md and docs/models/tofu-ni.md have to be measured again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/integration/cli_process.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kFolder = "workloads/experiments/";

nlohmann::json report_of(const std::string& file, const std::vector<std::string>& sets, int threads = 1) {
  std::vector<std::string> arguments{"run", "--json", "--quiet", "--threads", std::to_string(threads), kFolder + file};
  for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
  const CliResult result = run_cli(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  auto report = nlohmann::json::parse(result.out, nullptr, false);
  if (report.is_discarded()) ADD_FAILURE() << "no report: " << result.out << result.err;
  return report;
}

struct Golden {
  const char* name;
  std::string file;
  std::vector<std::string> sets;
  std::string timing, payload;
  int64_t simulated_fs;
  uint64_t packets;
  int threads;  ///< Of two, that the run can make use of.
};

std::vector<std::string> hpcg(std::vector<std::string> more) {
  more.insert(more.end(), {"workload.mpi_trace.path=workloads/experiments/data/hpcg-8.fttrace",
                           "workload.mpi_trace.compute_scale=0", "router.model=packet"});
  return more;
}

const Golden kGolden[] = {
    {"Torus",
     "all-model.textproto",
     {"router.model=packet"},
     "c6ae6e961c41d527",
     "e34b8942ac9375db",
     86553071400000,
     260904,
     2},
    {"FatTree", "fat-tree.textproto", hpcg({}), "4f98995a775a1a70", "7e94ace459eba12d", 14933533760000, 391992, 2},
    {"Tofu", "tofu-put.textproto", hpcg({"topology.tofu.x=1", "topology.tofu.y=1", "topology.tofu.z=1"}),
     "e2d0034e2c428f4c", "a7943afc224c82b0", 24379832369644, 258672, 1},
    {"TofuPut", "tofu-put.textproto", {}, "d08646d5aa94cbdd", "33e21402f75e2dcb", 878701177668, 2910, 1},
};

class PacketGolden : public ::testing::TestWithParam<Golden> {};

TEST_P(PacketGolden, RunKeepsItsDigests) {
  const Golden& run = GetParam();
  const nlohmann::json report = report_of(run.file, run.sets, 2);
  ASSERT_FALSE(report.is_discarded());
  EXPECT_EQ(report["timing_digest"], run.timing);
  EXPECT_EQ(report["payload_digest"], run.payload);
  EXPECT_EQ(report["simulated_fs"], run.simulated_fs);
  EXPECT_EQ(report["packets_delivered"], run.packets);
  EXPECT_EQ(report["complete"], true);
  EXPECT_EQ(report["run"]["threads"], run.threads);
}

INSTANTIATE_TEST_SUITE_P(Runs, PacketGolden, ::testing::ValuesIn(kGolden),
                         [](const auto& info) { return info.param.name; });

// docs/models/rdma-nic.md: the latency of the shortest Put is calibrated, the others are predicted.
TEST(PacketCli, RdmaPutsAsMeasured) {
  const nlohmann::json report = report_of("rdma-put.textproto", {});
  EXPECT_EQ(report["timing_digest"], "6f4f274936069cf2");
  EXPECT_EQ(report["payload_digest"], "56bbca937e2bdc8c");
  const nlohmann::json results = report["puts"]["results"];
  ASSERT_EQ(results.size(), 5u);
  const double measured[] = {0.83e-6, 1.61e-6, 2.28e-6, 4.57e-6};
  const double tolerance[] = {0.001, 0.04, 0.03, 0.01};
  for (size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(results[i]["mean_latency_seconds"].get<double>() / measured[i], 1, tolerance[i]) << results[i];
}

TEST(PacketCli, TheReportForPeopleHasThePuts) {
  const CliResult result = run_cli({"run", "--quiet", kFolder + "tofu-put.textproto"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("puts of host[0], 1 at once\n"));
  EXPECT_THAT(result.out, HasSubstr("490 ns"));
  const CliResult plan = run_cli({"describe", kFolder + "tofu-put.textproto"});
  EXPECT_THAT(plan.out, HasSubstr("\nworkload    puts of 8 B, 64 KiB, 256 KiB, 1 MiB, 4 MiB, 1 of each to each of 1\n"
                                  "            hosts from host[0]\n"));
  std::istringstream lines(plan.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST(PacketCli, RtlAndBoardsAreRefusedAtTheirRule) {
  const std::string file = kFolder + "machine-exchange.textproto";
  const std::filesystem::path out = std::filesystem::path(::testing::TempDir()) / "packet_cli_out";
  struct Rule {
    const char* use;
    const char* reason;
  };
  for (const Rule& rule : {Rule{"router[1]=RTL", "cannot be RTL (\"router[1]\")"},
                           Rule{"router[1]=BOARD@soft", "cannot be BOARD (\"router[1]\")"}}) {
    const CliResult result = run_cli({"run", file, "--use", rule.use, "--out", out.string()});
    EXPECT_EQ(result.exit_code, 2) << rule.use;
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, HasSubstr("--use:1:1: error: routers of the model PACKET cannot be"));
    EXPECT_THAT(result.err, HasSubstr(rule.reason));
    EXPECT_THAT(result.err, HasSubstr("leave the rule out, or use routers of the model EXANET"));
    EXPECT_FALSE(std::filesystem::exists(out));
  }
}

}  // namespace
}  // namespace fabrictwin
