// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The law for routers of the model PACKET and their hosts: the same digests wherever they run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/integration/cli_process.h"
#include "tests/integration/digests.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

const std::string kFolder = "workloads/experiments/";

const std::string kMinife = kFolder + "data/minife-8.fttrace";

/// miniFE on eight hosts of a torus, and on the hosts of a dragonfly, where packets go through groups of neither end.
const std::vector<std::string> kTorus = {kFolder + "all-model.textproto", "--set", "router.model=PACKET", "--set",
                                         "workload.mpi_trace.path=" + kMinife};
const std::vector<std::string> kDragonfly = {kFolder + "dragonfly.textproto",
                                             "--set",
                                             "router.model=PACKET",
                                             "--set",
                                             "workload.skeleton.ranks=72",
                                             "--set",
                                             "workload.skeleton.minife.global=24x24x24",
                                             "--set",
                                             "workload.skeleton.minife.iterations=2",
                                             "--set",
                                             "routing.algorithm=VALIANT"};

using Uses = std::vector<std::string>;
class PacketPlaces : public ::testing::TestWithParam<Uses> {};

TEST_P(PacketPlaces, DoNotShow) {
  static const Digests torus = digests_of(kTorus, {});
  static const Digests dragonfly = digests_of(kDragonfly, {});
  ASSERT_GT(torus.packets, 1000u);
  ASSERT_GT(dragonfly.packets, 1000u);
  EXPECT_EQ(digests_of(kTorus, GetParam()), torus);
  EXPECT_EQ(digests_of(kDragonfly, GetParam()), dragonfly);
}

// Ranks are followed where they run, and shown as one.
TEST(PacketPlacesStatistics, RanksOverTimeAreTheSame) {
  std::vector<std::string> followed = kTorus;
  for (const char* statistic :
       {"latency_histogram=true", "message_matrix=true", "rank_timeline=true", "link_interval=1us"})
    followed.insert(followed.end(), {"--set", std::string("statistics.") + statistic});
  const nlohmann::json whole = report_of(followed, {});
  ASSERT_EQ(whole.at("rank_timeline").at("rows").size(), 8u);
  ASSERT_GT(whole.at("link_series").at("intervals").size(), 10u);
  ASSERT_GT(whole.at("message_latency_seconds").at("histogram").size(), 10u);
  for (const Uses& uses : {Uses{"router[0..3]=MODEL@worker:shm"},
                           Uses{"router[5]=MODEL@worker:unix", "router[1..2,7]=MODEL@worker:shm"}}) {
    const nlohmann::json apart = report_of(followed, uses);
    for (const char* same : {"message_latency_seconds", "message_matrix", "rank_timeline", "link_series", "ranks"})
      EXPECT_TRUE(apart.at(same) == whole.at(same)) << same;
  }
}

TEST(PacketPlacesStatistics, APageShowsAllRanks) {
  const TestFolder folder;
  const std::string page = (folder.path() / "page.html").string();
  const CliResult result = run_cli({"run", kTorus[0], "--quiet", "--json", "--split", "2", "--html", page, "--set",
                                    "router.model=PACKET", "--set", "workload.mpi_trace.path=" + kMinife});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_FALSE(nlohmann::json::parse(result.out).contains("rank_timeline")) << "only the page has it";
  EXPECT_THAT(read_file(page), HasSubstr("What ranks did"));
}

INSTANTIATE_TEST_SUITE_P(Some, PacketPlaces,
                         ::testing::Values(Uses{"router[0..3]=MODEL@worker:shm", "router[6]=MODEL@worker:unix"}));
INSTANTIATE_TEST_SUITE_P(Any, PacketPlaces,
                         ::testing::Values(Uses{"router[*]=MODEL@worker:shm"}, Uses{"router[0]=MODEL@worker:tcp"},
                                           Uses{"router[0,2,4,6]=MODEL@worker:shm", "router[1]=MODEL@worker:unix"},
                                           Uses{"router[2..5]=MODEL@worker:shm", "router[7]=MODEL@worker:shm"}));

/// Routers of packets among routers of words, wherever they are.
class WordPlaces : public ::testing::TestWithParam<Uses> {};

TEST_P(WordPlaces, DoNotShow) {
  static const std::vector<std::string> experiment(kTorus.begin(), kTorus.begin() + 1);
  std::vector<std::string> words = experiment;
  words.insert(words.end(), {"--set", kTorus.back()});
  static const Digests here = digests_of(words, {"router[0,3,6]=MODEL/PACKET"});
  ASSERT_GT(here.packets, 1000u);
  EXPECT_EQ(digests_of(words, GetParam()), here);
}

