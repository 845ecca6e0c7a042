// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What runs and comparisons of flows write.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/integration/cli_process.h"
#include "tests/integration/congestion_report.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using nlohmann::json;

/// A switch with five hosts and pause.
const std::string kTree = R"(
topology { fat_tree { down: 5 host_rate: "100Gbps" host_latency: "1us" } }
router { model: PACKET packet_payload: "1000B" }
pfc { }
)";

// Each scheme has its own, and none has those of another one.
TEST(CongestionComparison, SeveralSchemesAreTuned) {
  const TestFolder folder;
  const std::string file =
      folder.write("incast.textproto", kTree + R"(workload { incast { sources: 4 bytes: "300kB" destination: 4 } }
)");
  const std::vector<std::string> sets = {"congestion.dcqcn.kmin=20kB", "congestion.dctcp.threshold=40kB"};
  const CliResult compared = run_cli(
      {"compare", file, "--schemes", "none,dcqcn,dctcp", "--json", "--quiet", "--set", sets[0], "--set", sets[1]});
  ASSERT_EQ(compared.exit_code, 0) << compared.err;
  const json cells = json::parse(compared.out).at("comparison");
  for (const size_t scheme : {0, 1}) {
    EXPECT_EQ(cells.at(scheme + 1).at("queue_max_bytes").at("mean"),
              number(run_report(file, {sets[scheme]}).at("queues").at("max_bytes")));
  }
}

/// The cells of a comparison by the name of their schemes.
std::map<std::string, json> compared_cells(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"compare", "--json", "--quiet"});
  const CliResult compared = run_cli(arguments);
  EXPECT_EQ(compared.exit_code, 0) << compared.err;
  std::map<std::string, json> cells;
  const json result = json::parse(compared.out, nullptr, false);
  if (result.is_discarded()) return cells;
  for (const json& cell : result.at("comparison")) cells.emplace(cell.at("scheme").get<std::string>(), cell);
  return cells;
}

double victims_of(const json& cell) { return number(cell.at("class_victims_accepted").at("mean")); }

// The torus of BookSim2, whose routers carry no scheme for rates: victims get .023 of .1 with one queue, .099 with all.
TEST(CongestionComparison, QueuesAreSchemes) {
  const std::string torus = kExperiments + "hotspot-torus.textproto";
  const auto cells = compared_cells({torus, "--schemes", "none,one,voqnet,dbbm,dcqcn+voqnet", "--set",
                                     "queues.admittance=PER_DESTINATION", "--set", "queues.count=2"});
  ASSERT_EQ(cells.size(), 5u);
  EXPECT_LT(victims_of(cells.at("none")), 0.03);
  EXPECT_NEAR(victims_of(cells.at("one")), 0.058, 0.006) << "hosts alone have queues";
  EXPECT_GE(victims_of(cells.at("voqnet")), 0.098);
  EXPECT_TRUE(cells.at("voqnet").contains("queue_max_bytes"));
  EXPECT_THAT(cells.at("dcqcn+voqnet").at("refusal").get<std::string>(),
              ::testing::HasSubstr("congestion is for routers of the model PACKET"));
  const auto digest = [](const json& cell) { return cell.at("runs").at(0).at("timing_digest"); };
  EXPECT_EQ(digest(cells.at("none")), run_report(torus, {}).at("timing_digest"));
  const std::vector<std::string> two{"queues.scheme=DBBM", "queues.count=2", "queues.admittance=PER_DESTINATION"};
  EXPECT_EQ(digest(cells.at("dbbm")), run_report(torus, two).at("timing_digest"));
}

