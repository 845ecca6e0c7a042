// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How many cycles a message takes from the doorbell to the tail, or to its entry in memory, two network interfaces
// connected pin to pin.
#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

#include "tests/rtl/ni/ni_host.h"

namespace fabrictwin::test {
namespace {

/// Cycles of one message: from the edge at which AXI hands over the doorbell.
struct Times {
  int64_t first_word = 0;  ///< To the edge at which the first word is on the link,
  int64_t tail = 0;        ///< to the edge after which the host can read the new tail,
  int64_t acked = 0;       ///< to the edge after which the host can read that it was acked.
};

Times measure(int bytes) {
  NiDevice a(NiNetwork::node(0), 1);
  NiDevice b(NiNetwork::node(1), 2);
  NiOutputs out_a, out_b;
  Times times;
  bool sent = false;
  int64_t rung = -1;
  const auto cycle = [&] {
    // What a link register would hold: the word of the cycle before is what comes in.
    NiInputs in_a{.rx = out_b.tx, .credit = out_b.credit, .rdma = {}};
    NiInputs in_b{.rx = out_a.tx, .credit = out_a.credit, .rdma = {}};
    out_a = a.cycle(in_a);
    out_b = b.cycle(in_b);
    if (rung >= 0 && out_a.tx && !sent) {
      sent = true;
      times.first_word = a.now() - 1 - rung;
    }
    // The event is a register that changes with the tail.
    if (out_b.event) times.tail = b.now() - 1 - rung;
    if (out_b.tx && out_b.tx->eop) times.acked = b.now() - rung + 2;  // Sampled one later, then two to the record.
  };
  const auto finish = [&] {
    while (a.host_queue() > 0 || b.host_queue() > 0) cycle();
  };
  a.write(ni_packetizer_config_address(0), uint64_t{1} << 63 | 7);
  b.write(ni_mailbox_config_address(0), uint64_t{1} << 63 | 7);
  a.write(ni_channel_address(0, 8), uint64_t{NiNetwork::node(1)} << 42);
  finish();
  for (int k = 0; k < (256 << kNiPeerBits) + 10; ++k) cycle();
  a.write(ni_channel_address(0, 9), static_cast<uint64_t>(bytes));
  while (a.last_write_cycle() < a.now() - 1 || a.host_queue() == 0) cycle();
  rung = a.last_write_cycle();
  for (int k = 0; k < 60; ++k) cycle();
  uint64_t state = 0;
  a.read(ni_channel_address(0, 9), [&state](uint64_t data, bool) { state = data & 7; });
  finish();
  EXPECT_EQ(state, static_cast<uint64_t>(kAcked));
  return times;
}

TEST(NiLatency, DoorbellToTail) {
  std::printf("bytes  doorbell to first word  doorbell to tail        doorbell to ack\n");
  for (int bytes = 0; bytes <= 64; bytes += 8) {
    const Times t = measure(bytes);
    const double ns = 6.4;  // 156.25 MHz.
    std::printf("%5d  %6ld cycles           %6ld cycles %5.1f ns  %6ld cycles %5.1f ns\n", bytes, t.first_word, t.tail,
                static_cast<double>(t.tail) * ns, t.acked, static_cast<double>(t.acked) * ns);
    // Constant but for the words of the payload.
    const int words = (bytes + 15) / 16;
    EXPECT_EQ(t.first_word, 4);
    EXPECT_EQ(t.tail, 10 + words);
    EXPECT_EQ(t.acked, t.tail + 6);
    EXPECT_LE(t.tail * ns, 470 - 120 - 145) << "must fit the 470 ns of the prototype";
  }
}

/// Cycles of one message whose ring is in memory, which answers a cycle after the last word of a burst.
struct RingTimes {
  int64_t write = 0;   ///< From the edge that samples its last word to that at which memory takes the first one,
  int64_t entry = 0;   ///< to that at which memory takes the description,
  int64_t answer = 0;  ///< and from memory's answer for that to the first word of the answer on the link.
};

RingTimes measure_ring(int bytes) {
  constexpr uint64_t kBase = 0x1000;
  NiDevice a(NiNetwork::node(0), 1);
  NiDevice b(NiNetwork::node(1), 2);
  NiOutputs out_a, out_b;
  int64_t sampled = -1, answered = -1;
  std::vector<int64_t> written;
  b.memory().on_write = [&](const NiMemory::Burst& burst) { written.push_back(b.now() - burst.words + 1); };
  const auto cycle = [&] {
    NiInputs in_a{.rx = out_b.tx, .credit = out_b.credit, .rdma = {}};
    NiInputs in_b{.rx = out_a.tx, .credit = out_a.credit, .rdma = {}};
    out_a = a.cycle(in_a);
    out_b = b.cycle(in_b);
    if (in_b.rx && in_b.rx->eop) sampled = b.now() - 1;
    if (out_b.tx && out_b.tx->sop) answered = b.now() - 1;
  };
  const auto finish = [&] {
    while (a.host_queue() > 0 || b.host_queue() > 0) cycle();
  };
  a.write(ni_packetizer_config_address(0), uint64_t{1} << 63 | 7);
  b.write(ni_mailbox_config_address(0), uint64_t{1} << 63 | 7);
  b.write(ni_ring_address(0), ni_ring(kBase, 4));
  a.write(ni_channel_address(0, 8), uint64_t{NiNetwork::node(1)} << 42);
  finish();
  for (int k = 0; k < (256 << kNiPeerBits) + 10; ++k) cycle();
  a.write(ni_channel_address(0, 9), static_cast<uint64_t>(bytes));
  for (int k = 0; k < 80; ++k) cycle();
  EXPECT_EQ(written.size(), bytes > 0 ? 2u : 1u);
  if (written.empty()) return {};
  return {written.front() - sampled, written.back() - sampled, answered - (written.back() + 1)};
}

TEST(NiLatency, LastWordToEntryInMemory) {
  for (int bytes = 0; bytes <= 64; bytes += 8) {
    const RingTimes t = measure_ring(bytes);
    EXPECT_EQ(t.write, 4) << bytes;
    EXPECT_EQ(t.entry, 4 + (bytes + 15) / 16) << bytes;
    EXPECT_EQ(t.answer, 3) << bytes;
  }
}

}  // namespace
}  // namespace fabrictwin::test
