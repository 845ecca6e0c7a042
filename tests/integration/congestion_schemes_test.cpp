// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// IB CCA, max-min, Swift, back-pressure and throttling through the command line, beside closed forms and exact max-min
// rates: docs/models/*.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "tests/integration/congestion_report.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using nlohmann::json;

/// Payload and all bytes of a packet.
constexpr double kPayload = 1000.0 / 1048;

/// Goodputs of the experiment `victim` from 20 to 40 ms: eight flows of an incast, and the victim.
struct Victim {
  explicit Victim(const std::string& set) : report(run_report(kExperiments + "victim.textproto", {set})) {
    const std::vector<double> all = goodputs(report, 20, 40);
    incast.assign(all.begin(), all.begin() + 8);
    hot = std::accumulate(incast.begin(), incast.end(), 0.0);
    victim = all.at(8);
  }
  json report;
  std::vector<double> incast;
  double hot = 0;
  double victim = 0;
};

// A feedback loop of 9 us has 107 packets of this link, where the network that the defaults were made for has about
// five: docs/models/ib-cca.md.
TEST(IbCca, SparesTheVictimAndKeepsTheHotLinkBusy) {
  const Victim run("congestion.ib_cca.marking_rate=20");
  EXPECT_GE(run.victim, 0.8 * 100 * kPayload);
  EXPECT_GE(run.hot, 0.9 * 100 * kPayload);
  EXPECT_EQ(run.report.at("control").at("notices"), run.report.at("control").at("marks"));
}

// As Gran et al. have it, every packet is marked: flows overshoot, and the link of the incast is idle for a part of the
// time.
TEST(IbCca, LeavesTheHotLinkIdleIfEveryPacketIsMarked) {
  const Victim run("congestion.ib_cca.marking_rate=0");
  EXPECT_GE(run.victim, 0.95 * 100 * kPayload);
  EXPECT_NEAR(run.hot / (100 * kPayload), 0.60, 0.02);
}

// Two flows meet at once, and the first notices take both to the limit.
TEST(IbCca, RecoveryTakesLimitTimesTimer) {
  const TestFolder folder;
  folder.write("flows.csv", "source,destination,start,stop\n,,ms,ms\n0,2,0,3\n1,2,0,0.1\n");
  const json report = run_report(folder.write("recovery.textproto", R"(
    topology { fat_tree { down: 3 host_rate: "100Gbps" host_latency: "1us" } }
    router { model: PACKET packet_payload: "1000B" }
    pfc { } transport { header: "48B" }
    congestion { ib_cca { increase: 127 timer: 20 } }
    workload { flows { file: "flows.csv" } }
    statistics { series_interval: "10us" })"),
                                 {});
  const double timer = 20 * 1.024e-6;
  double recovered = 0;
  for (const json& point : report.at("series").at("points")) {
    const double seconds = number(point.at("seconds"));
    if (seconds > 3e-3) break;
    const double gbps = number(point.at("flow_bytes").at(0)) * 8e-9 / 10e-6;
    if (gbps < 0.9 * 100 * kPayload) recovered = seconds;
  }
  // The first mark comes when half of 100 Gbit/s has made the queue longer than 32 KiB.
  const double begin = 5e-6;
  EXPECT_NEAR(recovered - begin, 127 * timer, timer);
}