// Of an experiment that has queues itself: rows without a scheme of queues have none, others keep what hosts have.
TEST(CongestionComparison, QueuesOfTheFileAreARowLikeOthers) {
  const std::string file = kExperiments + "hotspot-queues.textproto";
  const auto cells = compared_cells({file, "--schemes", "none,voqnet,dcqcn+voqnet,one"});
  ASSERT_EQ(cells.size(), 4u);
  EXPECT_LT(victims_of(cells.at("none")), 0.04);
  EXPECT_GE(victims_of(cells.at("voqnet")), 0.098);
  EXPECT_GE(victims_of(cells.at("dcqcn+voqnet")), 0.098) << "queue pairs take the place of queues in hosts";
  EXPECT_TRUE(cells.at("dcqcn+voqnet").contains("marks"));
  EXPECT_FALSE(cells.at("voqnet").contains("marks")) << "the experiment has queues in hosts and no transport";
  EXPECT_EQ(cells.at("voqnet").at("runs").at(0).at("timing_digest"), run_report(file, {}).at("timing_digest"));
  EXPECT_THAT(cells.at("one").at("refusal").get<std::string>(),
              ::testing::HasSubstr("several queues in hosts would change nothing"));
}

// A mistake in a parameter is shown where it is, and is not taken for a scheme that the experiment cannot have.
TEST(CongestionComparison, MistakesInParametersOfQueuesAreShown) {
  const CliResult refused = run_cli({"compare", kExperiments + "hotspot-torus.textproto", "--schemes", "none,dbbm",
                                     "--quiet", "--set", "queues.count=65"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, ::testing::HasSubstr("--set:1:14: error: count 65: write 2 to 64"));
}

TEST(CongestionRun, EndsWithAWordWhereSimulatedTimeDoes) {
  const TestFolder folder;
  const std::string file = folder.write("slow.textproto", R"(
topology { fat_tree { down: 3 host_rate: "10kbps" host_latency: "1us" } }
router { model: PACKET packet_payload: "1000B" }
workload { incast { sources: 2 bytes: "8MB" destination: 2 } }
)");
  const CliResult late = run_cli({"run", file, "--json", "--quiet"});
  EXPECT_EQ(late.exit_code, 1);
  EXPECT_THAT(late.err, ::testing::HasSubstr("at 9000 s: simulated time ends, and the workload has not"));
  const json report = json::parse(late.out);
  EXPECT_FALSE(report.at("complete"));
  for (const json& flow : report.at("flows")) EXPECT_GE(number(flow.at("goodput_gbps")), 0);
  const CliResult refused = run_cli({"run", file, "--set", "topology.fat_tree.host_rate=9999bps"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, ::testing::HasSubstr("a few packets would outlast simulated time; write at least 10kbps"));
}

TEST(CongestionRun, EndsWithAWordWhereSimulatedTimeDoesInWords) {
  const TestFolder folder;
  const std::string file = folder.write("far.textproto", R"(
topology { torus { dims: 2 dims: 2 link_latency: "1000s" } }
workload { incast { sources: 2 bytes: "8kB" destination: 2 } }
)");
  const CliResult late = run_cli({"run", file, "--json", "--quiet"});
  EXPECT_EQ(late.exit_code, 1);
  EXPECT_THAT(late.err, ::testing::HasSubstr("at 8223 s: simulated time ends, and the workload has not"));
  EXPECT_FALSE(json::parse(late.out).at("complete"));
  EXPECT_EQ(run_cli({"run", file, "--quiet", "--set", "topology.torus.link_latency=200s"}).exit_code, 0);
  // Packets on links that are longer come at no time that can be told.
  const CliResult farther = run_cli({"run", file, "--quiet", "--set", "topology.torus.link_latency=1200s"});
  EXPECT_EQ(farther.exit_code, 1);
  EXPECT_THAT(farther.err, ::testing::HasSubstr("at 8023 s: simulated time ends, and the workload has not"));
}

// An experiment and its list of flows often have one name, and --out may be their folder.
TEST(CongestionOutputs, ReplaceNoFileThatAnExperimentReads) {
  const TestFolder folder;
  const std::string list = "source,destination,bytes,start\n0,4,1000,0\n1,4,1000,0\n";
  for (const char* const name : {"few.csv", "flows.csv"}) folder.write(name, list);
  const std::string few = folder.write("few.textproto", kTree + "workload { flows { file: \"few.csv\" } }\n");
  const std::string flows = folder.write("some.textproto", kTree + "workload { flows { file: \"flows.csv\" } }\n");
  const std::string here = folder.file("");
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"compare", few, "--schemes", "none,dctcp", "--quiet", "--out", here},
           {"run", flows, "--quiet", "--out", here},
           {"run", flows, "--quiet", "--metrics-file", folder.file("flows.csv")},
           {"run", flows, "--quiet", "--html", folder.file("flows.csv")},
           {"run", flows, "--quiet", "--html", folder.file("flows.csv"), "--sweep", "seed=1,2"}}) {
    const CliResult refused = run_cli(command);
    EXPECT_EQ(refused.exit_code, 2) << command.back();
    EXPECT_THAT(refused.err, ::testing::HasSubstr("would replace a file that the experiment reads")) << command.back();
  }
  for (const char* const name : {"few.csv", "flows.csv"}) EXPECT_EQ(read_file(folder.file(name)), list);
  EXPECT_EQ(run_cli({"run", few, "--quiet", "--out", here}).exit_code, 0) << "there is none of these names";
}