INSTANTIATE_TEST_SUITE_P(Some, WordPlaces,
                         ::testing::Values(Uses{"router[0,3,6]=MODEL/PACKET", "router[1]=RTL", "router[2]=BOARD@soft"},
                                           Uses{"router[0,3,6]=MODEL/PACKET@worker:shm",
                                                "router[1,4]=MODEL@worker:unix"}));
INSTANTIATE_TEST_SUITE_P(
    Any, WordPlaces,
    ::testing::Values(Uses{"router[0,6]=MODEL/PACKET@worker:unix", "router[3]=MODEL/PACKET@worker:tcp"},
                      Uses{"router[0,3]=MODEL/PACKET", "router[6]=MODEL/PACKET@worker:shm", "router[5]=RTL@worker:shm"},
                      Uses{"router[0,3,6]=MODEL/PACKET@worker:shm", "router[1,2,4,5,7]=RTL"}));

/// Routers of flits among routers of words, beside some of packets.
class FlitPlaces : public ::testing::TestWithParam<Uses> {};

TEST_P(FlitPlaces, DoNotShow) {
  static const std::vector<std::string> words = {kFolder + "all-model.textproto", "--set", kTorus.back()};
  static const Digests here = digests_of(words, {"router[0,3,6]=MODEL/INPUT_QUEUED", "router[7]=MODEL/PACKET"});
  ASSERT_GT(here.packets, 1000u);
  EXPECT_EQ(digests_of(words, GetParam()), here);
}

INSTANTIATE_TEST_SUITE_P(Some, FlitPlaces,
                         ::testing::Values(Uses{"router[0,3,6]=MODEL/INPUT_QUEUED", "router[7]=MODEL/PACKET",
                                                "router[1]=RTL", "router[2]=BOARD@soft"}));
INSTANTIATE_TEST_SUITE_P(Any, FlitPlaces,
                         ::testing::Values(Uses{"router[0,6]=MODEL/INPUT_QUEUED@worker:unix",
                                                "router[3]=MODEL/INPUT_QUEUED@worker:tcp", "router[7]=MODEL/PACKET"},
                                           Uses{"router[0,3]=MODEL/INPUT_QUEUED",
                                                "router[6]=MODEL/INPUT_QUEUED@worker:shm",
                                                "router[7]=MODEL/PACKET@worker:shm", "router[5]=RTL@worker:shm"}));

TEST(WordPlacesIsland, IsTheSameInRtlAndWherever) {
  const std::vector<std::string> island = {kFolder + "island-torus.textproto",
                                           "--set",
                                           "topology.torus.dims=4x4x2",
                                           "--set",
                                           "workload.skeleton.ranks=32",
                                           "--set",
                                           "workload.skeleton.minife.global=12x12x12",
                                           "--set",
                                           "use[1].select=router[0,1,4,5]"};
  const Digests rtl = digests_of(island, {});
  ASSERT_GT(rtl.packets, 1000u);
  EXPECT_EQ(digests_of(island, {}, {"--set", "use[1].implementation=MODEL"}), rtl);
  EXPECT_EQ(digests_of(island, {"router[1]=BOARD@soft"}, {"--set", "use[0].place=worker:shm"}), rtl);
  // Packets are not words, but nearly so.
  const nlohmann::json words = report_of(island, {"*=MODEL"});
  const nlohmann::json mixed = report_of(island, {});
  EXPECT_EQ(mixed["payload_digest"], words["payload_digest"]);
  // Packets take the ways of words, and every link is counted by whoever has its sender.
  ASSERT_EQ(mixed["links"].size(), words["links"].size());
  for (size_t i = 0; i < words["links"].size(); ++i)
    EXPECT_EQ(mixed["links"][i]["bytes"], words["links"][i]["bytes"]) << words["links"][i]["name"];
  EXPECT_NE(mixed["timing_digest"], words["timing_digest"]);
  EXPECT_NEAR(mixed["simulated_seconds"].get<double>() / words["simulated_seconds"].get<double>(), 1, 0.02);
}

/// `island-exanest` on four boards, which takes a second with its RTL.
std::vector<std::string> small_exanest() {
  return {kFolder + "island-exanest.textproto",
          "--set",
          "topology.exanest.blades=1",
          "--set",
          "workload.skeleton.ranks=16",
          "--set",
          "workload.skeleton.minife.global=12x12x12",
          "--set",
          "workload.skeleton.minife.iterations=2"};
}