TEST(MaxMin, GivesEachFlowItsShare) {
  const Victim run("congestion.max_min.target=1");
  EXPECT_NEAR(run.victim, 100 * kPayload, 0.5);
  for (const double each : run.incast) EXPECT_NEAR(each, 12.5 * kPayload, 0.005 * 12.5 * kPayload);
  EXPECT_EQ(number(run.report.value("pauses", json(0))), 0);
  EXPECT_LE(number(run.report.at("queues").at("max_bytes")), 200'000);
}

TEST(MaxMin, SharesAParkingLot) {
  const json report = run_report(kExperiments + "parking-lot.textproto", {"congestion.max_min.target=1"});
  for (const double each : goodputs(report, 20, 40)) EXPECT_NEAR(each, 50 * kPayload, 0.005 * 50 * kPayload);
  EXPECT_LE(number(report.at("queues").at("max_bytes")), 50'000);
}

struct Tree {
  const char* name;
  int uplink;
};

class Trees : public ::testing::TestWithParam<Tree> {};

// 24 flows between 16 hosts, and their exact rates. After 20 round trips of 8.5 us; acknowledgements go past the
// network, since the rates are without them.
TEST_P(Trees, TreesMeetExactRates) {
  std::ifstream file("tests/models/congestion/data/maxmin.csv");
  ASSERT_TRUE(file) << "run it from the root of the project";
  std::string list = "source,destination,start,stop\n,,us,us\n";
  std::vector<double> exact;
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with(GetParam().name)) continue;
    int number = 0;
    int from = 0;
    int to = 0;
    ASSERT_EQ(std::sscanf(line.c_str() + line.find(',') + 1, "f%d h%d->h%d", &number, &from, &to), 3) << line;
    list += fmt::format("{},{},0,1000\n", from, to);
    exact.push_back(std::stod(line.substr(line.rfind(',') + 1)) * kPayload);
  }
  ASSERT_EQ(exact.size(), 24u);
  const TestFolder folder;
  folder.write("flows.csv", list);
  const std::string text = fmt::format(
      R"(topology {{ spine_leaf {{ spines: 1 leaves: 4 hosts_per_leaf: 4 link_rate: "{}Gbps" link_latency: "1us"
                                   host_rate: "100Gbps" host_latency: "1us" }} }}
         router {{ model: PACKET packet_payload: "1000B" }}
         pfc {{ }} transport {{ header: "48B" acknowledgement: "0B" }} congestion {{ max_min {{ }} }}
         workload {{ flows {{ file: "flows.csv" }} }}
         statistics {{ series_interval: "10us" }})",
      GetParam().uplink);
  const json report = run_report(folder.write("tree.textproto", text), {});
  const std::vector<double> rates = goodputs(report, 0.18, 0.98);
  for (size_t flow = 0; flow < exact.size(); ++flow)
    EXPECT_NEAR(rates[flow], exact[flow], 0.005 * exact[flow]) << "flow " << flow;
  EXPECT_LE(number(report.at("queues").at("max_bytes")), 150'000);
}

INSTANTIATE_TEST_SUITE_P(Random, Trees,
                         ::testing::Values(Tree{"tree16 uplink400G 24 random flows seed 1", 400},
                                           Tree{"tree16 uplink200G 24 random flows seed 2", 200}));

TEST(MaxMin, FollowsFlowsThatComeAndGo) {
  const TestFolder folder;
  folder.write(
      "flows.csv",
      "source,destination,bytes,start,stop\n,,B,us,us\n0,4,,0,900\n1,4,,300,600\n2,4,625000,300,\n3,5,,0,900\n");
  const json report = run_report(folder.write("joins.textproto", R"(
    topology { fat_tree { down: 6 host_rate: "100Gbps" host_latency: "1us" } }
    router { model: PACKET packet_payload: "1000B" }
    pfc { } transport { header: "48B" } congestion { max_min { } }
    workload { flows { file: "flows.csv" } }
    statistics { series_interval: "10us" })"),
                                 {});
  EXPECT_NEAR(goodputs(report, 0.1, 0.3).at(0), 100 * kPayload, 0.5);
  // Two flows join; one of them ends by its stop, the other one has sent its bytes.
  for (const size_t flow : {0, 1, 2}) EXPECT_NEAR(goodputs(report, 0.35, 0.4).at(flow), 100 * kPayload / 3, 0.5);
  EXPECT_NEAR(goodputs(report, 0.7, 0.9).at(0), 100 * kPayload, 0.5);
  EXPECT_NEAR(goodputs(report, 0.1, 0.9).at(3), 100 * kPayload, 0.5) << "it shares no link";
}

// A spine more, and the default of routing gives packets of a flow two paths.
TEST(MaxMin, NeedsOnePathForEachFlow) {
  const TestFolder folder;
  const auto text = [](const std::string& routing) {
    return R"(topology { spine_leaf { spines: 2 leaves: 2 hosts_per_leaf: 2 link_rate: "50Gbps" host_rate: "100Gbps" } }
router { model: PACKET packet_payload: "1000B" } pfc { }
congestion { max_min { } } transport { header: "48B" }
workload { incast { sources: 3 bytes: "100kB" } }
)" + routing;
  };
  const std::string file = folder.write("ways.textproto", text(""));
  const CliResult result = run_cli({"run", "--quiet", file});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, ::testing::HasSubstr(":3:14: error: max_min needs one path for all packets of a flow, and "
                                               "there are several from host 0 to 2; write a routing with one"));
  for (const char* routing : {"D_MOD_K", "ECMP"}) {
    const json report =
        run_report(folder.write("way.textproto", text(std::string("routing { algorithm: ") + routing + " }")), {});
    EXPECT_EQ(number(report.at("flow_summary").at("finished")), 3);
    EXPECT_GT(number(report.at("flow_summary").at("min_over_max_min")), 0.7) << routing;
  }
}