// A line for each flow, whose cells are those of the report.
TEST(CongestionReport, FlowsAreATable) {
  const TestFolder folder;
  const std::string file = folder.write("flows.textproto", R"(
topology { fat_tree { down: 4 host_rate: "100Gbps" host_latency: "1us" } }
router { model: PACKET packet_payload: "1000B" }
workload { incast { sources: 2 bytes: "100kB" destination: 3 } }
)");
  const CliResult run = run_cli({"run", file, "--json", "--quiet", "--out", folder.file("out")});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(json::parse(run.out).at("flows").size(), 2u);
  const std::string table = read_file(folder.file("out") + "/flows.csv");
  EXPECT_THAT(table, ::testing::StartsWith("source,destination,bytes,start_seconds,fct_seconds,slowdown,goodput_gbps,"
                                           "bytes_received,marks,notices,max_min_gbps\n0,3,100000,0,"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 3);
}

// Flows of jobs say whose they are.
TEST(CongestionReport, FlowsOfJobsNameTheirJob) {
  const TestFolder folder;
  const std::string file = folder.write("jobs.textproto", kTree + R"(workload { jobs {
  job { name: "few" incast { sources: 1 bytes: "10kB" } placement { hosts: "0,1" } }
  job { name: "many" incast { sources: 2 bytes: "20kB" } placement { hosts: "2..4" } }
} }
)");
  const CliResult run = run_cli({"run", file, "--json", "--quiet", "--out", folder.file("out")});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const json report = json::parse(run.out);
  EXPECT_EQ(report.at("flows").at(2).at("job"), 1);
  for (const json& job : report.at("jobs")) EXPECT_GT(job.at("goodput_gbps"), 1);
  const std::string table = read_file(folder.file("out") + "/flows.csv");
  EXPECT_THAT(table, ::testing::AllOf(::testing::HasSubstr(",max_min_gbps,job\n"), ::testing::HasSubstr(",few\n"),
                                      ::testing::EndsWith(",many\n")));
}

// Files of what the report has, and none of what it does not.
TEST(CongestionReport, ListsAreTables) {
  const TestFolder folder;
  const std::string file = folder.write("jobs.textproto", kTree + R"(workload { jobs { baseline: true
  job { name: "victim" incast { sources: 1 bytes: "10kB" } placement { hosts: "0,1" } }
  job { name: "storm" incast { sources: 2 bytes: "200kB" } placement { hosts: "2..4" } background: true }
} }
fault { link: "router[0].host1" at: "1us" until: "20us" rate: 0.5 }
statistics { tree_at: "4us" }
)");
  const CliResult run = run_cli({"run", file, "--json", "--quiet", "--out", folder.file("out")});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const json report = json::parse(run.out);
  const auto table = [&folder](const std::string& name) { return read_file(folder.file("out") + "/" + name); };
  EXPECT_THAT(table("jobs.csv"), ::testing::StartsWith("name,ranks,first_rank,finish_seconds,background,completions,"
                                                       "baseline_seconds,slowdown,goodput_gbps\nvictim,"));
  EXPECT_THAT(table("faults.csv"), ::testing::HasSubstr(",2e-05,0.5,"));
  EXPECT_THAT(table("queues.csv"),
              ::testing::HasSubstr("," + report.at("queues").at("max_port").get<std::string>() + ","));
  EXPECT_THAT(table("control.csv"), ::testing::StartsWith("marks,acknowledgements,notices,bytes,false_marks\n0,"));
  EXPECT_THAT(table("trees.csv"), ::testing::StartsWith("seconds,port,bytes,waits_for\n"));
  for (const char* const absent : {"classes.csv", "gpcnet.csv"})
    EXPECT_FALSE(std::filesystem::exists(folder.file("out") + "/" + absent)) << absent;
}

