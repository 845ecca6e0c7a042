// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A whole QFDB: its network FPGA and its three plain FPGAs, all talking to all.
#include "tests/rtl/node/qfdb.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include "rtl/control/switch_registers.h"
#include "tests/rtl/node/node_traffic.h"

namespace fabrictwin::test {
namespace {

struct Stalls {
  unsigned link = 0;
  unsigned memory = 0;
  unsigned host = 0;
};

/// What is the same however the edges of idle devices are treated.
struct Outcome {
  uint64_t digest = 0;
  int64_t end = 0;
  int64_t skipped = 0;
};

void add_all_to_all(NodeTraffic& traffic, int messages, int transfers, uint32_t max_length) {
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) {
      for (int k = 0; k < messages; ++k) traffic.add_message(a, b);
      for (int k = 0; k < transfers; ++k) traffic.add_transfer(a, b, k % 2 == 1, max_length);
    }
  }
}

Outcome run_board(uint64_t seed, Stalls stalls, bool skipping, int phases, int messages, int transfers) {
  NodeNetwork network(seed, {.link = stalls.link});
  add_qfdbs(network, {.memory = {.latency = 16, .jitter = stalls.memory / 4, .stall_percent = stalls.memory}}, seed);
  NodeTraffic traffic(network, seed + 1);
  traffic.set_stalls(stalls.host);
  traffic.open();
  network.set_skipping(skipping);
  for (int phase = 0; phase < phases; ++phase) {
    add_all_to_all(traffic, messages, transfers, 2500);
    traffic.start();
    EXPECT_TRUE(network.run_until([&] { return traffic.done(); }, 2'000'000));
    EXPECT_TRUE(network.drain(100'000));
    traffic.check();
    // Long enough for timers to be wrong if they stood still.
    network.run(20'000);
  }
  return {network.digest(), network.now(), network.skipped()};
}

TEST(Qfdb, AllToAll) { run_board(1, {}, false, 1, 6, 4); }
TEST(Qfdb, AllToAllWithStalls) { run_board(2, {.link = 30, .memory = 30, .host = 30}, false, 1, 6, 4); }
TEST(Qfdb, AllToAllWithSlowLinks) { run_board(3, {.link = 75}, false, 1, 4, 4); }

TEST(Qfdb, SkippingIdleEdgesChangesNothing) {
  const Stalls stalls{.link = 20, .memory = 20, .host = 20};
  const Outcome plain = run_board(4, stalls, false, 2, 2, 2);
  const Outcome skipped = run_board(4, stalls, true, 2, 2, 2);
  EXPECT_EQ(plain.digest, skipped.digest);
  EXPECT_EQ(plain.end, skipped.end);
  EXPECT_EQ(plain.skipped, 0);
  EXPECT_GE(skipped.skipped, 2 * 4 * 19'000);
}

TEST(Qfdb, OneAfterTheOther) {
  // Alone on the board, so that devices sleep between: each message and transfer wakes those that it concerns.
  NodeNetwork network(5, {});
  add_qfdbs(network, {}, 5);
  NodeTraffic traffic(network, 6);
  traffic.open();
  network.set_skipping(true);
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) {
      traffic.add_message(a, b);
      traffic.start();
      ASSERT_TRUE(network.run_until([&] { return traffic.done(); }, 5000)) << a << " to " << b;
      ASSERT_TRUE(network.drain(5000));
      traffic.add_transfer(a, b, (a + b) % 2 == 1, 600);
      traffic.start();
      ASSERT_TRUE(network.run_until([&] { return traffic.done(); }, 10'000)) << a << " to " << b;
      ASSERT_TRUE(network.drain(5000));
      traffic.check();
      network.run(500);
    }
  }
  EXPECT_EQ(traffic.delivered(), 16);
  EXPECT_GE(network.skipped(), 16 * 4 * 500);
}

TEST(Qfdb, FullRingsAreTriedAgain) {
  // One mailbox gets everything while its host is slow.
  NodeNetwork network(7, {});
  add_qfdbs(network, {}, 7);
  NodeTraffic traffic(network, 8);
  traffic.open();
  network.device(2).messages.set_stalls(95);
  for (int a = 0; a < 4; ++a) {
    for (int k = 0; k < 10; ++k) traffic.add_message(a, 2);
  }
  traffic.start();
  ASSERT_TRUE(network.run_until([&] { return traffic.done(); }, 2'000'000));
  ASSERT_TRUE(network.drain(100'000));
  traffic.check();
  EXPECT_EQ(traffic.delivered(), 40);
  EXPECT_GT(traffic.refused(), 0);
}

TEST(Qfdb, TheControllerBeginsWithTheStrapsAndCanChangeThem) {
  NodeNetwork network(9, {});
  add_qfdbs(network, {}, 9);
  NodeTraffic traffic(network, 10);
  traffic.open();
  const auto read = [&](uint32_t address) {
    uint32_t value = 0;
    bool done = false;
    network.device(0).controller.push({false, address, {}, [&](const std::vector<Word128>& words, bool error) {
                                         EXPECT_FALSE(error);
                                         value = words[0][0];
                                         done = true;
                                       }});
    EXPECT_TRUE(network.run_until([&] { return done; }, 100));
    return value;
  };
  const auto write = [&](uint32_t address, uint32_t value) {
    network.device(0).controller.push({true, address, {{value}}, [](const auto&, bool error) { EXPECT_FALSE(error); }});
    EXPECT_TRUE(network.run_until([&] { return network.device(0).controller.idle(); }, 100));
  };
  constexpr uint32_t kControl = 0x00c, kTileCredits = 0x024, kStatus = 0x028, kPortControl = 0x040,
                     kDisabledDrops = 0x140;
  EXPECT_EQ(read(0x008) & 0xffff, 0x0604u) << "4 intra-tile and 6 inter-tile ports";
  EXPECT_EQ(read(kControl), 0u);
  EXPECT_EQ(read(kTileCredits), 8u << 16 | 48u);
  EXPECT_EQ(read(kStatus) & 3, 1u) << "idle and not in reset";
  for (uint32_t p = 0; p < 10; ++p) EXPECT_EQ(read(kPortControl + 4 * p) & 1, p < 4 ? 1u : 0u) << "port " << p;
  // Without its port F3 is not there; the message is dropped and sent again until it is.
  write(kPortControl + 8, 0);
  traffic.add_message(0, 2);
  traffic.start();
  network.run(3000);
  EXPECT_FALSE(traffic.done());
  EXPECT_EQ(read(kDisabledDrops), 1u);
  write(kPortControl + 8, 1);
  ASSERT_TRUE(network.run_until([&] { return traffic.done(); }, 100'000));
  ASSERT_TRUE(network.drain(1000));
  traffic.check();
  // A reset of the network by software, while nothing is in it.
  write(kControl, 1);
  EXPECT_EQ(read(kStatus) & 2, 2u);
  write(kControl, 0);
  network.run(3);
  EXPECT_EQ(read(kStatus) & 2, 0u);
  for (int d = 1; d < 4; ++d) {
    for (int k = 0; k < 20; ++k) traffic.add_message(0, d);
    traffic.add_transfer(d, 0, true, 5000);
  }
  traffic.start();
  ASSERT_TRUE(network.run_until([&] { return traffic.done(); }, 100'000));
  ASSERT_TRUE(network.drain(100'000));
  traffic.check();
}

TEST(Qfdb, PlainFpgasTellOfTheirPorts) {
  namespace regs = rtl::control::switch_registers;
  NodeNetwork network(14, {.link = 50});
  add_qfdbs(network, {}, 14);
  NodeTraffic traffic(network, 15);
  traffic.open();
  std::map<std::pair<int, int>, uint32_t> left;  // Packets, by device and link.
  network.on_packet = [&](int d, int link, const std::vector<FlitWord>&, bool) { ++left[{d, link}]; };
  const auto access = [&](int d, uint32_t address, std::vector<Word128> words) {
    uint32_t value = 0;
    bool done = false;
    const bool write = !words.empty();
    network.device(d).controller.push(
        {write, address, std::move(words), [&](const std::vector<Word128>& got, bool error) {
           EXPECT_FALSE(error) << std::hex << address;
           value = got[0][0];
           done = true;
         }});
    EXPECT_TRUE(network.run_until([&] { return done; }, 100));
    return value;
  };
  const auto read = [&](int d, uint32_t offset, int port = 0) {
    return access(d, offset + regs::kStride * static_cast<uint32_t>(port), {});
  };
  add_all_to_all(traffic, 6, 6, 2500);
  traffic.start();
  int used = 0, queued = 0, busy = 0;
  while (!traffic.done() && network.now() < 1'000'000) {
    const int port = static_cast<int>(network.now() % 3) + 1;
    const uint32_t words = read(2, regs::kUsedOffset, port);
    EXPECT_LE(words, 64u);
    used += words > 0 ? 1 : 0;
    queued += read(2, regs::kInputOffset, port) > 0 ? 1 : 0;
    busy += (read(2, regs::kStatusOffset) & 1) == 0 ? 1 : 0;
  }
  ASSERT_TRUE(traffic.done());
  EXPECT_GT(used, 50);
  EXPECT_GT(queued, 10);
  EXPECT_GT(busy, 50);
  ASSERT_TRUE(network.drain(100'000));
  traffic.check();
  for (int d = 1; d < 4; ++d) {
    EXPECT_EQ(read(d, regs::kIdentificationOffset), regs::kIdentificationReset);
    EXPECT_EQ(read(d, regs::kStatusOffset), 1u) << "idle, and nothing has happened";
    EXPECT_GT(read(d, regs::kSentOffset), 0u) << "packets for the network interface";
    for (int port = 0; port < 4; ++port) {
      if (port > 0) {
        EXPECT_EQ(read(d, regs::kSentOffset, port), (left[{d, port - 1}] & 0xffff)) << d << " " << port;
      }
      for (const uint32_t offset : {regs::kPortStatusOffset, regs::kPortEventsOffset, regs::kDroppedOffset,
                                    regs::kInputOffset, regs::kUsedOffset})
        EXPECT_EQ(read(d, offset, port), 0u) << d << " " << port << " " << std::hex << offset;
    }
  }
  // A word that begins no packet, on the first link of F3.
  network.inject(2, 0, {{make_word(1, 2), false, true}, false});
  network.run(20);
  EXPECT_EQ(read(2, regs::kStatusOffset), 7u) << "idle, an error, and its event";
  EXPECT_EQ(read(2, regs::kPortStatusOffset, 1), 1u << regs::kPortStatusErrorLow);
  EXPECT_EQ(read(2, regs::kDroppedOffset, 1), 1u);
  EXPECT_EQ(read(2, regs::kPortEventsOffset, 1), 1u << regs::kPortEventsErrorLow | 1u << regs::kPortEventsDroppedLow);
  EXPECT_EQ(read(2, regs::kPortStatusOffset, 2), 0u);
  access(2, regs::kPortEventsOffset + regs::kStride, {{~0u}});
  EXPECT_EQ(read(2, regs::kStatusOffset), 3u) << "the error stays until reset";
}

TEST(Qfdb, WrongWordsOnABoardLinkDoNotStopIt) {
  NodeNetwork network(11, {});
  add_qfdbs(network, {}, 11);
  NodeTraffic traffic(network, 12);
  traffic.open();
  RandomSource random(13);
  const auto packet = [&](uint32_t bytes) {
    RdmaPacket p{.kind = 1, .source = 0, .destination = 1, .bytes = bytes};
    for (uint32_t w = 0; 16 * w < bytes; ++w) p.payload.push_back(random_word(random));
    return p.encode();
  };
  for (int k = 0; k < 200; ++k) {
    std::vector<FlitWord> words = packet(16 * static_cast<uint32_t>(random.between(1, 16)));
    switch (k % 4) {
      case 0:
        words.erase(words.begin());
        break;
      case 1:
        words[0].data[1] = (words[0].data[1] & ~0x3ff0000u) | static_cast<uint32_t>(random.between(257, 1023)) << 16;
        break;
      case 2:
        // Words behind the end, which is not marked.
        words.back().eop = false;
        words.push_back({make_word(1, 2), false, false});
        words.push_back({make_word(3, 4), false, true});
        break;
      default:
        // Too short; what follows pays for it.
        words.resize(words.size() - 1);
        for (const FlitWord& word : packet(64)) words.push_back(word);
        break;
    }
    const bool vc = random.percent(50);
    for (const FlitWord& word : words) network.inject(1, 0, {word, vc});
    network.run(60);
  }
  ASSERT_TRUE(network.drain(1000));
  EXPECT_TRUE(network.device(1).error());
  network.expect_all_credits();
  add_all_to_all(traffic, 2, 2, 1000);
  traffic.start();
  ASSERT_TRUE(network.run_until([&] { return traffic.done(); }, 100'000));
  ASSERT_TRUE(network.drain(100'000));
  traffic.check(1);
}

}  // namespace
}  // namespace fabrictwin::test
