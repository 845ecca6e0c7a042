// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The law for whole nodes (docs/models/exanet-node.md): with the same implementations the same times, wherever they
// run; with others the same payload.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/integration/digests.h"

namespace fabrictwin {
namespace {

const std::string kExperiments = "workloads/experiments/";

// Two boards, under traffic for a few microseconds, and the start of miniFE on the same.
const std::vector<std::string> kBoards = {
    kExperiments + "exanest.textproto", "--set", "topology.exanest.blades=1", "--set",
    "topology.exanest.qfdbs=2",         "--set", "workload.traffic.load=0.1", "--set",
    "workload.traffic.duration=5us"};
const std::vector<std::string> kMinife = {kExperiments + "exanest-demo.textproto", "--use", "qfdb[*].*=MODEL", "--set",
                                          "stop.after_simulated=20ms"};

TEST(NodeLaw, AnyFpgaMayBeRtl) {
  const Digests reference = digests_of(kBoards, {});
  ASSERT_GT(reference.packets, 40u);
  for (const char* use :
       {"qfdb[0].router=RTL", "qfdb[1].switch[2]=RTL", "qfdb[0..1].router=RTL", "qfdb[*].switch[*]=RTL",
        "qfdb[0].*=RTL", "qfdb[0].switch[1],qfdb[1].router,qfdb[1].switch[3]=RTL", "qfdb[*].*=RTL"}) {
    const Digests digests = digests_of(kBoards, {use});
    EXPECT_EQ(digests.payload, reference.payload) << use;
    EXPECT_EQ(digests.packets, reference.packets) << use;
  }
}

class NodeLawOverTransport : public ::testing::TestWithParam<const char*> {};

TEST_P(NodeLawOverTransport, PlacesDoNotShow) {
  const std::string place = GetParam();
  for (const std::string select : {"qfdb[0].router", "qfdb[1].switch[1]", "qfdb[1].*", "qfdb[*].*"}) {
    EXPECT_EQ(digests_of(kBoards, {select + "=RTL@worker:" + place}), digests_of(kBoards, {select + "=RTL"})) << select;
  }
}

INSTANTIATE_TEST_SUITE_P(Transports, NodeLawOverTransport, ::testing::Values("shm", "unix", "tcp"));

TEST(NodeLaw, ThroughSoftBoards) {
  const Digests reference = digests_of(kBoards, {"qfdb[0].router,qfdb[1].switch[3]=RTL"});
  EXPECT_EQ(digests_of(kBoards, {"qfdb[0].router=BOARD@soft", "qfdb[1].switch[3]=RTL"}), reference);
  EXPECT_EQ(digests_of(kBoards, {"qfdb[0].router,qfdb[1].switch[3]=BOARD@soft"}), reference);
}

TEST(NodeLaw, ThreadsDoNotShow) {
  const Digests reference = digests_of(kBoards, {"qfdb[*].*=RTL"});
  EXPECT_EQ(digests_of(kBoards, {"qfdb[*].*=RTL"}, {"--threads", "2"}), reference);
  EXPECT_EQ(digests_of(kBoards, {"qfdb[*].*=RTL"}, {"--threads", "3"}), reference);
}

TEST(NodeLaw, MinifeGivesTheSamePayload) {
  const Digests reference = digests_of(kMinife, {});
  ASSERT_GT(reference.packets, 1000u);
  const std::vector<std::string> uses{"qfdb[0].router=RTL", "qfdb[0].switch[1]=RTL@worker:shm",
                                      "qfdb[1].switch[3]=BOARD@soft"};
  const Digests mixed = digests_of(kMinife, uses);
  EXPECT_EQ(digests_of(kMinife, {"qfdb[0].router,qfdb[0].switch[1],qfdb[1].switch[3]=RTL"}, {"--threads", "2"}), mixed);
}

// What the whole run gave when it was last looked at.
TEST(NodeLaw, MinifeWholeKeepsItsDigests) {
  EXPECT_EQ(digests_of({kExperiments + "exanest-demo.textproto"}, {"qfdb[*].*=MODEL"}),
            (Digests{"bf1116c7aaf99cb5", "1e6928cec50fe36a", 53282}));
}

TEST(NodeLaw, WholePrototype) {
  const std::vector<std::string> prototype{kExperiments + "exanest.textproto", "--set",
                                           "workload.traffic.duration=2us"};
  const Digests reference = digests_of(prototype, {});
  ASSERT_GT(reference.packets, 100u);
  EXPECT_EQ(digests_of(prototype, {"qfdb[9].router,qfdb[9].switch[1]=RTL"}).payload, reference.payload);
}

}  // namespace
}  // namespace fabrictwin