// Both ways around a ring are as long. Packets of a flow take one of them together, and flows have their fair shares.
TEST(MaxMin, FlowsTakeOneOfTwoWaysThatAreAsLong) {
  const TestFolder folder;
  folder.write("flows.csv", "source,destination,bytes,start\n,,MB,us\n0,8,1,0\n1,9,1,0\n2,10,1,0\n3,11,1,0\n");
  const std::string file = folder.write("ring.textproto", R"(
    topology { torus { dims: 4 hosts_per_router: 4 } }
    router { model: PACKET packet_payload: "1024B" vc_buffer_flits: 2048 }
    workload { flows { file: "flows.csv" } })");
  const json report = run_report(file, {"congestion.max_min.target=1"});
  EXPECT_FALSE(report.at("flow_summary").contains("no_max_min"));
  EXPECT_GT(number(report.at("flow_summary").at("min_over_max_min")), 0.7);
  // Without the scheme each packet takes its own way.
  const json several = run_report(file, {});
  EXPECT_EQ(several.at("flow_summary").at("no_max_min"), "routing has several paths from host 0 to 8");
  EXPECT_FALSE(several.at("flows").at(0).contains("max_min_gbps"));
}

// The delay of all flows is their common target, which depends on their windows.
TEST(Swift, FlowsShareALinkAtTheTargetDelay) {
  constexpr int kFlows = 8;
  const TestFolder folder;
  std::string list = "source,destination,start,stop\n,,ms,ms\n";
  for (int flow = 0; flow < kFlows; ++flow) list += fmt::format("{},{},0,10\n", flow, kFlows);
  folder.write("flows.csv", list);
  const std::string text = fmt::format(
      R"(topology {{ fat_tree {{ down: {} host_rate: "100Gbps" host_latency: "1us" }} }}
         router {{ model: PACKET packet_payload: "1000B" }}
         pfc {{ }} transport {{ header: "48B" }} congestion {{ swift {{ }} }}
         workload {{ flows {{ file: "flows.csv" }} }}
         statistics {{ series_interval: "10us" }})",
      kFlows + 1);
  const json report = run_report(folder.write("long.textproto", text), {});
  double sum = 0;
  double squares = 0;
  for (const double goodput : goodputs(report, 5, 10)) {
    sum += goodput;
    squares += goodput * goodput;
  }
  EXPECT_NEAR(sum, 100 * kPayload, 0.5);
  EXPECT_GE(sum * sum / (kFlows * squares), 0.95);
  // delay = target(window), window = delay x rate / packet / flows; by iteration, in us.
  double delay = 26;
  for (int i = 0; i < 50; ++i) {
    const double window = delay * 12'500 / 1048 / kFlows;
    delay = 26 + 125 * (1 / std::sqrt(window) - 0.1) / (1 / std::sqrt(0.1) - 0.1);
  }
  const double queue = (delay - 4.2) * 12'500;
  EXPECT_NEAR(mean_queue(report, 5, 10), queue, 0.15 * queue);
}

// Eight flows into one port of 100 Gbit/s: a rate begins at that of the link and falls after marks, and a window is
// what a share of the port needs.
TEST(Series, SaysWhatASchemeLetsFlowsDo) {
  const auto points = [](const std::string& set) {
    return run_report(kExperiments + "incast8.textproto", {"statistics.series_interval=20us", set})
        .at("series")
        .at("points");
  };
  const json dcqcn = points("congestion.dcqcn.pmax=0.2");
  ASSERT_GE(dcqcn.size(), 10u);
  ASSERT_EQ(dcqcn.at(0).at("flow_rate_bps").size(), 8u);
  for (const json& rate : dcqcn.at(0).at("flow_rate_bps")) EXPECT_LE(number(rate), 100e9);
  double least = 100e9;
  for (const json& point : dcqcn) {
    EXPECT_TRUE(point.at("flow_window_bytes").empty());
    for (const json& rate : point.at("flow_rate_bps")) {
      if (number(rate) > 0) least = std::min(least, number(rate));
    }
  }
  EXPECT_LT(least, 50e9);
  EXPECT_GE(least, 100e6) << "the least rate of the scheme";
  const json dctcp = points("congestion.dctcp.gain=0.0625");
  ASSERT_EQ(dctcp.at(4).at("flow_window_bytes").size(), 8u);
  for (const json& window : dctcp.at(4).at("flow_window_bytes")) EXPECT_GE(number(window), 1000);
  const json none = points("router.model=PACKET");
  EXPECT_TRUE(none.at(0).at("flow_rate_bps").empty());
}

