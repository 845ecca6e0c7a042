// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What reports tell of congestion: queues, trees, fair rates, marks and what manages it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "tests/integration/congestion_report.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using nlohmann::json;

// Half-way through the run without a scheme, the port of the incast's host is the root, and the trunk waits for it.
TEST(CongestionMeasures, ATreeHasItsRootAndWhatWaitsForIt) {
  const auto trees = [](const char* threads, const std::string& more) {
    return run_report(kExperiments + "victim.textproto", {"statistics.tree_at=20ms", more}, {"--threads", threads})
        .at("trees");
  };
  const json tree = trees("1", "pfc.buffer=4MiB");
  ASSERT_EQ(tree.size(), 1u);
  EXPECT_NEAR(number(tree.at(0).at("seconds")), 0.02, 1e-12);
  const json& ports = tree.at(0).at("ports");
  ASSERT_EQ(ports.size(), 2u);
  EXPECT_EQ(ports.at(0).at("port"), "left.p0");
  EXPECT_EQ(number(ports.at(0).at("next")), 1);
  EXPECT_EQ(ports.at(1).at("port"), "right.h0");
  EXPECT_FALSE(ports.at(1).contains("next"));
  EXPECT_GT(number(ports.at(0).at("bytes")), 100'000);
  EXPECT_EQ(trees("2", "pfc.buffer=4MiB"), tree);
}

// The drawing names what the report does.
TEST(CongestionMeasures, TreesAreDrawn) {
  const TestFolder folder;
  const CliResult result = run_cli({"run", kExperiments + "incast8.textproto", "--quiet", "--json", "--set",
                                    "statistics.tree_at=100us", "--out", folder.file("out")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json ports = json::parse(result.out).at("trees").at(0).at("ports");
  ASSERT_EQ(ports.size(), 1u);
  EXPECT_EQ(ports.at(0).at("port"), "router[0].host8");
  EXPECT_FALSE(ports.at(0).contains("next")) << "it is the root";
  const std::string drawn = read_file(folder.file("out/trees.svg"));
  EXPECT_THAT(drawn, ::testing::StartsWith("<svg "));
  EXPECT_THAT(drawn, ::testing::HasSubstr(">router[0].host8"));
}

TEST(CongestionMeasures, TimesOfTreesAreChecked) {
  const auto error = [](const std::vector<std::string>& sets) {
    std::vector<std::string> arguments{"run", "--quiet", "--dry-run", kExperiments + "incast8.textproto"};
    for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
    const CliResult result = run_cli(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.out;
    return result.err;
  };
  EXPECT_THAT(error({"statistics.tree_at=0us"}), ::testing::HasSubstr("nothing waits at the beginning"));
  EXPECT_THAT(error({"statistics.tree_at=2us,1us"}), ::testing::HasSubstr("rising order"));
  EXPECT_THAT(error({"statistics.tree_at=soon"}), ::testing::HasSubstr("soon"));
}

TEST(CongestionMeasures, ATreeBeyondTheEndIsSaidToBeMissing) {
  const json report = run_report(kExperiments + "incast8.textproto", {"statistics.tree_at=100us,5ms"});
  EXPECT_EQ(report.at("trees").size(), 1u);
  ASSERT_EQ(report.at("warnings").size(), 1u);
  EXPECT_THAT(report.at("warnings").at(0).get<std::string>(),
              ::testing::StartsWith("statistics.tree_at 5 ms: the run was over at 6"));
}

// A packet takes 100 ns of the link, so a window has exactly one for each, wherever in time the first one is. The short
// flow is over before.
TEST(GoodputWindow, IsExactAtLineRate) {
  const TestFolder folder;
  folder.write("flows.csv", "source,destination,bytes,start,stop\n,,B,us,us\n0,1,,0,1000\n2,3,10000,0,\n");
  const std::string file = folder.write("line.textproto", R"(
    topology { fat_tree { down: 4 host_rate: "100Gbps" host_latency: "1us" } }
    router { model: PACKET packet_payload: "1000B" }
    pfc { } transport { header: "250B" }
    workload { flows { file: "flows.csv" } }
    statistics { goodput_window { from: "200us" until: "700us" } })");
  const json report = run_report(file, {});
  const json& window = report.at("goodput_window");
  EXPECT_DOUBLE_EQ(number(window.at("from_seconds")), 200e-6);
  EXPECT_DOUBLE_EQ(number(window.at("until_seconds")), 700e-6);
  EXPECT_EQ(number(window.at("flow_bytes").at(0)), 5000 * 1000);
  EXPECT_EQ(number(window.at("flow_bytes").at(1)), 0);
  EXPECT_NEAR(number(report.at("flows").at(0).at("window_goodput_gbps")), 80, 1e-9);
  EXPECT_EQ(number(report.at("flows").at(1).at("window_goodput_gbps")), 0);
  const json& summary = report.at("flow_summary");
  EXPECT_NEAR(number(summary.at("window_goodput_gbps")), 80, 1e-9);
  EXPECT_NEAR(number(summary.at("window_least_goodput_gbps")), 80, 1e-9);
  EXPECT_NEAR(number(summary.at("window_min_over_max_min")), 1, 1e-9);
  EXPECT_EQ(number(summary.at("window_jain_index")), 1);
  const json plain = run_report(file, {"statistics.goodput_window.until=900us"});
  EXPECT_EQ(plain.at("timing_digest"), report.at("timing_digest"));
  EXPECT_EQ(number(plain.at("goodput_window").at("flow_bytes").at(0)), 7000 * 1000);
}

TEST(GoodputWindow, BeyondTheEndIsSaidToBeMissing) {
  const json report = run_report(kExperiments + "incast8.textproto", {"statistics.goodput_window.until=5ms"});
  EXPECT_FALSE(report.contains("goodput_window"));
  EXPECT_FALSE(report.at("flows").at(0).contains("window_goodput_gbps"));
  ASSERT_EQ(report.at("warnings").size(), 1u);
  EXPECT_THAT(report.at("warnings").at(0).get<std::string>(),
              ::testing::StartsWith("statistics.goodput_window until 5 ms: the run was over at 6"));
}

// Flows leave a host by its ports in turn, and come by as many. The three of each source share a link between routers;
// two share each port of host 2, which has more for them.
TEST(CongestionMeasures, FairRatesCountAllPortsOfAHost) {
  const TestFolder folder;
  folder.write("ports.csv",
               "source,destination,bytes\n0,2,100000\n12,2,100000\n0,2,100000\n12,2,100000\n0,2,100000\n"
               "12,2,100000\n");
  const json report = run_report(folder.write("ports.textproto", R"(
topology { tofu { generation: TOFUD x: 2 y: 1 z: 1 } }
router { model: PACKET packet_payload: "512B" }
workload { flows { file: "ports.csv" } }
)"),
                                 {});
  for (const json& flow : report.at("flows")) EXPECT_NEAR(number(flow.at("max_min_gbps")), 54.4 * 512 / 544 / 3, 1e-6);
  EXPECT_LE(number(report.at("flow_summary").at("min_over_max_min")), 1);
}

// Two spines: with a way for each destination, rates can be said in advance, with several they cannot.
TEST(CongestionMeasures, FairRatesAreLeftOutWhereAFlowHasSeveralPaths) {
  const TestFolder folder;
  const auto report = [&folder](const std::string& routing) {
    return run_report(folder.write("ways.textproto", R"(
topology { spine_leaf { spines: 2 leaves: 2 hosts_per_leaf: 4 link_rate: "100Gbps" host_rate: "100Gbps" } }
router { model: PACKET packet_payload: "1000B" }
pfc { }
congestion { dcqcn { } }
workload { incast { sources: 7 bytes: "1MB" } }
routing { algorithm: )" + routing + " }\n"),
                      {});
  };
  const json one = report("D_MOD_K");
  EXPECT_TRUE(one.at("flows").at(0).contains("max_min_gbps"));
  EXPECT_TRUE(one.at("flow_summary").contains("min_over_max_min"));
  EXPECT_TRUE(one.at("control").contains("false_marks"));
  EXPECT_FALSE(one.at("flow_summary").contains("no_max_min"));
  // With a way for each flow, some have a spine of their own.
  const json by_flow = report("ECMP");
  double all = 0;
  for (const json& flow : by_flow.at("flows")) all += number(flow.at("max_min_gbps"));
  EXPECT_NEAR(all, 7 * number(one.at("flows").at(0).at("max_min_gbps")), 1e-6) << "the link of the host is shared";
  EXPECT_FALSE(by_flow.at("flow_summary").contains("no_max_min"));
  EXPECT_TRUE(by_flow.at("control").contains("false_marks"));
  for (const char* routing : {"UP_DOWN", "RANDOM_UP"}) {
    const json several = report(routing);
    for (const json& flow : several.at("flows")) EXPECT_FALSE(flow.contains("max_min_gbps")) << routing;
    EXPECT_TRUE(several.at("flows").at(0).contains("marks"));
    EXPECT_FALSE(several.at("flow_summary").contains("min_over_max_min")) << routing;
    EXPECT_FALSE(several.at("flow_summary").contains("jain_over_max_min")) << routing;
    EXPECT_FALSE(several.at("control").contains("false_marks")) << routing;
    EXPECT_EQ(several.at("flow_summary").at("no_max_min"), "routing has several paths from host 4 to 0") << routing;
  }
}

// Of input buffers and credits, where it is asked for: there is something to compare schemes with.
TEST(CongestionMeasures, QueuesAreCountedWithoutAScheme) {
  const TestFolder folder;
  const std::string file = folder.write("credits.textproto", R"(
topology { fat_tree { down: 9 host_rate: "100Gbps" host_latency: "1us" } }
router { model: PACKET packet_payload: "1000B" vc_buffer_flits: 2048 }
workload { incast { sources: 8 bytes: "1MB" destination: 8 } }
)");
  const json silent = run_report(file, {});
  EXPECT_FALSE(silent.contains("queues"));
  const json none = run_report(file, {"statistics.queues=true"});
  EXPECT_EQ(none.at("timing_digest"), silent.at("timing_digest"));
  EXPECT_EQ(none.at("queues").at("max_port"), "router[0].host8");
  EXPECT_GT(number(none.at("queues").at("max_bytes")), 8 * 1000);
  const json tree = run_report(file, {"statistics.tree_at=100us"});
  EXPECT_EQ(tree.at("trees").at(0).at("ports").at(0).at("port"), "router[0].host8");
  const CliResult compared = run_cli({"compare", file, "--schemes", "none", "--json", "--quiet"});
  EXPECT_EQ(json::parse(compared.out).at("comparison").at(0).at("queue_max_bytes").at("mean"),
            number(none.at("queues").at("max_bytes")));
  EXPECT_FALSE(none.at("queues").contains("paused_seconds"));
}

// What the closed forms of the report itself say of the experiment.
TEST(CongestionMeasures, FairRatesMarksAndPauses) {
  const json off = run_report(kExperiments + "victim.textproto", {});
  for (int flow = 0; flow < 9; ++flow) {
    const double fair = flow == 8 ? 95.4198 : 95.4198 / 8;
    EXPECT_NEAR(number(off.at("flows").at(flow).at("max_min_gbps")), fair, 1e-3);
  }
  EXPECT_NEAR(number(off.at("flow_summary").at("min_over_max_min")), 0.125, 0.006);
  // All eight hosts, the victim's and the trunk are paused most of the time.
  EXPECT_GT(number(off.at("queues").at("paused_seconds")), 5 * 0.04);
  EXPECT_GT(number(off.at("queues").at("p50_bytes")), 100'000);
  EXPECT_LE(number(off.at("queues").at("p50_bytes")), number(off.at("queues").at("p99_bytes")));
  EXPECT_LE(number(off.at("queues").at("p99_bytes")), number(off.at("queues").at("max_bytes")));

  const json dcqcn = run_report(kExperiments + "victim.textproto", {"congestion.dcqcn.pmax=0.2"});
  double marks = 0;
  double notices = 0;
  for (const json& flow : dcqcn.at("flows")) {
    marks += number(flow.at("marks"));
    notices += number(flow.at("notices"));
  }
  EXPECT_GT(marks, 0);
  EXPECT_EQ(marks, number(dcqcn.at("control").at("marks")));
  EXPECT_EQ(notices, number(dcqcn.at("control").at("notices")));
  // The victim's port is congested as well, so no mark is false.
  EXPECT_EQ(number(dcqcn.at("control").at("false_marks")), 0);
}

// A report can be read without its experiment.
TEST(CongestionMeasures, TheReportNamesWhatManagesCongestion) {
  const std::string file = kExperiments + "incast8.textproto";
  const json run = run_report(file, {"congestion.hpcc.stages=5"}).at("run");
  EXPECT_EQ(run.at("router_model"), "PACKET");
  EXPECT_EQ(run.at("routing"), "up_down");
  EXPECT_THAT(run.at("congestion").get<std::string>(), ::testing::StartsWith("hpcc { stages: 5 }, "));
  const CliResult text = run_cli({"run", file, "--quiet", "--set", "congestion.hpcc.stages=5"});
  EXPECT_THAT(text.out, ::testing::HasSubstr("\nrouters         PACKET, routing up_down\n"));
  EXPECT_THAT(text.out, ::testing::HasSubstr("\ncongestion      hpcc { stages: 5 }, "));
  const CliResult described = run_cli({"describe", file, "--set", "congestion.hpcc.stages=5"});
  EXPECT_THAT(described.out, ::testing::HasSubstr("\nrouters     PACKET, "));
  EXPECT_THAT(described.out, ::testing::HasSubstr("\ncongestion  hpcc { stages: 5 }, "));
}

// Three hosts send to one, a fourth to another one, all over a trunk as fast as four hosts. The trunk marks only what
// waits there because the buffers of the next router are full of packets to the first host.
TEST(CongestionMeasures, FalseMarksAreThoseOfVictims) {
  const TestFolder folder;
  folder.write("victim.csv", "source,destination,bytes,start\n,,MB,us\n4,0,5,0\n5,0,5,0\n6,0,5,0\n7,1,5,0\n");
  const std::string file = folder.write("victim.textproto", R"(
topology { spine_leaf { spines: 1 leaves: 2 hosts_per_leaf: 4 link_rate: "400Gbps" host_rate: "100Gbps" } }
router { model: PACKET packet_payload: "1000B" }
routing { algorithm: D_MOD_K }
congestion { dcqcn { kmin: "3KB" kmax: "200KB" pmax: 1 } }
workload { flows { file: "victim.csv" } }
)");
  const json report = run_report(file, {});
  for (const json& flow : report.at("flows")) EXPECT_GT(number(flow.at("marks")), 0) << flow.at("source");
  EXPECT_EQ(report.at("control").at("false_marks"), report.at("flows").at(3).at("marks"));
}

// Between the rounds of an incast nothing is sent, so the mean load of the link is low; while it fills the queue, the
// link is congested all the same.
TEST(CongestionMeasures, MarksOfARareIncastAreNotFalse) {
  const TestFolder folder;
  const json report = run_report(folder.write("rare.textproto", R"(
topology { spine_leaf { spines: 1 leaves: 2 hosts_per_leaf: 5 link_rate: "100Gbps" host_rate: "100Gbps" } }
router { model: PACKET packet_payload: "1000B" }
pfc { }
routing { algorithm: D_MOD_K }
congestion { dcqcn { kmin: "100KB" kmax: "400KB" pmax: 0.2 } }
workload { incast { sources: 4 bytes: "200KB" rounds: 3 period: "2ms" } }
)"),
                                 {});
  EXPECT_GT(number(report.at("control").at("marks")), 0);
  EXPECT_EQ(number(report.at("control").at("false_marks")), 0);
}

}  // namespace
}  // namespace fabrictwin
