// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Two boards of one FPGA each whose network links are damaged, or die and come back: everything arrives once and whole,
// or its sender is told that it did not.
#include <gtest/gtest.h>

#include <vector>

#include "tests/rtl/node/node_traffic.h"
#include "tests/rtl/node/qfdb.h"

namespace fabrictwin::test {
namespace {

// Registers of the Target Controller (rtl/control/registers.csv), and the ports with a link on a ring of two boards.
constexpr uint32_t kControl = 0x00c, kPortControl = 0x040, kLinkStatus = 0x240, kLinkCorrected = 0x280,
                   kLinkUncorrectable = 0x2a0, kLinkCrcErrors = 0x2c0, kLinkDowns = 0x320;
constexpr uint32_t kLinks = 2, kFirstLinkPort = 4;
constexpr uint32_t kSoftReset = 1, kSupervise = 2, kUp = 1u << 17;

class NodeFaults : public ::testing::Test {
 protected:
  NodeFaults() { add_qfdbs(network_, {.boards = 2, .fpgas = 1}, 21); }

  uint32_t read(int board, uint32_t address) {
    uint32_t value = 0;
    network_.device(board).controller.push({false, address, {}, [&](const std::vector<Word128>& words, bool error) {
                                              EXPECT_FALSE(error);
                                              value = words[0][0];
                                            }});
    EXPECT_TRUE(network_.run_until([&] { return network_.device(board).controller.idle(); }, 100));
    return value;
  }
  void write(int board, uint32_t address, uint32_t value) {
    network_.device(board).controller.push(
        {true, address, {{value}}, [](const auto&, bool error) { EXPECT_FALSE(error); }});
    EXPECT_TRUE(network_.run_until([&] { return network_.device(board).controller.idle(); }, 100));
  }
  uint32_t sum(uint32_t address) {
    uint32_t all = 0;
    for (uint32_t l = 0; l < kLinks; ++l) all += read(0, address + 4 * l) + read(1, address + 4 * l);
    return all;
  }
  void enable_ports(bool enable) {
    for (uint32_t l = 0; l < kLinks; ++l) {
      for (int board : {0, 1}) write(board, kPortControl + 4 * (kFirstLinkPort + l), enable ? 1 : 0);
    }
  }
  bool all_up() {
    bool up = true;
    for (uint32_t l = 0; l < kLinks; ++l) {
      for (int board : {0, 1}) up = up && (read(board, kLinkStatus + 4 * l) & kUp) != 0;
    }
    return up;
  }

  bool come_up() {
    for (int k = 0; k < 200 && !all_up(); ++k) network_.run(200);
    return all_up();
  }

  void exchange(NodeTraffic& traffic, int messages, int transfers) {
    for (int from : {0, 1}) {
      for (int k = 0; k < messages; ++k) traffic.add_message(from, 1 - from);
      for (int k = 0; k < transfers; ++k) traffic.add_transfer(from, 1 - from, k % 2 == 1, 1000);
    }
    traffic.start();
    ASSERT_TRUE(network_.run_until([&] { return traffic.done(); }, 1'000'000));
  }

  NodeNetwork network_{21, {}};
};

TEST_F(NodeFaults, DamagedLinksLoseNothing) {
  NodeTraffic traffic(network_, 22);
  traffic.open();
  for (int board : {0, 1}) traffic.host(board).set_rdma_times(256, 16, 8, 8192);
  network_.set_damage(20'000);
  exchange(traffic, 32, 8);
  network_.set_damage(0);
  // Until the counts have been said again, and late copies are forgotten.
  network_.run(20'000);
  ASSERT_TRUE(network_.drain(10'000));
  traffic.check();
  EXPECT_GT(network_.damaged(), 20);
  EXPECT_GT(sum(kLinkCrcErrors), 0u);
  EXPECT_GT(sum(kLinkCorrected) + sum(kLinkUncorrectable), 0u);
}

TEST_F(NodeFaults, DeadLinksEndInErrorsAndComeBack) {
  NodeTraffic traffic(network_, 23);
  traffic.open();
  traffic.host(0).open(2);
  // Packets that wait in a link go on when it is back, so transfers must be known for longer than it is dead.
  for (int board : {0, 1}) traffic.host(board).set_rdma_times(256, 16, 8, 20'000);
  ASSERT_TRUE(network_.drain(10'000));
  for (int board : {0, 1}) write(board, kControl, kSoftReset | kSupervise);
  for (int board : {0, 1}) write(board, kControl, kSupervise);
  ASSERT_TRUE(come_up());
  exchange(traffic, 4, 2);

  network_.set_dead(true);
  network_.run(20'000);
  EXPECT_FALSE(all_up());
  EXPECT_EQ(sum(kLinkDowns), 4u);
  // What software does then; packets for these ports are dropped.
  enable_ports(false);
  NodeHost::State sent = NodeHost::kIdle;
  traffic.host(0).send(NodeTraffic::kChannels, traffic.host(1).node(), 0, {1, 2, 3}, [&](auto state) { sent = state; });
  Code moved = Code::kIdle;
  Transfer transfer{.channel = NodeTraffic::kChannels,
                    .pdid = NodeTraffic::kPdid,
                    .node = traffic.host(1).node(),
                    .remote = 0x10,
                    .local = 0x20,
                    .length = 300};
  traffic.host(0).start(transfer, [&](Code code) { moved = code; });
  ASSERT_TRUE(network_.run_until([&] { return sent != NodeHost::kIdle && moved != Code::kIdle; }, 2'000'000));
  EXPECT_EQ(sent, NodeHost::kTimedOut);
  EXPECT_EQ(moved, Code::kTimeout);

  network_.set_dead(false);
  ASSERT_TRUE(come_up());
  enable_ports(true);
  exchange(traffic, 8, 4);
  network_.run(20'000);
  EXPECT_FALSE(network_.device(0).error());
  EXPECT_FALSE(network_.device(1).error());
}

}  // namespace
}  // namespace fabrictwin::test