TEST(BackPressure, LimitsOnlySourcesOfTheHotDestination) {
  const Victim run("congestion.back_pressure.stop=64KiB");
  EXPECT_GE(run.victim, 0.95 * 100 * kPayload);
  EXPECT_GE(run.hot, 0.95 * 100 * kPayload);
  for (const double each : run.incast) EXPECT_NEAR(each, 12.5 * kPayload, 0.1 * 12.5 * kPayload);
  EXPECT_EQ(number(run.report.value("pauses", json(0))), 0);
}

// A source knows of its first switch only: that helps if the congestion is there.
TEST(Throttling, ActsOnTheFirstSwitch) {
  const json report = run_report(kExperiments + "incast8.textproto", {"congestion.throttling.stop=64KiB"});
  EXPECT_EQ(number(report.at("flow_summary").at("finished")), 8);
  EXPECT_LE(number(report.at("flow_summary").at("max_fct_seconds")), 1.05 * 674.7e-6);
  EXPECT_LE(number(report.at("queues").at("max_bytes")), 1'000'000) << "without, there are 7.3 MB";
  const Victim run("congestion.throttling.stop=64KiB");
  EXPECT_GE(run.victim, 30) << "without, there are 12 Gbit/s";
  EXPECT_LE(run.victim, 80) << "the trunk is paused, and what waits for it stops the victim, too";
}