// All flows, then those of each size; the largest size has no bound.
TEST(CongestionReport, SizesOfFlowsAreATable) {
  const TestFolder folder;
  folder.write("flows.csv", "source,destination,bytes,start\n0,4,5000,0\n1,4,20000,0\n2,3,30000,0\n");
  const std::string file = folder.write("sizes.textproto", kTree + "workload { flows { file: \"flows.csv\" } }\n");
  const CliResult run = run_cli({"run", file, "--json", "--quiet", "--out", folder.file("out")});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string table = read_file(folder.file("out") + "/flow_bins.csv");
  EXPECT_THAT(table, ::testing::StartsWith("above_bytes,up_to_bytes,flows,fct_p50_seconds,fct_p95_seconds,"
                                           "fct_p99_seconds,slowdown_mean,slowdown_p50,slowdown_p95,slowdown_p99\n"
                                           "0,,3,"));
  EXPECT_THAT(table, ::testing::AllOf(::testing::HasSubstr("\n0,10000,1,"), ::testing::HasSubstr("\n10000,100000,2,")));
  const json bin = json::parse(run.out).at("flow_summary").at("bins").at(1);
  std::string first = table.substr(table.find("\n0,10000,1,") + 11);
  EXPECT_EQ(std::stod(first), bin.at("fct_p50_seconds").get<double>());
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 4);
}

// Bytes that have come by then are not nothing.
TEST(CongestionReport, ARunThatIsStoppedHasTheGoodputUpToThen) {
  const TestFolder folder;
  const std::string file =
      folder.write("stopped.textproto", kTree + R"(workload { incast { sources: 4 bytes: "100MB" destination: 4 } }
stop { after_simulated: "100us" }
)");
  const json report = run_report(file, {});
  EXPECT_EQ(report.at("complete"), false);
  double sum = 0;
  for (const json& flow : report.at("flows")) sum += flow.at("goodput_gbps").get<double>();
  EXPECT_NEAR(sum, 95, 3);
  EXPECT_GT(report.at("flow_summary").at("jain_index"), 0.99);
}

// Four flows share a link from 20 to 40 ms. Over their lives they have more, as they join and leave one after the
// other.
TEST(Compare, HasTheGoodputsOfTheWindow) {
  const CliResult compared =
      run_cli({"compare", kExperiments + "long-flows.textproto", "--schemes", "dcqcn,dctcp", "--json", "--quiet"});
  ASSERT_EQ(compared.exit_code, 0) << compared.err;
  for (const json& cell : json::parse(compared.out).at("comparison")) {
    const auto mean = [&cell](const char* metric) { return number(cell.at(metric).at("mean")); };
    EXPECT_NEAR(mean("window_goodput_gbps"), 95.42, 0.1) << cell.at("scheme");
    EXPECT_GE(mean("window_jain_index"), 0.97) << cell.at("scheme");
    EXPECT_GE(mean("window_goodput_least_gbps"), 20) << cell.at("scheme");
    EXPECT_NEAR(mean("window_min_over_max_min"), mean("window_goodput_least_gbps") / (95.42 / 4), 1e-3);
  }
  const CliResult table = run_cli({"compare", kExperiments + "long-flows.textproto", "--schemes", "dctcp", "--quiet"});
  EXPECT_THAT(table.out, ::testing::HasSubstr("window"));
  EXPECT_THAT(table.out, ::testing::HasSubstr("95.42"));
}

}  // namespace
}  // namespace fabrictwin
