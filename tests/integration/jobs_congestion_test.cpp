// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Jobs beside flows, and GPCNeT, through the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/integration/cli_process.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

const std::string kReady = "workloads/experiments/congestion/";

CliResult run_quietly(const std::string& command, const std::string& file, const std::vector<std::string>& options) {
  std::vector<std::string> arguments{command, "--quiet", file};
  arguments.insert(arguments.end(), options.begin(), options.end());
  CliResult result = run_cli(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result;
}

json report_in(const std::string& file, std::vector<std::string> options) {
  options.emplace_back("--json");
  json report = json::parse(run_quietly("run", file, options).out, nullptr, false);
  EXPECT_FALSE(report.is_discarded());
  return report;
}

/// Flows in the foreground and in the background, without ranks: such hosts may be simulated on several threads.
const char* const kFlowsOnly = R"(
topology { spine_leaf { spines: 2 leaves: 4 hosts_per_leaf: 4 link_rate: "100Gbps" link_latency: "1us" host_rate: "100Gbps" host_latency: "1us" } }
router { model: PACKET packet_payload: "1000B" }
congestion { dcqcn { kmin: "5kB" kmax: "50kB" } }
workload { jobs {
  baseline: true
  job { name: "list" flows { sizes: "WEBSEARCH" load: 0.2 duration: "100us" } placement { hosts: "0..7" } }
  job { name: "storm" incast { sources: 5 bytes: "20kB" rounds: 3 period: "5us" jitter: "2us" } placement { hosts: "8..15" } background: true }
} }
)";

TEST(JobsCongestionLaw, ThreadsDoNotShow) {
  const TestFolder folder;
  const std::string file = folder.write("flows.textproto", kFlowsOnly);
  const json one = report_in(file, {"--threads", "1"});
  EXPECT_GT(std::stoi(one.at("jobs").at(1).at("completions").get<std::string>()), 2);
  EXPECT_GE(one.at("jobs").at(0).at("slowdown").get<double>(), 1);
  for (const std::string threads : {"2", "4"}) {
    const json several = report_in(file, {"--threads", threads});
    EXPECT_EQ(several.at("run").at("threads"), std::stoi(threads));
    for (const char* field : {"timing_digest", "payload_digest", "flows", "jobs", "control", "queues"})
      EXPECT_EQ(one.at(field), several.at(field)) << threads << " " << field;
  }
}

TEST(JobsCongestionLaw, ThreadsDoNotShowInGpcnet) {
  const std::vector<std::string> options = {
      "--set", "workload.gpcnet.bandwidth_bytes=4KiB", "--set",    "workload.gpcnet.ranks_per_host=1",
      "--set", "workload.gpcnet.iterations=2",         "--threads"};
  const auto with = [&](const char* threads) {
    std::vector<std::string> all = options;
    all.emplace_back(threads);
    return report_in(kReady + "gpcnet.textproto", all);
  };
  const json one = with("1");
  for (const char* threads : {"2", "4"}) {
    const json several = with(threads);
    for (const char* field : {"timing_digest", "payload_digest", "gpcnet", "flows", "jobs"})
      EXPECT_EQ(one.at(field), several.at(field)) << threads << " " << field;
  }
}

// An incast holds up ranks whose own links are free, unless a scheme keeps its queues short.
TEST(JobsCongestion, SchemesProtectRanks) {
  const std::vector<std::string> less = {"--set", "workload.jobs.job[0].skeleton.lammps_lj.steps=4"};
  const CliResult table = run_quietly("compare", kReady + "mpi-victim.textproto",
                                      {"--schemes", "none,hpcc", "--json", "--jobs", "1", less[0], less[1]});
  const json cells = json::parse(table.out).at("comparison");
  const double none = cells.at(0).at("job_slowdown").at("mean");
  const double hpcc = cells.at(1).at("job_slowdown").at("mean");
  EXPECT_GT(none, 10);
  EXPECT_LT(hpcc, 1.1);
  EXPECT_GT(hpcc, 0.95);
}

TEST(JobsCongestion, TheTableHasTheSlowdown) {
  const TestFolder folder;
  const std::string text = run_quietly("run", folder.write("flows.textproto", kFlowsOnly), {}).out;
  EXPECT_THAT(text, HasSubstr("alone  slowdown"));
  EXPECT_THAT(text, HasSubstr("storm"));
}

// Slingshot's published factors are 1.0; a network of input buffers without a scheme is far from that, and HPCC near.
TEST(JobsCongestion, GpcnetShowsImpact) {
  const CliResult table = run_quietly("compare", kReady + "gpcnet.textproto",
                                      {"--schemes", "none,hpcc", "--json", "--jobs", "1", "--set",
                                       "workload.gpcnet.iterations=2", "--set", "workload.gpcnet.orders=1"});
  const json cells = json::parse(table.out).at("comparison");
  for (const char* factor : {"cif_latency", "cif_allreduce"}) {
    EXPECT_GT(cells.at(0).at(factor).at("mean").get<double>(), 2) << factor;
    EXPECT_LT(cells.at(1).at(factor).at("mean").get<double>(), 1.8) << factor;
  }
  EXPECT_LT(cells.at(1).at("cif_bandwidth").at("mean"), cells.at(0).at("cif_bandwidth").at("mean"));
}

}  // namespace
}  // namespace fabrictwin