TEST(WordPlacesIsland, OfNodesIsTheSameWherever) {
  const std::vector<std::string> island = small_exanest();
  const Digests here = digests_of(island, {"qfdb[0].switch[2]=RTL"});
  ASSERT_GT(here.packets, 1000u);
  EXPECT_EQ(digests_of(island, {}), here) << "a soft board";
  EXPECT_EQ(digests_of(island, {}, {"--threads", "3"}), here);
  EXPECT_EQ(digests_of(island, {"qfdb[0].*=RTL@worker:unix"}), here);
  EXPECT_EQ(digests_of(island, {"qfdb[0].*=RTL@worker:shm", "qfdb[0].router=BOARD@soft"}), here);
  const nlohmann::json words = report_of(island, {"*=MODEL"});
  EXPECT_EQ(words["payload_digest"], here.payload);
  EXPECT_NE(words["timing_digest"], here.timing);
}

// A single node is an island, too: its links on the board lead into the sea.
TEST(WordPlacesIsland, OfOneNodeIsTheSameWherever) {
  const std::vector<std::string> island = small_exanest();
  const nlohmann::json words = report_of(island, {"*=MODEL"});
  for (const char* node : {"qfdb[0].switch[1]", "qfdb[0].router"}) {
    const std::string sea = "*=MODEL/PACKET";
    const Digests here = digests_of(island, {sea, std::string(node) + "=RTL"});
    ASSERT_GT(here.packets, 1000u);
    EXPECT_EQ(words["payload_digest"], here.payload) << node;
    EXPECT_EQ(digests_of(island, {sea, std::string(node) + "=RTL@worker:shm"}), here) << node;
    EXPECT_EQ(digests_of(island, {sea, std::string(node) + "=BOARD@soft"}), here) << node;
  }
}

// Nodes of both depths in one partition meet over the same words.
TEST(WordPlacesIsland, OfNodesMayBeModels) {
  const std::vector<std::string> island = small_exanest();
  const nlohmann::json words = report_of(island, {"*=MODEL"});
  const nlohmann::json mixed = report_of(island, {"*=MODEL/PACKET", "qfdb[0].*=MODEL"});
  EXPECT_EQ(mixed["payload_digest"], words["payload_digest"]);
  EXPECT_EQ(mixed["packets_delivered"], words["packets_delivered"]);
  EXPECT_NE(mixed["timing_digest"], words["timing_digest"]);
  EXPECT_NEAR(mixed["simulated_seconds"].get<double>() / words["simulated_seconds"].get<double>(), 1, 0.02);
}

TEST(PacketPlacesReport, HasRanksAndLinksOfAllPlaces) {
  const nlohmann::json one = report_of(kTorus, {});
  const nlohmann::json two = report_of(kTorus, {"router[2,5]=MODEL@worker:shm"});
  ASSERT_EQ(one["ranks"].size(), 8u);
  for (const char* field :
       {"ranks", "jobs", "links", "simulated_fs", "packets_delivered", "bytes_delivered", "complete"})
    EXPECT_EQ(two[field], one[field]) << field;
  EXPECT_EQ(two["partitions"].size(), 2u);
  EXPECT_GT(two["partitions"][0]["records_out"].get<uint64_t>(), 0u);
}

TEST(PacketPlacesReport, ALimitIsThatOfOneProcess) {
  std::vector<std::string> limited = kTorus;
  limited.insert(limited.end(), {"--set", "stop.after_simulated=3ms"});
  const nlohmann::json one = report_of(limited, {});
  EXPECT_EQ(one["complete"], false);
  for (const Uses& uses : {Uses{"router[2,5]=MODEL@worker:shm"}, Uses{"router[*]=MODEL@worker:unix"}}) {
    const nlohmann::json apart = report_of(limited, uses);
    for (const char* field :
         {"timing_digest", "payload_digest", "simulated_fs", "packets_delivered", "complete", "reason"})
      EXPECT_EQ(apart[field], one[field]) << field << " with " << uses[0];
  }
}

TEST(PacketPlacesReport, FlitsCrossProcessesToo) {
  std::vector<std::string> flits = kDragonfly;
  flits.insert(flits.end(), {"--set", "router.model=INPUT_QUEUED"});
  const Digests one = digests_of(flits, {});
  ASSERT_GT(one.packets, 1000u);
  EXPECT_EQ(digests_of(flits, {"router[0,5..20]=MODEL@worker:shm", "router[30]=MODEL@worker:unix"}), one);
}