TEST(Compare, LeavesOutWhatAnExperimentCannotHave) {
  const TestFolder folder;
  const CliResult both =
      run_cli({"compare", kExperiments + "hotspot-torus.textproto", kExperiments + "incast8.textproto", "--schemes",
               "none,dcqcn", "--out", folder.file("out"), "--quiet"});
  EXPECT_EQ(both.exit_code, 0) << both.err;
  EXPECT_THAT(both.out, ::testing::HasSubstr("dcqcn: not possible: congestion is for routers of the model PACKET"));
  const std::string page = read_file(folder.file("out/report.html"));
  EXPECT_THAT(page, ::testing::HasSubstr("<h2>incast8</h2>"));
  EXPECT_THAT(page, ::testing::HasSubstr("<td class=\"best\">"));
  EXPECT_THAT(page, ::testing::HasSubstr("<svg"));
  // Flows of 8 MB, whose last is there after 674.8 us.
  EXPECT_THAT(both.out, ::testing::HasSubstr("94.84"));
  const CliResult none =
      run_cli({"compare", kExperiments + "hotspot-torus.textproto", "--schemes", "dcqcn", "--quiet"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, ::testing::HasSubstr("congestion is for routers of the model PACKET"));
}

// The file asks for nothing over time, and gets it; the run is the one that it would be without.
TEST(Compare, DrawsRatesAndQueuesOverTime) {
  const TestFolder folder;
  const CliResult compared = run_cli({"compare", kExperiments + "incast8.textproto", "--schemes", "none,dcqcn", "--out",
                                      folder.file("out"), "--json", "--quiet"});
  ASSERT_EQ(compared.exit_code, 0) << compared.err;
  const std::string csv = read_file(folder.file("out/incast8.csv"));
  for (const char* curve : {"incast8: goodput of all flows,dcqcn,", "incast8: longest queue,dcqcn,",
                            "\"incast8: rate that a flow may send at, mean\",dcqcn,"})
    EXPECT_NE(csv.find(curve), std::string::npos) << curve;
  const json cell = json::parse(compared.out).at("comparison").at(1);
  EXPECT_EQ(cell.at("runs").at(0).at("timing_digest"),
            run_report(kExperiments + "incast8.textproto", {"congestion.dcqcn.pmax=0.2"}).at("timing_digest"));
}

TEST(Compare, NamesTheSchemesThatThereAre) {
  const CliResult result =
      run_cli({"compare", kExperiments + "incast8.textproto", "--schemes", "none,dqcnc", "--quiet"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, ::testing::HasSubstr(
                              "--schemes:1:6: error: unknown scheme \"dqcnc\" (did you mean \"dcqcn\"?); write some of "
                              "none, dcqcn, dctcp, timely, hpcc, ib_cca, swift, max_min, back_pressure, "
                              "throttling, one, voqsw, voqnet, dbbm, obqa, fbicm, or one for rates with one of queues, "
                              "as dcqcn+voqnet\nnone,dqcnc\n     ^"));
}

// All ready experiments at once: those whose routers carry no scheme say so, and the others have both rows.
TEST(Compare, LongRunOfAllReadyExperiments) {
  std::vector<std::string> arguments{"compare"};
  for (const auto& entry : std::filesystem::directory_iterator(kExperiments)) {
    if (entry.path().extension() == ".textproto") arguments.push_back(entry.path().string());
  }
  std::sort(arguments.begin() + 1, arguments.end());
  ASSERT_GE(arguments.size(), 15u);
  const size_t experiments = arguments.size() - 1;
  arguments.insert(arguments.end(), {"--schemes", "none,dcqcn", "--json", "--quiet"});
  const CliResult result = run_cli(arguments);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json cells = json::parse(result.out).at("comparison");
  ASSERT_EQ(cells.size(), 2 * experiments);
  size_t schemes = 0;
  for (const json& cell : cells) {
    const std::string name = cell.at("experiment").get<std::string>() + " " + cell.at("scheme").get<std::string>();
    EXPECT_EQ(cell.at("runs").empty(), cell.contains("refusal")) << name;
    for (const json& run : cell.at("runs")) EXPECT_TRUE(run.value("complete", false)) << name;
    if (cell.at("scheme") == "none") {
      EXPECT_EQ(cell.at("runs").size(), 1u) << name;
    } else if (!cell.contains("refusal")) {
      EXPECT_TRUE(cell.contains("queue_p50_bytes")) << name;
      ++schemes;
    }
  }
  EXPECT_GE(schemes, 8u);
}

TEST(Compare, TakesRangesOfSeeds) {
  const auto compare = [](const std::string& seeds) {
    return run_cli(
        {"compare", kExperiments + "incast8.textproto", "--schemes", "none,dcqcn", "--seeds", seeds, "--quiet"});
  };
  const CliResult list = compare("1,2,3");
  ASSERT_EQ(list.exit_code, 0) << list.err;
  EXPECT_EQ(compare("1:3").out, list.out);
  EXPECT_EQ(compare("1:3:2,2").exit_code, 0);
  const CliResult twice = compare("1:3,2");
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_THAT(twice.err, ::testing::HasSubstr("--seeds:1:5: error: 2 is there twice"));
  const CliResult wrong = compare("1-3");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, ::testing::HasSubstr("or FROM:TO[:STEP], as in 1:3"));
}

class SchemeLaw : public ::testing::TestWithParam<const char*> {};

// Flows with the sizes of Hadoop, in switches that pause and in such with input buffers and credits.
TEST_P(SchemeLaw, ThreadsDoNotShow) {
  for (const char* switches : {"pfc { } router { model: PACKET packet_payload: \"1000B\" }",
                               "router { model: PACKET packet_payload: \"1000B\" vc_buffer_flits: 2048 }"}) {
    const TestFolder folder;
    const std::string file = folder.write("hadoop.textproto", fmt::format(R"(
      topology {{ spine_leaf {{ spines: 2 leaves: 4 hosts_per_leaf: 4 link_rate: "400Gbps" link_latency: "1us"
                               host_rate: "100Gbps" host_latency: "1us" }} }}
      {} transport {{ header: "48B" }} routing {{ algorithm: D_MOD_K }}
      workload {{ flows {{ sizes: "HADOOP" load: 0.5 duration: "100us" }} }}
      statistics {{ goodput_window {{ from: "20us" until: "80us" }} }})",
                                                                          switches));
    const json one = run_report(file, {GetParam()}, {"--threads", "1"});
    EXPECT_EQ(one.at("flow_summary").at("finished"), one.at("flow_summary").at("flows"));
    // The last one is a repetition.
    for (const int threads : {2, 4, 4}) {
      const json several = run_report(file, {GetParam()}, {"--threads", std::to_string(threads)});
      EXPECT_EQ(number(several.at("run").at("threads")), threads);
      for (const char* field :
           {"timing_digest", "payload_digest", "flows", "flow_summary", "queues", "control", "goodput_window"})
        EXPECT_EQ(one.at(field), several.at(field)) << field << ", " << threads << " threads";
      EXPECT_EQ(one.value("pauses", json()), several.value("pauses", json()));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SchemeLaw,
                         ::testing::Values("congestion.dcqcn.pmax=0.2", "congestion.dctcp.gain=0.0625",
                                           "congestion.timely.low=50us", "congestion.hpcc.stages=5",
                                           "congestion.ib_cca.marking_rate=3", "congestion.swift.decrease=0.8",
                                           "congestion.max_min.target=0.95", "congestion.back_pressure.stop=64KiB",
                                           "congestion.throttling.stop=64KiB"));

}  // namespace
}  // namespace fabrictwin
