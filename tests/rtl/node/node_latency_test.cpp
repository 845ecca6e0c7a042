// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How long a message and a transfer take between nodes, in cycles.
#include <gtest/gtest.h>

#include <cstdio>

#include "tests/rtl/node/node_traffic.h"
#include "tests/rtl/node/qfdb.h"

namespace fabrictwin::test {
namespace {

constexpr double kCycleNs = 6.4;  // 156.25 MHz.

struct Latency {
  int64_t message = 0;   ///< From the doorbell to the event of the mailbox.
  int64_t transfer = 0;  ///< From the doorbell to the notification in the destination's memory.
};

/// 16 bytes and 64 bytes between two devices, the second time, so that tables are warm.
Latency measure(const QfdbRing& ring, int from, int to) {
  NodeNetwork network(1, {});
  add_qfdbs(network, ring, 1);
  NodeTraffic traffic(network, 2);
  traffic.open();
  NodeHost& source = traffic.host(from);
  NodeHost& sink = traffic.host(to);
  int64_t event = -1;
  network.device(to).on_event = [&](int) { event = network.now(); };
  int64_t notified = -1;
  network.device(to).memory.watch(0x40000);
  network.device(to).memory.on_watched = [&](uint64_t, uint64_t) { notified = network.now(); };
  Latency latency;
  for (int round = 0; round < 2; ++round) {
    bool acked = false;
    source.send(0, sink.node(), 0, std::vector<uint8_t>(16), [&](NodeHost::State) { acked = true; });
    // The doorbell is the last write.
    EXPECT_TRUE(network.run_until([&] { return acked; }, 10'000));
    latency.message = event - source.device().messages.written();
    bool done = false;
    const Transfer t{.pdid = NodeTraffic::kPdid,
                     .node = sink.node(),
                     .remote = 0x10000,
                     .local = 0x20000,
                     .length = 64,
                     .data = 1,
                     .notify = true,
                     .notify_va = 0x40000};
    source.start(t, [&](Code code) { done = code == Code::kDone; });
    EXPECT_TRUE(network.run_until([&] { return done; }, 10'000));
    latency.transfer = notified - source.device().descriptors.written();
    EXPECT_TRUE(network.drain(10'000));
  }
  return latency;
}

void print(const char* name, const Latency& latency) {
  std::printf("%-34s %6ld %6.0f ns %6ld %6.0f ns\n", name, latency.message, latency.message * kCycleNs,
              latency.transfer, latency.transfer * kCycleNs);
}

TEST(NodeLatency, BetweenNodes) {
  std::printf(
      "\ndoorbell to event of a message of 16 bytes, doorbell to notification of a write of 64 bytes, memory 100 ns\n");
  const QfdbRing near{.fpgas = 3, .board_delay = 1};
  const QfdbRing board{.fpgas = 3};
  const QfdbRing torus{.boards = 2, .fpgas = 2};
  const Latency own = measure(near, 0, 1);
  const Latency f1_f2 = measure(board, 0, 1);
  const Latency f2_f3 = measure(board, 1, 2);
  const Latency neighbours = measure(torus, 0, 2);
  const Latency behind = measure(torus, 1, 3);
  print("F1 to F2, link of one cycle", own);
  print("F1 to F2, link of 120 ns", f1_f2);
  print("F2 to F3", f2_f3);
  print("F1 to F1 of the next QFDB", neighbours);
  print("F2 to F2 of the next QFDB", behind);
  // The board link is 18 cycles longer and passed once; by a transfer thrice at most: data, ack and notification do not
  // wait for each other.
  EXPECT_EQ(f1_f2.message, own.message + 18);
  EXPECT_LE(f1_f2.message, 45);
  EXPECT_LE(f1_f2.transfer, 130);
  EXPECT_LE(neighbours.message, 70);
  EXPECT_GT(behind.message, neighbours.message);
}

}  // namespace
}  // namespace fabrictwin::test
