// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The law in networks that are no torus: routers that go by tables are the same as models, in RTL, in other processes
// and on boards.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/integration/digests.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

/// A topology and which of its routers are something else.
struct Case {
  const char* name;
  const char* topology;
  std::vector<std::string> uses;
};

const std::vector<Case> kCases = {
    {"FatTree",
     "fat_tree { down: [2, 2, 2] }",
     {"router[1]=RTL", "router[10]=RTL@worker:shm", "router[2]=BOARD@soft", "router[3]=BOARD@shell"}},
    {"SpineLeaf",
     "spine_leaf { spines: 2 leaves: 3 hosts_per_leaf: 2 }",
     {"router[0]=RTL", "router[3]=RTL@worker:unix", "router[1]=MODEL@worker:tcp", "router[4]=BOARD@soft"}},
    {"Dragonfly",
     "dragonfly { groups: 3 rows: 1 columns: 2 hosts_per_router: 1 row_links: 1 column_links: 1 global_ports: 1 }",
     {"router[*]=RTL"}},
    {"WideFatTree", "fat_tree { down: [8, 2] }", {"router[0]=RTL", "router[2]=RTL@worker:shm", "router[1]=BOARD@soft"}},
    {"LargeFatTree",
     "fat_tree { down: [24, 2] }",
     {"router[0]=RTL", "router[3]=RTL@worker:shm", "router[1]=BOARD@soft", "router[2]=MODEL@worker:unix"}},
    {"Graph",
     "graph { router { name: \"a\" } router { name: \"b\" } router { name: \"c\" } host { router: \"a\" } host { "
     "router: "
     "\"b\" } host { router: \"c\" } link { from: \"a\" to: \"b\" } link { from: \"b\" to: \"c\" } link { from: \"c\" "
     "to: \"a\" rate: \"5Gbps\" } }",
     {"b=RTL", "c=MODEL@worker:unix", "a=BOARD@shell"}},
};

// What is of the same kind as one above.
const std::vector<Case> kMoreCases = {
    {"SunFireX4600", "sun_fire_x4600 { }", {"router[0..3]=RTL", "router[5]=BOARD@soft"}},
    {"Mesh", "torus { dims: [3, 2] wrap: [false, false] }", {"router[4]=RTL", "router[1]=RTL@worker:shm"}},
    {"TofuOfMostTnis", "tofu { x: 1 y: 1 z: 1 tnis: 8 }", {"router[0]=RTL", "router[3]=BOARD@soft"}},
    {"Tofu",
     "tofu { x: 2 y: 2 z: 1 tnis: 1 }",
     {"router[0]=RTL", "router[3]=RTL@worker:unix", "router[17]=BOARD@soft", "router[40..47]=RTL"}},
    {"TofuOfSeveralTnis",
     "tofu { x: 1 y: 1 z: 2 tnis: 4 }",
     {"router[0]=RTL", "router[3]=RTL@worker:unix", "router[17]=BOARD@soft", "router[8..11]=RTL"}},
    {"BlueGeneQ",
     "blue_gene_q { dims: [2, 2, 1, 2] }",
     {"router[1]=RTL", "router[6]=RTL@worker:shm", "router[4]=BOARD@soft", "router[8..15]=RTL"}},
};

class TableLaw : public ::testing::TestWithParam<Case> {
 protected:
  const TestFolder folder_;
  const std::string file_ =
      folder_.write("table.textproto", "topology { " + std::string(GetParam().topology) +
                                           " }\nworkload { traffic { load: 0.3 duration: \"5us\" } }\nseed: 3\n");
};

TEST_P(TableLaw, EveryImplementationAndPlaceGivesTheSameTimes) {
  const Digests reference = digests_of({file_}, {});
  ASSERT_GT(reference.packets, 20u);
  EXPECT_EQ(digests_of({file_}, GetParam().uses), reference);
}

INSTANTIATE_TEST_SUITE_P(Topologies, TableLaw, ::testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });
INSTANTIATE_TEST_SUITE_P(More, TableLaw, ::testing::ValuesIn(kMoreCases),
                         [](const auto& info) { return std::string(info.param.name); });