// All hosts are elsewhere.
TEST(PacketPlacesReport, ThisProcessMayHaveNothing) {
  EXPECT_EQ(digests_of(kTorus, {"router[*]=MODEL@worker:shm"}), digests_of(kTorus, {}));
}

TEST(PacketPlacesSplit, CutsByItself) {
  EXPECT_EQ(digests_of(kTorus, {}, {"--split", "3"}), digests_of(kTorus, {}));
  const CliResult plan = run_cli({"describe", kTorus[0], "--set", "router.model=PACKET", "--split", "2"});
  EXPECT_THAT(plan.out, HasSubstr("models@worker:shm"));
  EXPECT_THAT(plan.out, HasSubstr("cut links (partitions may be 120 ns apart in simulated time)"));
}

// What is on its way between two places when their hosts have nothing to do any more belongs to neither.
TEST(PacketPlacesTraffic, ALimitIsThatOfOneProcess) {
  const std::vector<std::string> incast = {
      kFolder + "uniform.textproto",     "--set", "router.model=PACKET",       "--set",
      "workload.traffic.pattern=INCAST", "--set", "workload.traffic.load=0.5", "--set",
      "workload.traffic.duration=5us",   "--set", "stop.after_simulated=5us"};
  const nlohmann::json one = report_of(incast, {});
  EXPECT_EQ(one["complete"], false);
  ASSERT_GT(one["traffic"]["packets_sent"], one["traffic"]["packets_received"]);
  for (const Uses& uses : {Uses{"router[0]=MODEL@worker:shm"}, Uses{"router[1..3]=MODEL@worker:unix"}}) {
    const nlohmann::json apart = report_of(incast, uses);
    for (const char* field : {"timing_digest", "simulated_fs", "complete", "reason", "traffic"})
      EXPECT_EQ(apart[field], one[field]) << field << " with " << uses[0];
  }
}

TEST(PacketPlacesSplit, CutsTheSeaAroundAnIsland) {
  const std::vector<std::string> island{kFolder + "island-torus.textproto", "--set",
                                        "workload.skeleton.minife.iterations=1"};
  const Digests whole = digests_of(island, {});
  EXPECT_EQ(digests_of(island, {}, {"--split", "2"}), whole);
  EXPECT_EQ(digests_of(island, {"router[1]=BOARD@soft"}, {"--split", "3"}), whole);
  // The RTL stays here.
  const CliResult plan = run_cli({"describe", island[0], "--split", "2"});
  EXPECT_THAT(plan.out, ::testing::ContainsRegex("router\\[0\\] +RTL +inproc"));
  EXPECT_THAT(plan.out, HasSubstr("packets@worker:shm"));
}

// A job on a cube of 4x4x4 of a torus of 8x8x8: each part has about as many of its ranks.
TEST(PacketPlacesSplit, DividesAJobOnSomeOfTheHosts) {
  const TestFolder folder;
  const std::string file = folder.write("job.textproto",
                                        "topology { torus { dims: [8, 8, 8] } }\nrouter { model: PACKET }\nworkload { "
                                        "placement { kind: CURVE } skeleton { "
                                        "ranks: 64 minife { global: \"32x32x32\" iterations: 1 } } }\nseed: 1\n");
  const CliResult plan = run_cli({"describe", file, "--split", "4", "--json"});
  ASSERT_EQ(plan.exit_code, 0) << plan.err;
  const nlohmann::json partitions = nlohmann::json::parse(plan.out).at("partitions");
  ASSERT_EQ(partitions.size(), 4u);
  int all = 0;
  for (const nlohmann::json& partition : partitions) {
    const int busy = partition.at("busy_hosts");
    EXPECT_GE(busy, 14) << partition.at("name");
    EXPECT_LE(busy, 18) << partition.at("name");
    all += busy;
  }
  EXPECT_EQ(all, 64);
  const CliResult text = run_cli({"describe", file, "--split", "4"});
  EXPECT_THAT(text.out, HasSubstr("split       into parts of about as much work: 64 of 512 hosts have a part"));
  EXPECT_THAT(run_cli({"describe", file}).out, ::testing::Not(HasSubstr("split ")));
  EXPECT_EQ(digests_of({file}, {}, {"--split", "4"}), digests_of({file}, {}));
}

