// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Two QFDBs, each with its network FPGA and one plain FPGA, with the framed words of two network links between them.
#include <gtest/gtest.h>

#include "tests/rtl/node/node_traffic.h"
#include "tests/rtl/node/qfdb.h"

namespace fabrictwin::test {
namespace {

void run_boards(uint64_t seed, NodeStalls stalls, MemoryTiming memory, bool skipping) {
  NodeNetwork network(seed, stalls);
  add_qfdbs(network, {.boards = 2, .fpgas = 2, .memory = memory}, seed);
  NodeTraffic traffic(network, seed + 1);
  traffic.open();
  network.set_skipping(skipping);
  for (int phase = 0; phase < 2; ++phase) {
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) {
        for (int k = 0; k < 8; ++k) traffic.add_message(a, b);
        for (int k = 0; k < 4; ++k) traffic.add_transfer(a, b, k % 2 == 1, 2000);
      }
    }
    traffic.start();
    ASSERT_TRUE(network.run_until([&] { return traffic.done(); }, 1'000'000));
    ASSERT_TRUE(network.drain(100'000));
    traffic.check();
    network.run(10'000);
    // Only what refreshes the counts disturbs the rest.
    ASSERT_TRUE(network.drain(100));
  }
  if (skipping) {
    EXPECT_GE(network.skipped(), 60'000);
  }
}

TEST(NodeTorus, AllToAll) { run_boards(1, {}, {.latency = 16}, false); }
TEST(NodeTorus, AllToAllWithStalls) {
  run_boards(2, {.link = 30, .stream = 30}, {.latency = 8, .jitter = 9, .stall_percent = 40}, false);
}
TEST(NodeTorus, AllToAllSkipping) { run_boards(3, {.stream = 10}, {.latency = 16}, true); }

}  // namespace
}  // namespace fabrictwin::test
