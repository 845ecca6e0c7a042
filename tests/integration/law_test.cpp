// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The law: the same experiment and seed give the same result, bit for bit, however it is partitioned, threaded, placed
// or transported. Since the router model keeps step with the RTL, the same holds for implementations, times included.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/integration/digests.h"

namespace fabrictwin {
namespace {

const std::string kExperiments = "workloads/experiments/";

// A few packets of a 2x2x2 torus, and of one of four routers for the runs that start processes.
const std::vector<std::string> kCube = {kExperiments + "uniform.textproto", "--set", "topology.torus.dims=2x2x2",
                                        "--set", "workload.traffic.duration=5us"};
const std::vector<std::string> kSquare = {kExperiments + "uniform.textproto", "--set", "topology.torus.dims=2x2",
                                          "--set", "workload.traffic.duration=5us"};
// HPCG's and miniFE's own communication; without the computation between it, or the first part of it, where every word
// is simulated as RTL.
const std::vector<std::string> kHpcg = {kExperiments + "all-model.textproto"};
const std::vector<std::string> kHpcgStart = {kExperiments + "all-model.textproto", "--set", "stop.after_simulated=6ms"};

// What the others are compared with, all models in one process.
const Digests& cube() {
  static const Digests kDigests = digests_of(kCube, {});
  return kDigests;
}
const Digests& hpcg_start() {
  static const Digests kDigests = digests_of(kHpcgStart, {});
  return kDigests;
}

std::vector<std::string> subset_rule(unsigned subset, int routers, const std::string& implementation) {
  std::string select;
  for (int r = 0; r < routers; ++r) {
    if ((subset >> r & 1) != 0) select += (select.empty() ? "" : ",") + ("router[" + std::to_string(r) + "]");
  }
  if (select.empty()) return {};
  return {select + "=" + implementation};
}

TEST(Law, EverySubsetOfRoutersInRtlGivesTheSameTimes) {
  for (unsigned subset = 1; subset < 256; ++subset) {
    EXPECT_EQ(digests_of(kCube, subset_rule(subset, 8, "RTL")), cube()) << "RTL: " << subset;
  }
}

TEST(Law, SomeRoutersInRtlGiveTheSameTimes) {
  ASSERT_GT(cube().packets, 50u);
  for (const unsigned subset : {0x01u, 0x96u, 0xfeu})
    EXPECT_EQ(digests_of(kCube, subset_rule(subset, 8, "RTL")), cube()) << "RTL: " << subset;
}

class LawOverTransport : public ::testing::TestWithParam<const char*> {};

TEST_P(LawOverTransport, EverySubsetOfRoutersMovedGivesTheSameTimes) {
  const std::string place = GetParam();
  const Digests reference = digests_of(kSquare, {});
  ASSERT_GT(reference.packets, 20u);
  for (unsigned subset = 1; subset < 16; ++subset) {
    EXPECT_EQ(digests_of(kSquare, subset_rule(subset, 4, "RTL@worker:" + place)), reference)
        << "RTL@worker: " << subset;
    EXPECT_EQ(digests_of(kSquare, subset_rule(subset, 4, "MODEL@worker:" + place)), reference)
        << "MODEL@worker: " << subset;
  }
}

INSTANTIATE_TEST_SUITE_P(Transports, LawOverTransport, ::testing::Values("shm", "unix", "tcp"));

// The ends of samples are times of the experiment, wherever its parts are: below saturation and above.
TEST(Law, TrafficInSamplesIsTheSameMixed) {
  for (const std::string pattern : {"uniform", "incast"}) {
    std::vector<std::string> sampled = kCube;
    sampled.insert(sampled.end(),
                   {"--set", "workload.traffic.duration=", "--set", "workload.traffic.sample_cycles=300", "--set",
                    "workload.traffic.latency_limit_cycles=300", "--set", "workload.traffic.pattern=" + pattern});
    const auto report_of = [&](std::vector<std::string> more) {
      std::vector<std::string> arguments{"run", "--json", "--quiet"};
      arguments.insert(arguments.end(), sampled.begin(), sampled.end());
      arguments.insert(arguments.end(), more.begin(), more.end());
      const CliResult result = run_cli(arguments);
      EXPECT_EQ(result.exit_code, 0) << result.err;
      nlohmann::json report = nlohmann::json::parse(result.out, nullptr, false);
      EXPECT_FALSE(report.is_discarded());
      return report.is_discarded() ? nlohmann::json::object() : report;
    };
    const nlohmann::json reference = report_of({});
    EXPECT_EQ(reference.at("traffic").at("saturated"), pattern == "incast");
    for (const std::vector<std::string>& use : std::vector<std::vector<std::string>>{
             {"--use", "router[1]=RTL", "--use", "router[2..3]=MODEL@worker:unix", "--use", "router[6]=BOARD@soft"},
             {"--use", "router[*]=RTL", "--threads", "2"}}) {
      const nlohmann::json report = report_of(use);
      EXPECT_EQ(report.at("timing_digest"), reference.at("timing_digest"));
      EXPECT_EQ(report.at("payload_digest"), reference.at("payload_digest"));
      EXPECT_EQ(report.at("simulated_fs"), reference.at("simulated_fs"));
      EXPECT_EQ(report.at("traffic"), reference.at("traffic"));
      ASSERT_EQ(report.at("links").size(), reference.at("links").size());
      for (size_t link = 0; link < report.at("links").size(); ++link) {
        for (const char* field : {"name", "bytes", "packets"})
          EXPECT_EQ(report.at("links")[link].at(field), reference.at("links")[link].at(field));
      }
    }
  }
}

TEST(Law, SeveralWorkersOfEveryKindAtOnce) {
  const std::vector<std::string> uses{"router[1]=RTL",
                                      "router[2]=RTL@worker:unix",
                                      "router[3]=RTL@worker:shm",
                                      "router[4]=MODEL@worker:tcp",
                                      "router[5]=MODEL@worker:shm",
                                      "router[6]=BOARD@soft"};
  EXPECT_EQ(digests_of(kCube, uses), cube());
  EXPECT_EQ(digests_of(kHpcgStart, uses), hpcg_start());
}

TEST(Law, ThroughSoftBoards) {
  EXPECT_EQ(digests_of(kCube, {"router[6]=BOARD@soft"}), cube());
  EXPECT_EQ(digests_of(kCube, {"router[0]=BOARD@soft", "router[1]=BOARD@soft"}), cube())
      << "two boards that are neighbours";
}

// A shell counts edges instead of time, and moves records by AXI.
TEST(Law, ThroughShells) {
  EXPECT_EQ(digests_of(kCube, {"router[6]=BOARD@shell"}), cube());
  EXPECT_EQ(digests_of(kCube, {"router[0]=BOARD@shell", "router[1]=BOARD@shell", "router[2]=BOARD@soft"}), cube())
      << "boards that are neighbours";
}

TEST(Law, ThreadsDoNotShow) {
  const std::vector<std::string> all_rtl{"router[*]=RTL"};
  for (const char* threads : {"1", "2", "3"}) EXPECT_EQ(digests_of(kCube, all_rtl, {"--threads", threads}), cube());
  EXPECT_EQ(digests_of(kHpcgStart, all_rtl, {"--threads", "2"}), hpcg_start());
}

TEST(Law, TheSeedShows) {
  EXPECT_EQ(digests_of(kCube, {}), cube());
  EXPECT_NE(digests_of(kCube, {}, {"--seed", "2"}), cube());
}

// The golden runs: whole workloads, with the digests that they had when they were last looked at. A change here is a
// change of what is simulated.
const Digests kGoldenHpcg{"864ea459a131f575", "e34b8942ac9375db", 260904};

TEST(Law, HpcgWholeKeepsItsDigests) {
  EXPECT_EQ(digests_of(kHpcg, {}), kGoldenHpcg);
  EXPECT_EQ(digests_of(kHpcg, {"router[*]=RTL"}, {"--threads", "2"}), kGoldenHpcg);
}

TEST_P(LawOverTransport, HpcgWholeKeepsItsDigests) {
  const std::string place = GetParam();
  EXPECT_EQ(digests_of(kHpcg, {"router[1]=RTL", "router[2]=RTL@worker:" + place}), kGoldenHpcg);
  EXPECT_EQ(digests_of(kHpcg, {"router[4..7]=MODEL@worker:" + place}), kGoldenHpcg);
}

TEST(Law, HpcgWholeThroughASoftBoardKeepsItsDigests) {
  EXPECT_EQ(digests_of(kHpcg, {"router[6]=BOARD@soft"}), kGoldenHpcg);
}

TEST(Law, HpcgThroughAShellIsTheSame) { EXPECT_EQ(digests_of(kHpcgStart, {"router[6]=BOARD@shell"}), hpcg_start()); }

TEST(Law, MinifeThroughAShellIsTheSame) {
  std::vector<std::string> minife = kHpcg;
  minife.insert(minife.end(), {"--set", "workload.mpi_trace.path=workloads/experiments/data/minife-8.fttrace", "--set",
                               "stop.after_simulated=20ms"});
  const Digests models = digests_of(minife, {});
  ASSERT_GT(models.packets, 1000u);
  EXPECT_EQ(digests_of(minife, {"router[6]=BOARD@shell"}), models);
}

TEST(Law, MinifeWholeIsTheSameMixed) {
  std::vector<std::string> minife = kHpcg;
  minife.insert(minife.end(), {"--set", "workload.mpi_trace.path=workloads/experiments/data/minife-8.fttrace"});
  EXPECT_EQ(digests_of(minife, {"router[1]=RTL", "router[6]=RTL@worker:shm"}), digests_of(minife, {}));
}

}  // namespace
}  // namespace fabrictwin
