// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The board switch: two cycles, whole packets, in order, nothing lost under stalls, bad packets dropped and counted.
#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "VQfdbSwitch.h"
#include "cosim/base/random.h"
#include "tests/rtl/ape_router/verilated_ape.h"

namespace fabrictwin::test {
namespace {

constexpr int kPorts = 4;
constexpr uint64_t kBoard = 0x12345;

struct SwitchWord {
  uint64_t lo = 0;
  uint64_t hi = 0;
  bool sop = false;
  bool eop = false;
  bool operator==(const SwitchWord&) const = default;
};

class QfdbSwitch : public testing::Test {
 protected:
  QfdbSwitch() {
    top_.board_i = kBoard;
    // FPGA 0 is reached through port 1, 1 through 2, 2 (this one) through 0; nothing leads to 3; everything else goes
    // through port 3.
    const std::array<int, 5> table{1 << 1 | 1, 2 << 1 | 1, 0 << 1 | 1, 0, 3 << 1 | 1};
    for (int i = 0; i < 5; ++i) put_bits(top_.table_i, 3 * i, 3, static_cast<uint64_t>(table[i]));
    top_.rst_ni = 0;
    edge();
    edge();
    top_.rst_ni = 1;
  }
  ~QfdbSwitch() override { top_.final(); }

  void edge() {
    top_.clk_i = 0;
    top_.eval();
    top_.clk_i = 1;
    top_.eval();
    top_.rx_valid_i = 0;
    top_.tx_ready_i = 0;
    top_.eval();
  }
  bool can_send(int port) const { return (top_.rx_ready_o >> port & 1) != 0; }
  void send(int port, const SwitchWord& word) {
    put_bits(top_.rx_valid_i, port, 1, 1);
    put_bits(top_.rx_sop_i, port, 1, word.sop);
    put_bits(top_.rx_eop_i, port, 1, word.eop);
    put_bits(top_.rx_data_i, 128 * port, 64, word.lo);
    put_bits(top_.rx_data_i, 128 * port + 64, 64, word.hi);
  }
  bool valid(int port) const { return (top_.tx_valid_o >> port & 1) != 0; }
  SwitchWord take(int port) {
    put_bits(top_.tx_ready_i, port, 1, 1);
    return {get_bits(top_.tx_data_o, 128 * port, 64), get_bits(top_.tx_data_o, 128 * port + 64, 64),
            (top_.tx_sop_o >> port & 1) != 0, (top_.tx_eop_o >> port & 1) != 0};
  }
  int dropped(int port) const { return static_cast<int>(get_bits(top_.dropped_o, 16 * port, 16)); }

  static uint64_t header(uint64_t destination) { return destination << 24; }

