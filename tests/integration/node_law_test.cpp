// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The law for whole nodes (docs/models/exanet-node.md): with the same implementations the same times, wherever they
// run; with others the same payload.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "tests/integration/digests.h"
#include "tests/test_folder.h"

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

/// The two boards with these FPGAs as RTL in one process; each run is made once.
const Digests& with_rtl(const std::string& select) {
  static std::map<std::string, Digests> runs;
  auto run = runs.find(select);
  if (run == runs.end()) {
    const std::vector<std::string> uses = select.empty() ? std::vector<std::string>() : std::vector{select + "=RTL"};
    run = runs.emplace(select, digests_of(kBoards, uses)).first;
  }
  return run->second;
}

class NodeLawOfRtl : public ::testing::TestWithParam<std::string> {};

TEST_P(NodeLawOfRtl, GivesTheSamePayload) {
  ASSERT_GT(with_rtl("").packets, 40u);
  EXPECT_EQ(with_rtl(GetParam()).payload, with_rtl("").payload);
  EXPECT_EQ(with_rtl(GetParam()).packets, with_rtl("").packets);
}

INSTANTIATE_TEST_SUITE_P(Some, NodeLawOfRtl,
                         ::testing::Values("qfdb[0].switch[1],qfdb[1].router,qfdb[1].switch[3]", "qfdb[*].*"));
INSTANTIATE_TEST_SUITE_P(Any, NodeLawOfRtl,
                         ::testing::Values("qfdb[0].router", "qfdb[1].switch[2]", "qfdb[0..1].router",
                                           "qfdb[*].switch[*]", "qfdb[0].*"));

/// A transport, and what is behind it.
using Moved = std::tuple<std::string, std::string>;
class NodeLawOverTransport : public ::testing::TestWithParam<Moved> {};

TEST_P(NodeLawOverTransport, PlacesDoNotShow) {
  const auto& [place, select] = GetParam();
  EXPECT_EQ(digests_of(kBoards, {select + "=RTL@worker:" + place}), with_rtl(select));
}

INSTANTIATE_TEST_SUITE_P(Some, NodeLawOverTransport,
                         ::testing::Values(Moved("shm", "qfdb[*].*"), Moved("unix", "qfdb[0].router"),
                                           Moved("tcp", "qfdb[0].router")));
INSTANTIATE_TEST_SUITE_P(Any, NodeLawOverTransport,
                         ::testing::Combine(::testing::Values("shm", "unix", "tcp"),
                                            ::testing::Values("qfdb[0].router", "qfdb[1].switch[1]", "qfdb[1].*",
                                                              "qfdb[*].*")));

TEST(NodeLaw, ThroughSoftBoards) {
  EXPECT_EQ(digests_of(kBoards, {"qfdb[0].router,qfdb[1].switch[3]=BOARD@soft"}),
            with_rtl("qfdb[0].router,qfdb[1].switch[3]"));
}

