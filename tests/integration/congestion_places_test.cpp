// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What several places measure of congestion, queues and faults is what one process measures.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/integration/digests.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using Uses = std::vector<std::string>;

const std::string kExperiments = "workloads/experiments/";
/// miniFE on eight hosts of a torus, and the file that it is in.
const std::string kTorusFile = kExperiments + "all-model.textproto";
const std::string kReplayed = "workload.mpi_trace.path=" + kExperiments + "data/minife-8.fttrace";

/// Congestion management, pauses, faults, queues and flows, wherever switches and hosts are.
class CongestionPlaces : public ::testing::TestWithParam<Uses> {
 public:
  static void expect_same(const nlohmann::json& apart, const nlohmann::json& whole, const std::string& of) {
    for (const char* field : {"timing_digest", "payload_digest", "simulated_fs", "packets_delivered", "bytes_delivered",
                              "flows", "flow_summary", "control", "queues", "pauses", "faults", "series", "trees",
                              "goodput_window", "occupancy", "osu", "jobs", "ranks"})
      EXPECT_EQ(apart.value(field, nlohmann::json()), whole.value(field, nlohmann::json())) << field << " of " << of;
  }
};

TEST_P(CongestionPlaces, DoNotShow) {
  const std::string folder = kExperiments + "congestion/";
  const TestFolder own;
  const std::string gather = own.write("gather.textproto", R"(
topology { torus { dims: [2, 2, 2] } }
router { model: INPUT_QUEUED vcs: 4 }
queues { scheme: FBICM detect: 1 stop: 1 resume: 0 }
workload { osu { benchmark: GATHER sizes: "4KiB" iterations: 2 warmup: 0 } }
statistics { occupancy_interval: "100ns" series_interval: "10ns" }
seed: 1
)");
  const std::string incast = own.write("incast.textproto", R"(
topology { torus { dims: [2, 2, 2] } }
router { model: INPUT_QUEUED vcs: 4 }
workload { incast { sources: 5 bytes: "20kB" destination: 1 } }
statistics { series_interval: "50ns" }
seed: 1
)");
  const std::vector<std::vector<std::string>> experiments = {
      {incast},
      {folder + "websearch.textproto", "--set", "congestion.dcqcn.kmin=100kB", "--set", "congestion.dcqcn.kmax=400kB"},
      {folder + "link-degrades.textproto", "--set", "congestion.hpcc.stages=5", "--set", "routing.algorithm=D_MOD_K",
       "--set", "statistics.tree_at=1.5ms", "--set", "statistics.goodput_window.from=1ms", "--set",
       "statistics.goodput_window.until=2.5ms"},
      {kTorusFile, "--set", "router.model=PACKET", "--set", kReplayed, "--set", "host.nic=RDMA"},
      {kTorusFile, "--set", "router.model=PACKET", "--set", kReplayed, "--set", "queues.scheme=VOQNET", "--set",
       "statistics.series_interval=100us", "--set", "statistics.occupancy_interval=1us"},
      {gather},
  };
  for (const std::vector<std::string>& experiment : experiments) {
    const nlohmann::json whole = report_of(experiment, {});
    const nlohmann::json apart = report_of(experiment, GetParam());
    ASSERT_EQ(whole.at("complete"), true) << experiment[0];
    if (experiment[0] == incast) ASSERT_GT(whole.at("series").at("points").size(), 50u);
    if (experiment[0] == gather) {
      ASSERT_GT(whole.at("queues").at("set_aside_most"), 8);
      ASSERT_GT(whole.at("series").at("points").size(), 100u);
    }
    expect_same(apart, whole, experiment[0] + " " + experiment.back());
  }
}

// A limit that is a time of a sample, while queues are full.
TEST_P(CongestionPlaces, DoNotShowInARunThatIsStopped) {
  const std::vector<std::string> congested = {kExperiments + "congestion/websearch.textproto",
                                              "--set",
                                              "congestion.dcqcn.kmin=100kB",
                                              "--set",
                                              "congestion.dcqcn.kmax=400kB",
                                              "--set",
                                              "statistics.series_interval=100us",
                                              "--set",
                                              "statistics.goodput_window.until=1ms",
                                              "--set",
                                              "stop.after_simulated=1ms"};
  const nlohmann::json whole = report_of(congested, {});
  ASSERT_EQ(whole.at("complete"), false);
  ASSERT_GT(whole.at("queues").at("mean_bytes"), 0);
  ASSERT_EQ(whole.at("series").at("points").size(), 10u);
  // The window ends where the run is stopped.
  ASSERT_EQ(whole.at("goodput_window").at("flow_bytes").size(), whole.at("flows").size());
  expect_same(report_of(congested, GetParam()), whole, "a run that is stopped");
  for (const char* model : {"PACKET", "INPUT_QUEUED"}) {
    const std::vector<std::string> sampled = {kTorusFile,
                                              "--set",
                                              std::string("router.model=") + model,
                                              "--set",
                                              kReplayed,
                                              "--set",
                                              "statistics.occupancy_interval=100ns",
                                              "--set",
                                              "stop.after_simulated=50us"};
    const nlohmann::json one = report_of(sampled, {});
    ASSERT_EQ(one.at("occupancy").at("intervals").back().at("end_seconds"), 5e-5);
    expect_same(report_of(sampled, GetParam()), one, std::string("a run that is stopped, ") + model);
  }
}

TEST(CongestionPlacesMistakes, WordsOfPacketsThatAreStillComingAreOfOnePlace) {
  const CliResult result = run_cli({"run", "--quiet", kExperiments + "congestion/websearch.textproto", "--use",
                                    "router[0]=MODEL@worker:shm", "--set", "statistics.occupancy_interval=1us"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("--use:1:1: error: "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("switches with pfc learn of a packet when all of it has come"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Some, CongestionPlaces,
                         ::testing::Values(Uses{"router[0,2]=MODEL@worker:shm", "router[1]=MODEL@worker:unix"}));
INSTANTIATE_TEST_SUITE_P(Any, CongestionPlaces,
                         ::testing::Values(Uses{"router[0]=MODEL@worker:tcp", "router[3]=MODEL@worker:unix"},
                                           Uses{"router[0..3]=MODEL@worker:shm"},
                                           Uses{"router[0]=MODEL@worker:shm", "router[1]=MODEL@worker:shm",
                                                "router[2]=MODEL@worker:tcp"}));

}  // namespace
}  // namespace fabrictwin