// Dimensions in another order are another network; both obey.
TEST(TableLawTorus, OtherOrdersOfDimensionsGoByTables) {
  const std::vector<std::string> experiment{"workloads/experiments/uniform.textproto", "--set",
                                            "topology.torus.dims=3x2x2", "--set", "workload.traffic.duration=5us"};
  std::vector<std::string> ordered = experiment;
  ordered.insert(ordered.end(), {"--set", "routing.algorithm=dimension_order", "--set", "routing.order=yxz"});
  const Digests reference = digests_of(ordered, {});
  EXPECT_EQ(digests_of(ordered, {"router[0..5]=RTL"}), reference);
  EXPECT_NE(digests_of(experiment, {}).timing, reference.timing);
}

TEST(TableLawHpcg, OnAFatTreeIsTheSameMixed) {
  const std::vector<std::string> mixed = {"workloads/experiments/mixed-fat-tree.textproto"};
  // What HPCG says does not depend on the network.
  EXPECT_EQ(digests_of(mixed, {"router[*]=MODEL"}).payload, "e34b8942ac9375db");
  const std::vector<std::string> start = {mixed[0], "--set", "stop.after_simulated=6ms"};
  EXPECT_EQ(digests_of(start, {}), digests_of(start, {"router[*]=MODEL"}));
}

// Ten ports a router: the RTL is the wide one.
TEST(TableLawDragonfly, WideRoutersOfTheReadyExperimentAreTheSameMixed) {
  const std::vector<std::string> mixed = {"workloads/experiments/mixed-dragonfly.textproto"};
  const Digests reference = digests_of(mixed, {"router[*]=MODEL"});
  ASSERT_GT(reference.packets, 100u);
  EXPECT_EQ(digests_of(mixed, {}), reference);
}

// Routers of 44 ports, and several links side by side.
TEST(TableLawDragonfly, TheOneOfTheDefaultsIsTheSameMixed) {
  const TestFolder folder;
  const std::string file =
      folder.write("dragonfly.textproto",
                   "topology { dragonfly { } }\nworkload { traffic { load: 0.1 duration: \"1us\" } }\nseed: 1\n");
  const Digests reference = digests_of({file}, {});
  EXPECT_EQ(reference.timing, "eec7acd8df6bc03c");
  EXPECT_EQ(reference.payload, "2b2d9ea3cb637914");
  EXPECT_EQ(digests_of({file}, {"router[5]=RTL", "router[100]=BOARD@soft"}), reference);
}

TEST(TableLawDragonfly, WhatNoRouterCanBeIsRefusedWithItsPlace) {
  const TestFolder folder;
  const std::string file = folder.write(
      "dragonfly.textproto", "topology { dragonfly { global_ports: 31 } }\nworkload { traffic { load: 0.1 } }\n");
  const CliResult ports = run_cli({"check", file, "--use", "router[0]=RTL"});
  EXPECT_EQ(ports.exit_code, 2);
  EXPECT_NE(ports.err.find(file + ":1:12: error: a router would have 65 ports, and routers have at most 64"),
            std::string::npos)
      << ports.err;
  folder.write("dragonfly.textproto", "topology { dragonfly { groups: 3 } }\nworkload { traffic { load: 0.1 } }\n");
  const CliResult hosts = run_cli({"check", file, "--use", "router[0]=RTL"});
  EXPECT_EQ(hosts.exit_code, 2);
  EXPECT_NE(hosts.err.find("--use:1:1: error: RTL routers have tables for 1024 hosts and dragonfly 3 groups of 6x16 "
                           "has 1152; use MODEL or a smaller network"),
            std::string::npos)
      << hosts.err;
  folder.write("dragonfly.textproto", "topology { fat_tree { down: [8, 8] } }\nworkload { traffic { load: 0.1 } }\n");
  const CliResult shell = run_cli({"check", file, "--use", "router[0]=BOARD@shell"});
  EXPECT_EQ(shell.exit_code, 2);
  EXPECT_NE(shell.err.find("--use:1:1: error: router[0] has 16 ports, and a Verilated shell is for routers of up to 7; "
                           "write board: \"soft\""),
            std::string::npos)
      << shell.err;
}

}  // namespace
}  // namespace fabrictwin