TEST(PacketPlacesSplit, RefusesWhatItCannotCut) {
  struct Mistake {
    std::vector<std::string> arguments;
    const char* text;
  };
  for (const Mistake& mistake :
       {Mistake{{kTorus[0], "--set", "router.model=PACKET", "--split", "9"}, "cannot be cut into 9 parts"},
        Mistake{{kFolder + "mixed-demo.textproto", "--split", "2"}, "--split alone cuts a system of words"},
        Mistake{{kFolder + "island-torus.textproto", "--use", "router[9]=MODEL/PACKET@worker:shm", "--split", "2"},
                "a rule says itself where routers that are packets or flits run; leave its place out"},
        Mistake{{kFolder + "uniform.textproto", "--set", "router.model=PACKET", "--set",
                 "workload.traffic.process=CLOSED_LOOP", "--set", "workload.traffic.load=0", "--set",
                 "workload.traffic.window=1", "--split", "2"},
                "--split:1:1: error: routers and hosts"},
        Mistake{{kFolder + "island-torus.textproto", "--use", "router[9]=MODEL/INPUT_QUEUED", "--split", "2"},
                "its routers are INPUT_QUEUED and PACKET; leave one of them out"},
        Mistake{{kTorus[0], "--split", "2", "--sweep", "seed=1,2"}, "--split is for a single run"}}) {
    std::vector<std::string> arguments{"run", "--quiet"};
    arguments.insert(arguments.end(), mistake.arguments.begin(), mistake.arguments.end());
    const CliResult result = run_cli(arguments);
    EXPECT_EQ(result.exit_code, 2) << mistake.text;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr(mistake.text));
  }
}

TEST(PacketPlacesMistakes, AreRefusedBeforeTheRun) {
  struct Mistake {
    std::vector<std::string> more;
    const char* text;
  };
  for (const Mistake& mistake : {Mistake{{"--use", "host[0]=MODEL@worker:shm"}, "a host runs where its routers do"},
                                 Mistake{{"--use", "router[1]=MODEL/EXANET"},
                                         "depth EXANET beside routers of the model PACKET is not possible"}}) {
    std::vector<std::string> arguments{"run", "--quiet"};
    arguments.insert(arguments.end(), kTorus.begin(), kTorus.end());
    arguments.insert(arguments.end(), mistake.more.begin(), mistake.more.end());
    const CliResult result = run_cli(arguments);
    EXPECT_EQ(result.exit_code, 2) << mistake.text;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("--use:1:1: error: "));
    EXPECT_THAT(result.err, HasSubstr(mistake.text));
  }
}

TEST(PacketPlacesMistakes, NodesSayWhatTheyCannotBe) {
  struct Mistake {
    std::vector<std::string> more;
    const char* text;
  };
  const std::string packets = "*=MODEL/PACKET";
  for (const Mistake& mistake :
       {Mistake{{"--use", packets, "--set", "congestion.ib_cca.threshold=8"},
                "do not mark packets; leave congestion out"},
        Mistake{{"--use", packets, "--set", "statistics.occupancy_interval=1us"}, "look at words in routers"},
        Mistake{{"--use", "*=MODEL/INPUT_QUEUED"}, "routers of nodes can be PACKET only"},
        Mistake{{"--use", "mpsoc[0]=MODEL/PACKET"}, "select their nodes"}}) {
    std::vector<std::string> arguments{"run", "--quiet", kFolder + "exanest-ranks.textproto"};
    arguments.insert(arguments.end(), mistake.more.begin(), mistake.more.end());
    const CliResult result = run_cli(arguments);
    EXPECT_EQ(result.exit_code, 2) << mistake.text;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("--use:1:"));
    EXPECT_THAT(result.err, HasSubstr(mistake.text));
  }
}

TEST(PacketPlacesMistakes, SayWhatHostsShare) {
  struct Mistake {
    std::vector<std::string> arguments;
    const char* shared;
  };
  const std::string uniform = kFolder + "uniform.textproto";
  const std::string packets = "router.model=PACKET";
  for (const Mistake& mistake :
       {Mistake{{uniform, "--set", packets, "--set", "workload.traffic.process=CLOSED_LOOP", "--set",
                 "workload.traffic.load=0", "--set", "workload.traffic.window=1"},
                "the loop of each class of the process CLOSED_LOOP"},
        Mistake{{kFolder + "booksim-torus.textproto"}, "how long traffic is sampled (give it a duration)"}}) {
    std::vector<std::string> arguments{"run", "--quiet", "--use", "router[0]=MODEL@worker:shm"};
    arguments.insert(arguments.end(), mistake.arguments.begin(), mistake.arguments.end());
    const CliResult result = run_cli(arguments);
    EXPECT_EQ(result.exit_code, 2) << mistake.shared;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr(std::string("its hosts share ") + mistake.shared));
  }
}

}  // namespace
}  // namespace fabrictwin
