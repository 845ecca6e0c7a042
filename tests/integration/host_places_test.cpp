// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Hosts of routers of words, and of nodes, at other places: the same digests and reports wherever ranks run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/integration/cli_process.h"
#include "tests/integration/digests.h"
#include "tests/integration/study_results.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;
using Words = std::vector<std::string>;

const std::string kFolder = "workloads/experiments/";

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Fields as --set takes them.
Words sets(const Words& fields) {
  Words words;
  for (const std::string& field : fields) words = words + Words{"--set", field};
  return words;
}

Words uses(const Words& rules) {
  Words words;
  for (const std::string& rule : rules) words = words + Words{"--use", rule};
  return words;
}

/// miniFE on the eight hosts of a torus.
const Words kTorus =
    Words{kFolder + "all-model.textproto"} + sets({"workload.skeleton.ranks=8", "workload.skeleton.minife.global=8x8x8",
                                                   "workload.skeleton.minife.iterations=2"});
/// Eight boards, whose models and the links between them are calibrated.
const Words kNodes =
    Words{kFolder + "exanest.textproto"} + sets({"topology.exanest.blades=2", "workload.traffic.duration=10us"});

nlohmann::json report_of(const Words& arguments) {
  const CliResult result = run_cli(Words{"run", "--json", "--quiet"} + arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return nlohmann::json::parse(result.out, nullptr, false);
}

class HostsOfRouters : public ::testing::TestWithParam<Words> {};

TEST_P(HostsOfRouters, CanBeAnywhere) {
  static const Digests here = digests_of(kTorus, {});
  ASSERT_GT(here.packets, 100u);
  EXPECT_EQ(digests_of(kTorus, GetParam()), here);
}

INSTANTIATE_TEST_SUITE_P(Some, HostsOfRouters,
                         ::testing::Values(Words{"host[0..3],router[0..3]=MODEL@worker:shm"},
                                           Words{"host[1]=MODEL@worker:shm", "router[1]=RTL@worker:unix",
                                                 "router[5]=BOARD@soft"}));
INSTANTIATE_TEST_SUITE_P(Any, HostsOfRouters,
                         ::testing::Values(Words{"*=MODEL@worker:unix"}, Words{"host[*]=MODEL@worker:tcp"},
                                           Words{"host[2,6]=MODEL@worker:shm", "router[6],host[7]=MODEL@worker:shm"},
                                           Words{"host[0..3],router[0..3]=MODEL@worker:shm", "router[*]=RTL"}));

class HostsOfNodes : public ::testing::TestWithParam<Words> {};

TEST_P(HostsOfNodes, CanBeAnywhere) {
  static const Digests here = digests_of(kNodes, {});
  ASSERT_GT(here.packets, 100u);
  EXPECT_EQ(digests_of(kNodes, GetParam()), here);
}

INSTANTIATE_TEST_SUITE_P(Some, HostsOfNodes, ::testing::Values(Words{"qfdb[4..7].*=MODEL@worker:shm"}));
// A cut between the nodes of one board is cut, too, as the timing of its links is calibrated.
INSTANTIATE_TEST_SUITE_P(
    Any, HostsOfNodes,
    ::testing::Values(Words{"qfdb[2].switch[1],qfdb[5].router=MODEL@worker:unix"}, Words{"*=MODEL@worker:tcp"},
                      Words{"mpsoc[0..7],qfdb[0..1].*=MODEL@worker:shm", "qfdb[7].*=MODEL@worker:shm"}));

TEST(HostsOfNodesInHardware, CanBeAnywhere) {
  const Digests here = digests_of(kNodes, {"qfdb[0].router=RTL"});
  EXPECT_EQ(digests_of(kNodes, {"qfdb[0].router=RTL@worker:unix", "mpsoc[0]=MODEL@worker:shm"}), here);
  EXPECT_EQ(
      digests_of(kNodes, {"qfdb[0].router=BOARD@soft", "mpsoc[0]=MODEL@worker:shm", "qfdb[3].*=MODEL@worker:shm"}),
      here);
}

TEST(HostsOfNodesWithPackets, CanBeAnywhere) {
  const Words packets = kNodes + uses({"*=MODEL/PACKET"});
  const Digests here = digests_of(packets, {"qfdb[1].*=MODEL"});
  EXPECT_EQ(digests_of(packets, {"qfdb[1].*=MODEL", "qfdb[4..7].*=MODEL/PACKET@worker:shm"}), here);
  EXPECT_EQ(digests_of(packets, {"qfdb[1].*=MODEL"}, {"--split", "3"}), here);
}

TEST(HostsSplit, GoWithTheirRouters) {
  EXPECT_EQ(digests_of(kTorus, {}, {"--split", "3"}), digests_of(kTorus, {}));
  EXPECT_EQ(digests_of(kNodes, {}, {"--split", "3"}), digests_of(kNodes, {}));
  const CliResult plan = run_cli(Words{"describe"} + kTorus + Words{"--split", "2", "--json"});
  ASSERT_EQ(plan.exit_code, 0) << plan.err;
  const nlohmann::json json = nlohmann::json::parse(plan.out);
  for (const nlohmann::json& partition : json.at("partitions")) {
    int routers = 0;
    int hosts = 0;
    for (const nlohmann::json& element : partition.at("elements"))
      ++(element.get<std::string>().starts_with("host") ? hosts : routers);
    EXPECT_EQ(routers, 4) << partition;
    EXPECT_EQ(hosts, 4) << partition;
  }
}

TEST(HostsReport, IsThatOfOneProcess) {
  const Words torus = kTorus + sets({"statistics.latency_histogram=true", "statistics.message_matrix=true",
                                     "statistics.rank_timeline=true", "statistics.link_interval=1us",
                                     "statistics.occupancy_interval=700ns"});
  const nlohmann::json one = report_of(torus);
  const nlohmann::json two = report_of(torus + uses({"host[0,3,5],router[0,3]=MODEL@worker:shm"}));
  ASSERT_EQ(one.at("ranks").size(), 8u);
  for (const char* field :
       {"ranks", "jobs", "links", "simulated_fs", "packets_delivered", "bytes_delivered", "complete",
        "message_latency_seconds", "message_matrix", "rank_timeline", "link_series", "occupancy"})
    EXPECT_EQ(two.at(field), one.at(field)) << field;
}

TEST(HostsReport, OfTrafficIsThatOfOneProcess) {
  const Words traffic =
      Words{kFolder + "uniform.textproto"} + sets({"workload.traffic.duration=5us", "statistics.per_node=true"});
  const nlohmann::json one = report_of(traffic);
  const nlohmann::json two = report_of(traffic + uses({"host[0..9],router[5..12]=MODEL@worker:shm"}));
  for (const char* field : {"traffic", "links", "timing_digest"}) EXPECT_EQ(two.at(field), one.at(field)) << field;
}

// A workload that its hosts share is no obstacle where all of them are in one partition.
TEST(HostsReport, OfHostsThatShareIsThatOfOneProcess) {
  const TestFolder folder;
  const Words closed = {
      folder.write("closed.textproto",
                   "topology { torus { dims: [2, 2] } } workload { traffic { process: CLOSED_LOOP } } seed: 1\n")};
  EXPECT_EQ(digests_of(closed, {"*=MODEL@worker:shm"}), digests_of(closed, {}));
}

/// The report without what says where elements were.
nlohmann::json whole_report(const Words& arguments) {
  nlohmann::json report = results_in(report_of(arguments).dump());
  for (const char* key : {"partitions", "run"}) report.erase(key);
  for (nlohmann::json& metric : report.at("metrics")) {
    nlohmann::json& labels = metric.at("labels");
    std::erase_if(labels.get_ref<nlohmann::json::array_t&>(),
                  [](const nlohmann::json& label) { return label.at("name") == "place"; });
  }
  return report;
}

TEST(HostsReport, OfFlowsAtOneWorkerIsThatOfOneProcess) {
  const TestFolder folder;
  folder.write("flows.csv", "source,destination,bytes,start\n,,B,s\n0,9,200000,0\n1,9,200000,0\n8,10,100000,1e-6\n");
  const Words small = Words{kFolder + "congestion/victim.textproto"} +
                      sets({"workload.flows.file=" + folder.file("flows.csv"), "congestion.dcqcn.kmin=5KB",
                            "statistics.series_interval=1us"});
  const nlohmann::json one = whole_report(small);
  ASSERT_EQ(one.at("flows").size(), 3u);
  ASSERT_TRUE(one.contains("queues"));
  ASSERT_TRUE(one.contains("series"));
  EXPECT_EQ(whole_report(small + uses({"*=MODEL@worker:unix"})), one);
}

// Routers of words have no queues in a series, so that it is the same with RTL and with hosts elsewhere.
TEST(HostsReport, OfFlowsAmongWordsIsThatOfOneProcess) {
  const TestFolder folder;
  folder.write("flows.csv", "source,destination,bytes,start\n,,B,s\n0,5,20000,0\n1,5,20000,0\n7,2,10000,1e-6\n");
  const Words small{folder.write("words.textproto",
                                 "topology { torus { dims: [2, 2, 2] } }\nworkload { flows { file: \"flows.csv\" } }\n"
                                 "statistics { series_interval: \"1us\" }\n")};
  const nlohmann::json one = whole_report(small);
  const nlohmann::json& points = one.at("series").at("points");
  ASSERT_GE(points.size(), 10u);
  EXPECT_FALSE(points.at(0).contains("queue_bytes"));
  std::vector<uint64_t> bytes(3);
  for (const nlohmann::json& point : points) {
    for (size_t flow = 0; flow < bytes.size(); ++flow) bytes[flow] += point.at("flow_bytes").at(flow).get<uint64_t>();
  }
  EXPECT_LE(bytes[0], 20000u);
  EXPECT_EQ(bytes[2], 10000u) << "the flow that is over first";
  EXPECT_EQ(whole_report(small + uses({"host[1..3],router[1..3]=MODEL@worker:unix"})).at("series"), one.at("series"));
  EXPECT_EQ(whole_report(small + uses({"router[1]=RTL"})).at("series"), one.at("series"));
}

// Words of RDMA are still on their way when the last host has finished, and those of a run that is stopped are, too.
TEST(HostsReport, OfQueuesAmongWordsIsThatOfOneProcess) {
  const Words counted = kTorus + sets({"statistics.queues=true"});
  for (const Words& more : {Words{}, sets({"host.nic=RDMA"}), sets({"stop.after_simulated=20us"})}) {
    const nlohmann::json one = report_of(counted + more);
    ASSERT_TRUE(one.contains("queues"));
    EXPECT_EQ(one.at("queues").at("at_inputs"), true);
    EXPECT_GT(one.at("queues").at("max_bytes"), 0);
    EXPECT_GT(one.at("queues").at("mean_bytes"), 0);
    for (const Words& places :
         {uses({"host[0,3,5],router[0,3]=MODEL@worker:shm"}), uses({"*=MODEL@worker:unix"}), Words{"--split", "3"}})
      EXPECT_EQ(report_of(counted + more + places).at("queues"), one.at("queues")) << places[1];
  }
}

// Routers of another depth have no queues in a series either, wherever hosts are.
TEST(HostsReport, OfFlowsAtSeveralDepthsIsThatOfOneProcess) {
  const TestFolder folder;
  folder.write("flows.csv", "source,destination,bytes,start\n,,B,s\n0,5,20000,0\n1,5,20000,0\n7,2,10000,1e-6\n");
  const auto write = [&](const std::string& name, const std::string& topology) {
    return Words{folder.write(name, "topology { " + topology + " }\nworkload { flows { file: \"flows.csv\" } }\n" +
                                        "statistics { series_interval: \"1us\" }\n")};
  };
  const Words torus = write("torus.textproto", "torus { dims: [2, 2, 2] }") + uses({"*=MODEL/PACKET"});
  const nlohmann::json packets = whole_report(torus);
  ASSERT_GE(packets.at("series").at("points").size(), 5u);
  EXPECT_FALSE(packets.at("series").at("points").at(0).contains("queue_bytes"));
  EXPECT_FALSE(packets.contains("queues"));
  EXPECT_EQ(whole_report(torus + Words{"--split", "2"}).at("series"), packets.at("series"));
  const Words tree = write("tree.textproto", "spine_leaf { spines: 2 leaves: 2 hosts_per_leaf: 4 }") +
                     uses({"router[2..3]=MODEL/PACKET"});
  const nlohmann::json spines = whole_report(tree);
  ASSERT_GE(spines.at("series").at("points").size(), 5u);
  const nlohmann::json apart = whole_report(tree + uses({"host[4..7]=MODEL@worker:unix"}));
  EXPECT_EQ(apart.at("series"), spines.at("series"));
  EXPECT_FALSE(apart.contains("queues"));
}

TEST(HostsReport, OfABenchmarkAtOneWorkerIsThatOfOneProcess) {
  const Words small = Words{kFolder + "gemm.textproto"} + sets({"workload.gemm.size=256"});
  const nlohmann::json one = whole_report(small);
  ASSERT_TRUE(one.contains("gemm"));
  EXPECT_EQ(whole_report(small + uses({"*=MODEL@worker:unix"})), one);
}

// Ranks share what they have measured only, and each process makes the panels of matrices that it reads.
TEST(HostsReport, OfBenchmarksAtSeveralPlacesIsThatOfOneProcess) {
  const TestFolder folder;
  const std::string osu =
      folder.write("osu.textproto",
                   "topology { torus { dims: [2, 2, 2] } }\n"
                   "workload { osu { benchmark: ALLREDUCE sizes: \"8B\" iterations: 3 } } seed: 1\n");
  struct Benchmark {
    Words experiment;
    const char* field;
    Words uses;
  };
  for (const Benchmark& benchmark :
       {Benchmark{{osu}, "osu", {"host[1..4]=MODEL@worker:unix", "host[6]=MODEL@worker:shm"}},
        Benchmark{{osu, "--set", "router.model=PACKET"}, "osu", {"router[1..4]=MODEL@worker:unix"}},
        Benchmark{Words{kFolder + "gemm.textproto"} + sets({"workload.gemm.size=256"}),
                  "gemm",
                  {"qfdb[0].switch[1]=MODEL@worker:unix", "qfdb[0].switch[3]=MODEL@worker:shm"}}}) {
    const nlohmann::json one = report_of(benchmark.experiment);
    const nlohmann::json apart = report_of(benchmark.experiment + uses(benchmark.uses));
    ASSERT_TRUE(one.contains(benchmark.field));
    for (const char* field : {benchmark.field, "jobs", "ranks", "timing_digest", "payload_digest", "simulated_fs"})
      EXPECT_EQ(apart.at(field), one.at(field)) << field << " of " << benchmark.experiment.back();
  }
  EXPECT_EQ(report_of(Words{kFolder + "gemm.textproto"} + sets({"workload.gemm.size=256"}) +
                      uses({"qfdb[0].switch[1..2]=MODEL@worker:unix"}))
                .at("gemm")
                .at("verified"),
            true);
}

// Hosts alone at a place have nothing to do before the limit, and nobody there has to be told of it.
TEST(HostsReport, ALimitIsThatOfOneProcess) {
  const Words limited = kTorus + sets({"stop.after_simulated=20us"});
  const nlohmann::json one = report_of(limited);
  EXPECT_EQ(one.at("complete"), false);
  for (const char* rule :
       {"host[1..4]=MODEL@worker:unix", "host[1..4]=MODEL@worker:shm", "router[2],host[2]=MODEL@worker:unix"}) {
    const nlohmann::json two = report_of(limited + uses({rule}));
    for (const char* field : {"timing_digest", "simulated_fs", "packets_delivered", "links", "complete", "reason"})
      EXPECT_EQ(two.at(field), one.at(field)) << field << " with " << rule;
  }
}

// Places go on to the limit, where nothing happens any more, and the series ends with the workload.
TEST(HostsReport, ALimitAfterTheEndIsThatOfOneProcess) {
  const Words limited =
      kTorus + sets({"router.model=PACKET", "stop.after_simulated=50ms", "statistics.link_interval=2us"});
  const nlohmann::json one = report_of(limited);
  EXPECT_EQ(one.at("complete"), true);
  ASSERT_GT(one.at("link_series").at("intervals").size(), 20u);
  EXPECT_EQ(report_of(limited + Words{"--split", "2"}).at("link_series"), one.at("link_series"));
}

TEST(HostsReport, OfTrafficHasNoMessages) {
  const Words traffic =
      Words{kFolder + "uniform.textproto"} +
      sets({"workload.traffic.duration=5us", "router.model=PACKET", "statistics.latency_histogram=true"});
  EXPECT_EQ(report_of(traffic + Words{"--split", "2"}).contains("message_latency_seconds"),
            report_of(traffic).contains("message_latency_seconds"));
}

// Nobody is left in this process who could say them.
TEST(HostsReport, HasTheWarnings) {
  const Words slow = kTorus + sets({"topology.torus.link_latency=4us"});
  const nlohmann::json one = report_of(slow);
  ASSERT_EQ(one.at("warnings").size(), 1u);
  for (const char* rule : {"*=MODEL@worker:shm", "host[0..3]=MODEL@worker:shm"})
    EXPECT_EQ(report_of(slow + uses({rule})).at("warnings"), one.at("warnings")) << rule;
}

/// The packets that a run follows, as a file.
std::string packets_of(const TestFolder& folder, const Words& arguments) {
  const std::string out = folder.file("out" + std::to_string(arguments.size()));
  const CliResult result =
      run_cli(Words{"run", "--quiet", "--out", out} + arguments +
              sets({"statistics.packet_trace.sample=0.3", "statistics.packet_trace.max_packets=200"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return read_file(out + "/packets.perfetto.json");
}

class PacketsFollowed : public ::testing::TestWithParam<const char*> {};

// Each place follows what it sees of a packet.
TEST_P(PacketsFollowed, AreTheSameFromAllPlaces) {
  const TestFolder folder;
  const Words model = kTorus + sets({std::string("router.model=") + GetParam()});
  const std::string one = packets_of(folder, model);
  ASSERT_GT(std::count(one.begin(), one.end(), '\n'), 200);
  EXPECT_EQ(packets_of(folder, model + uses({"router[0,3,5]=MODEL@worker:shm"})), one);
  EXPECT_EQ(packets_of(folder, model + uses({"host[1..4],router[1..4]=MODEL@worker:shm"})), one);
  EXPECT_EQ(packets_of(folder, model + uses({"router[1,2]=MODEL@worker:unix", "router[6]=MODEL@worker:shm"})), one);
}

INSTANTIATE_TEST_SUITE_P(Models, PacketsFollowed, ::testing::Values("EXANET", "PACKET", "INPUT_QUEUED"));

TEST(MessagesLogged, AreTheSameFromAllPlaces) {
  const Words small = Words{"validate", "--json"} + kTorus + uses({"router[1]=RTL"});
  const auto errors = [](const Words& arguments) {
    const CliResult result = run_cli(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out, nullptr, false).at("errors");
  };
  const nlohmann::json one = errors(small);
  ASSERT_GT(one.at("messages"), 100) << one;
  EXPECT_EQ(errors(small + uses({"host[0,6]=MODEL@worker:shm", "host[3]=MODEL@worker:unix"})), one);
}

/// Systems of words whose network interfaces still answer each other when the last host has finished.
class HostsThatAnswer : public ::testing::TestWithParam<Words> {};

TEST_P(HostsThatAnswer, EndAsInOneProcess) {
  const Words experiment = kTorus + GetParam() + sets({"statistics.occupancy_interval=1us"});
  const nlohmann::json one = report_of(experiment);
  ASSERT_GT(one.at("packets_delivered"), 100);
  for (const Words& rules :
       {Words{"host[0..3],router[0..3]=MODEL@worker:shm"}, Words{"host[*]=MODEL@worker:unix"},
        Words{"*=MODEL@worker:shm"},
        Words{"host[1]=MODEL@worker:tcp", "router[1]=RTL@worker:unix", "host[5],router[4]=MODEL@worker:shm"}}) {
    const nlohmann::json apart = report_of(experiment + uses(rules));
    for (const char* field : {"timing_digest", "payload_digest", "packets_delivered", "bytes_delivered", "simulated_fs",
                              "ranks", "jobs", "control"})
      EXPECT_EQ(apart.value(field, nlohmann::json()), one.value(field, nlohmann::json())) << field << " " << rules[0];
  }
  const nlohmann::json split = report_of(experiment + Words{"--split", "3"});
  EXPECT_EQ(split.at("timing_digest"), one.at("timing_digest"));
  EXPECT_EQ(split.at("links"), one.at("links"));
  EXPECT_EQ(split.at("occupancy"), one.at("occupancy"));
}

INSTANTIATE_TEST_SUITE_P(Some, HostsThatAnswer, ::testing::Values(sets({"host.nic=RDMA"})));
INSTANTIATE_TEST_SUITE_P(Any, HostsThatAnswer,
                         ::testing::Values(sets({"host.nic=RDMA", "stop.after_simulated=20us"}),

                                           sets({"congestion.ib_cca.threshold=15", "congestion.ib_cca.timer=10"})));

// Traffic of hosts that are together is over when their partition says so.
TEST(TrafficOfHostsThatAnswer, CanBeAtOneOtherPlace) {
  const Words hotspot = Words{kFolder + "congestion/hotspot-rtl.textproto"} + sets({"workload.traffic.duration=50us"});
  const nlohmann::json one = report_of(hotspot);
  const nlohmann::json apart =
      report_of(hotspot + uses({"host[*]=MODEL@worker:shm", "router[2..4]=MODEL@worker:unix"}));
  ASSERT_GT(one.at("control").at("marks"), 10);
  for (const char* field : {"timing_digest", "payload_digest", "traffic", "classes", "control", "simulated_fs"})
    EXPECT_EQ(apart.at(field), one.at(field)) << field;
}

TEST(HostsApart, MistakesAreNamed) {
  const TestFolder folder;
  const std::string closed =
      folder.write("closed.textproto",
                   "topology { torus { dims: [2, 2] } } workload { traffic { process: CLOSED_LOOP } } seed: 1\n");
  struct Mistake {
    Words words;
    const char* text;
  };
  for (const Mistake& mistake :
       {Mistake{kNodes + uses({"mpsoc[3]=MODEL@worker:shm"}),
                "mpsoc[3] would run at worker:shm and qfdb[0].switch[3], its node, at inproc: the model of a node runs "
                "where its host does"},
        Mistake{kTorus + uses({"host[3]=RTL"}), "host[3], which cannot be RTL: hosts hold the workload, as models"},
        Mistake{Words{closed} + uses({"host[3]=MODEL@worker:shm"}),
                "cannot be at several places: its hosts share the loop of each class"},
        Mistake{kTorus + sets({"statistics.queues=true"}) + uses({"router[3]=MODEL@worker:shm"}),
                "cannot be at several places: statistics.queues tells of routers at other places if hosts are there"},
        Mistake{Words{kFolder + "congestion/hotspot-rtl.textproto"} + uses({"host[3]=MODEL@worker:shm"}),
                "traffic is over when its last packet has arrived"}}) {
    const CliResult result = run_cli(Words{"run", "--quiet"} + mistake.words);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("--use:1:1: error: "));
    EXPECT_THAT(result.err, HasSubstr(mistake.text));
  }
}

// The rule of the routers comes first, but that of the hosts is the obstacle.
TEST(HostsApart, CommandsOfManyRunsRefuseThemBeforeAnythingStarts) {
  const Words apart = uses({"router[0]=MODEL@worker:shm", "host[3],router[3]=MODEL/PACKET"}) +
                      sets({"statistics.occupancy_interval=1us"});
  for (const Words& command : {Words{"osu", "latency"}, Words{"validate"}, Words{"check"}}) {
    const CliResult result = run_cli(command + Words{kFolder + "all-model.textproto"} + apart);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("--use:1:1: error: "));
    EXPECT_THAT(result.err, HasSubstr("\nhost[3],router[3]=MODEL/PACKET\n"));
  }
}

TEST(PacketsFollowedMistakes, AreNamed) {
  const TestFolder folder;
  const CliResult result =
      run_cli(Words{"run", "--quiet", "--out", folder.file("out")} + kTorus +
              sets({"host.nic=RDMA", "statistics.packet_trace.sample=0.3"}) + uses({"router[3]=MODEL@worker:shm"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("are followed in one process only, and \"router[3]\" is elsewhere"));
}

}  // namespace
}  // namespace fabrictwin