  VQfdbSwitch top_;
};

TEST_F(QfdbSwitch, TakesTwoCycles) {
  send(0, {header(kBoard << 2 | 1), 7, true, false});
  edge();  // Sampled.
  EXPECT_FALSE(valid(2));
  edge();  // In the output register; the link takes it at the next edge, the second after.
  ASSERT_TRUE(valid(2));
  EXPECT_EQ(take(2).hi, 7u);
}

TEST_F(QfdbSwitch, EveryWordOfAStreamPasses) {
  int got = 0;
  for (int k = 0; k < 400; ++k) {
    ASSERT_TRUE(can_send(1));
    const int place = k % 4;
    send(1, {place == 0 ? header(0x777777) : 0, static_cast<uint64_t>(k), place == 0, place == 3});
    if (valid(3)) {
      EXPECT_EQ(take(3).hi, static_cast<uint64_t>(got++));
    }
    edge();
  }
  EXPECT_EQ(got, 398);
}

TEST_F(QfdbSwitch, RandomTrafficComesWholeAndInOrder) {
  for (const int ready : {100, 60, 10}) {
    RandomStream random(static_cast<uint64_t>(ready), 0, RandomPurpose::kTest);
    std::array<std::deque<SwitchWord>, kPorts> source;
    std::map<int, std::deque<SwitchWord>> expected;  // By 10 * input + output.
    std::array<int, kPorts> open{-1, -1, -1, -1};
    std::array<int, kPorts> bad{};
    std::array<int, kPorts> before{};
    for (int p = 0; p < kPorts; ++p) before[p] = dropped(p);
    int packets = 0;
    int full = 0;
    int contended = 0;
    for (int k = 0; k < 60'000; ++k) {
      for (int p = 0; p < kPorts; ++p) {
        if (source[p].empty() && packets < 2000) {
          ++packets;
          const int fpga = static_cast<int>(random.next_below(5));
          const uint64_t destination =
              fpga == 4 ? 0x800000 | random.next_below(99) : kBoard << 2 | static_cast<uint64_t>(fpga);
          const int output = std::array<int, 5>{1, 2, 0, -1, 3}[fpga];
          const uint64_t length = random.next_below(10);
          source[p].push_back({header(destination), static_cast<uint64_t>(p), true, length == 0});
          for (uint64_t i = 1; i <= length; ++i)
            source[p].push_back({random.next(), random.next(), false, i == length});
          if (output < 0) ++bad[p];
          if (output >= 0) {
            auto& queue = expected[10 * p + output];
            queue.insert(queue.end(), source[p].begin(), source[p].end());
          }
          if (random.next_below(50) == 0) {
            // A word outside of a packet.
            source[p].push_front({random.next(), 0, false, false});
            ++bad[p];
          }
        }
        if (source[p].empty()) continue;
        if (!can_send(p)) {
          ++full;
          continue;
        }
        send(p, source[p].front());
        source[p].pop_front();
      }
      int valids = 0;
      for (int p = 0; p < kPorts; ++p) {
        if (!valid(p)) continue;
        ++valids;
        if (static_cast<int>(random.next_below(100)) >= ready) continue;
        const SwitchWord word = take(p);
        if (open[p] < 0) {
          ASSERT_TRUE(word.sop);
          open[p] = static_cast<int>(word.hi);
        }
        auto& queue = expected[10 * open[p] + p];
        ASSERT_FALSE(queue.empty());
        ASSERT_EQ(word, queue.front()) << "words mixed, lost or changed";
        queue.pop_front();
        if (word.eop) open[p] = -1;
      }
      if (valids > 1) ++contended;
      edge();
    }
    EXPECT_EQ(packets, 2000);
    EXPECT_GT(contended, 100);
    if (ready == 10) {
      EXPECT_GT(full, 100);
    }
    for (const auto& [pair, queue] : expected) EXPECT_TRUE(queue.empty()) << pair;
    for (int p = 0; p < kPorts; ++p) EXPECT_EQ(dropped(p) - before[p], bad[p]);
  }
}

TEST_F(QfdbSwitch, TurnsAreFair) {
  std::array<int, kPorts> got{};
  std::array<int, kPorts> next{};
  int from = 0;
  for (int k = 0; k < 4000; ++k) {
    for (const int p : {0, 1, 2}) {
      if (!can_send(p)) continue;
      send(p, {next[p] == 0 ? header(0x777777) : 0, static_cast<uint64_t>(p), next[p] == 0, next[p] == 4});
      next[p] = (next[p] + 1) % 5;
    }
    if (valid(3)) {
      const SwitchWord word = take(3);
      if (word.sop) from = static_cast<int>(word.hi);
      EXPECT_EQ(word.hi, static_cast<uint64_t>(from)) << "packets mixed";
      if (word.eop) ++got[from];
    }
    edge();
  }
  EXPECT_GT(got[0], 250);
  EXPECT_NEAR(got[0], got[1], 1);
  EXPECT_NEAR(got[0], got[2], 1);
}

}  // namespace
}  // namespace fabrictwin::test