// Before anything runs: a shell has a router, and no network interface.
TEST(NodeLaw, AShellIsRefused) {
  for (const std::string node : {"qfdb[0].switch[1]", "qfdb[1].router"}) {
    std::vector<std::string> arguments{"check", "--use", node + "=BOARD@shell"};
    arguments.insert(arguments.end(), kBoards.begin(), kBoards.end());
    const CliResult result = run_cli(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.out;
    EXPECT_NE(result.err.find("--use:1:1: error: " + node +
                              " is a node, and a Verilated shell is for routers of up to 7; write board: \"soft\""),
              std::string::npos)
        << result.err;
  }
}

TEST(NodeLaw, ThreadsDoNotShow) {
  EXPECT_EQ(digests_of(kBoards, {"qfdb[*].*=RTL"}, {"--threads", "3"}), with_rtl("qfdb[*].*"));
}

// Words that come by a slower link have gaps, which hold up other packets at the next routers, wherever those are.
TEST(NodeLaw, GapsOfPacketsDoNotShow) {
  const TestFolder folder;
  const std::vector<std::string> busy = {folder.write("busy.textproto", R"(
topology { exanest { blades: 1 qfdbs: 2 } }
workload { traffic { load: 0.1 duration: "12us" } }
seed: 1
)"),
                                         "--use", "*=MODEL/PACKET"};
  const Digests here = digests_of(busy, {});
  ASSERT_GT(here.packets, 100u);
  EXPECT_EQ(digests_of(busy, {"qfdb[0].router=MODEL/PACKET@worker:shm"}), here);
  const Digests mixed = digests_of(busy, {"qfdb[0].switch[1]=RTL"});
  EXPECT_EQ(digests_of(busy, {"qfdb[0].switch[1]=RTL", "qfdb[0].router,qfdb[1].switch[2]=MODEL/PACKET@worker:shm"}),
            mixed);
}

TEST(NodeLaw, MinifeIsTheSameInAllPlaces) {
  const std::vector<std::string> uses{"qfdb[0].router=RTL", "qfdb[0].switch[1]=RTL@worker:shm",
                                      "qfdb[1].switch[3]=BOARD@soft"};
  const Digests mixed = digests_of(kMinife, uses);
  ASSERT_GT(mixed.packets, 1000u);
  EXPECT_EQ(digests_of(kMinife, {"qfdb[0].router,qfdb[0].switch[1],qfdb[1].switch[3]=RTL"}, {"--threads", "2"}), mixed);
}

// What the whole run gave when it was last looked at.
TEST(NodeLaw, MinifeWholeKeepsItsDigests) {
  EXPECT_EQ(digests_of({kExperiments + "exanest-demo.textproto"}, {"qfdb[*].*=MODEL"}),
            (Digests{"bf1116c7aaf99cb5", "1e6928cec50fe36a", 53282}));
}

// Accelerators of models and of RTL reduce together, and each rank compares its results bit for bit.
const std::vector<std::string> kReductions = {kExperiments + "exanest-allreduce.textproto"};
const std::vector<std::string> kReducingMinife = {
    kMinife[0], kMinife[1], kMinife[2], kMinife[3], kMinife[4], "--set", "host.allreduce=ACCELERATOR"};

TEST(AcceleratorLaw, RtlGivesTheSameResults) {
  const Digests reference = digests_of(kReductions, {});
  for (const std::string select : {"qfdb[1].switch[2]", "qfdb[2].router", "qfdb[0].*,qfdb[3].switch[1]"})
    EXPECT_EQ(digests_of(kReductions, {select + "=RTL"}).payload, reference.payload) << select;
}

TEST(AcceleratorLaw, PlacesAndThreadsDoNotShow) {
  const std::string select = "qfdb[0].router,qfdb[1].switch[2]";
  const Digests mixed = digests_of(kReductions, {select + "=RTL"});
  EXPECT_EQ(digests_of(kReductions, {select + "=RTL@worker:shm"}), mixed);
  EXPECT_EQ(digests_of(kReductions, {select + "=RTL"}, {"--threads", "2"}), mixed);
}

TEST(AcceleratorLaw, MinifeOfModelsAndRtl) {
  const Digests reference = digests_of(kReducingMinife, {});
  ASSERT_GT(reference.packets, 1000u);
  EXPECT_EQ(digests_of(kReducingMinife, {"qfdb[0].router,qfdb[1].switch[3]=RTL"}).packets, reference.packets);
}

/// The two boards, with more for their RDMA units.
std::vector<std::string> boards_with(const std::vector<std::string>& settings) {
  std::vector<std::string> arguments = kBoards;
  for (const std::string& setting : settings) {
    arguments.emplace_back("--set");
    arguments.push_back(setting);
  }
  return arguments;
}

// Registers of RTL and parameters of models: the firmware, the translation cache, whose pages come again with one
// window, and the memory, which the processor of RTL has.
TEST(RdmaUnitLaw, SettingsGiveTheSamePayload) {
  struct Case {
    std::vector<std::string> without, with;
  };
  for (const Case& c : {Case{{"host.firmware_delay=0ns"}, {"host.firmware_delay=2us"}},
                        Case{{"host.receive_windows=1"}, {"host.receive_windows=1", "host.translation_cache=true"}},
                        Case{{}, {"host.memory.bandwidth=12.8GB/s", "host.memory.latency=200ns"}}}) {
    const std::string& setting = c.with.back();
    const Digests model = digests_of(boards_with(c.with), {});
    EXPECT_EQ(model.payload, with_rtl("").payload) << setting;
    EXPECT_NE(model.timing, digests_of(boards_with(c.without), {}).timing) << setting;
    const std::vector<std::string> rtl{"qfdb[0].router,qfdb[1].switch[2]=RTL"};
    const Digests mixed = digests_of(boards_with(c.with), rtl);
    EXPECT_EQ(mixed.payload, model.payload) << setting;
    EXPECT_NE(mixed.timing, digests_of(boards_with(c.without), rtl).timing) << setting;
    EXPECT_EQ(digests_of(boards_with(c.with), {"qfdb[0].router=RTL@worker:shm", "qfdb[1].switch[2]=BOARD@soft"}), mixed)
        << setting;
  }
}

// Rings of models and of RTL in the host's memory, more entries than a ring in block RAM has.
TEST(MailboxRingsLaw, RingsInMemoryGiveTheSamePayload) {
  const std::vector<std::string> rings = boards_with({"host.mailbox_rings=MEMORY", "host.mailbox_entries=64"});
  const Digests model = digests_of(rings, {});
  EXPECT_EQ(model.payload, with_rtl("").payload);
  EXPECT_NE(model.timing, digests_of(kBoards, {}).timing);
  const Digests mixed = digests_of(rings, {"qfdb[0].router,qfdb[1].switch[2]=RTL"});
  EXPECT_EQ(mixed.payload, model.payload);
  EXPECT_NE(mixed.timing, digests_of(kBoards, {"qfdb[0].router,qfdb[1].switch[2]=RTL"}).timing);
  EXPECT_EQ(digests_of(rings, {"qfdb[0].router=RTL@worker:shm", "qfdb[1].switch[2]=BOARD@soft"}), mixed);
}

// Processors that sleep until their network interface interrupts, at once, or when some messages are there.
TEST(InterruptLaw, InterruptsGiveTheSamePayload) {
  const std::vector<std::string> rtl{"qfdb[0].router,qfdb[1].switch[2]=RTL"};
  for (const std::vector<std::string>& settings :
       {std::vector<std::string>{"host.mailbox=INTERRUPT", "host.interrupt_latency=500ns"},
        {"host.mailbox=INTERRUPT", "host.interrupt_delay=1us", "host.interrupt_messages=3",
         "host.mailbox_rings=MEMORY"}}) {
    const std::string& setting = settings.back();
    const std::vector<std::string> arguments = boards_with(settings);
    const Digests model = digests_of(arguments, {});
    EXPECT_EQ(model.payload, with_rtl("").payload) << setting;
    EXPECT_EQ(model.packets, with_rtl("").packets) << setting;
    EXPECT_NE(model.timing, with_rtl("").timing) << setting;
    const Digests mixed = digests_of(arguments, rtl);
    EXPECT_EQ(mixed.payload, model.payload) << setting;
    EXPECT_NE(mixed.timing, digests_of(kBoards, rtl).timing) << setting;
    EXPECT_EQ(digests_of(arguments, {"qfdb[0].router=RTL@worker:shm", "qfdb[1].switch[2]=BOARD@soft"}), mixed)
        << setting;
  }
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
