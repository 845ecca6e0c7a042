// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The two ends of a board link, each alone: what arrives leaves packet by packet, and words are never sent without
// room for them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "VBoardLinkRx.h"
#include "VBoardLinkTx.h"
#include "rtl/single_thread_context.h"
#include "rtl/verilated_clock.h"
#include "tests/rtl/rdma/random_source.h"
#include "tests/rtl/rdma/rdma_packet.h"

namespace fabrictwin::test {
namespace {

constexpr int kBuffer = 64;

/// A header, so many payload words, a footer.
std::vector<FlitWord> packet_of(uint64_t bytes, RandomSource& random) {
  const uint64_t words = (bytes + 15) / 16;
  std::vector<FlitWord> packet;
  packet.push_back({make_word((random.next() & 0xfc00ffffffffffff) | bytes << 48, random.next()), true, false});
  for (uint64_t w = 0; w <= words; ++w) {
    packet.push_back({make_word(random.next(), random.next()), false, w == words});
  }
  return packet;
}

/// Mostly any size, often one at a border.
uint64_t draw_bytes(RandomSource& random) {
  constexpr std::array<uint64_t, 6> kBorders{0, 1, 16, 17, 255, 256};
  return random.percent(50) ? kBorders[random.below(kBorders.size())] : random.below(257);
}

template <class Model>
void reset(Model& model) {
  model.rst_ni = 0;
  rising_edge_in_two(model);
  rising_edge_in_two(model);
  model.rst_ni = 1;
}

class Receiver {
 public:
  Receiver() {
    model_.rx_valid_i = 0;
    model_.ready_i = 0;
    reset(model_);
  }

  /// A word that goes to a VC as soon as there is room. Of a packet, its words; otherwise words that are to be dropped.
  void add(int vc, const FlitWord& word) { input_[vc].push_back(word); }
  void add_packet(int vc, const std::vector<FlitWord>& packet) {
    for (const FlitWord& word : packet) add(vc, word);
    expected_[vc].push_back(packet);
  }

  struct Load {
    unsigned input = 100;  ///< Per cent of cycles with a word, if there is one.
    unsigned ready = 100;
    bool turns = true;  ///< Nothing is dropped, so that whose turn it is can be seen.
  };
  /// Until all has left.
  void run(const Load& load, uint64_t seed) {
    RandomSource random(seed);
    for (int step = 0; step < 200'000; ++step) {
      if (input_[0].empty() && input_[1].empty() && held_[0] + held_[1] == 0) break;
      cycle(load, random);
      if (::testing::Test::HasFatalFailure()) return;
    }
    for (int vc = 0; vc < 2; ++vc) {
      ASSERT_TRUE(expected_[vc].empty()) << expected_[vc].size() << " packets of VC " << vc << " are missing";
      ASSERT_EQ(room_[vc], kBuffer);
    }
    model_.rx_valid_i = 0;
    rising_edge_in_two(model_);
    EXPECT_TRUE(model_.idle_o);
  }

  bool error() const { return model_.error_o != 0; }
  std::map<std::string, int> seen;

 private:
  void cycle(const Load& load, RandomSource& random) {
    // A word of either VC.
    model_.rx_valid_i = 0;
    int vc = static_cast<int>(random.below(2));
    if (input_[vc].empty() || room_[vc] == 0) vc = 1 - vc;
    const bool put = !input_[vc].empty() && room_[vc] > 0 && random.percent(load.input);
    if (put) {
      const FlitWord& word = input_[vc].front();
      model_.rx_valid_i = 1;
      model_.rx_vc_i = static_cast<uint8_t>(vc);
      model_.rx_sop_i = word.sop;
      model_.rx_eop_i = word.eop;
      for (size_t i = 0; i < 4; ++i) model_.rx_data_i[i] = word.data[i];
      if (--room_[vc] == 0) ++seen["full"];
    }
    model_.ready_i = random.percent(load.ready);
    model_.clk_i = 0;
    model_.eval();
    if (model_.valid_o && model_.ready_i) ASSERT_NO_FATAL_FAILURE(take(load));
    if (held_[0] + held_[1] > 0) EXPECT_FALSE(model_.idle_o);
    const std::array<int, 2> owed = due_;
    model_.clk_i = 1;
    model_.eval();
    if (put) {
      ++visible_[vc];
      ++held_[vc];
      input_[vc].pop_front();
    }
    if (model_.credit_valid_o) {
      const int to = model_.credit_vc_o;
      const int count = model_.credit_count_o;
      if (due_[to] == 0) {
        // Not for a packet, so for a word that was dropped.
        ASSERT_EQ(count, 1);
        --visible_[to];
        ++seen["dropped"];
      } else {
        ASSERT_EQ(count, due_[to]);
        due_[to] = 0;
      }
      held_[to] -= count;
      room_[to] += count;
      ASSERT_GE(held_[to], 0);
    }
    for (int v = 0; v < 2; ++v) ASSERT_TRUE(owed[v] == 0 || due_[v] == 0) << "credits come with the last word";
  }

  // The word at the output.
  void take(const Load& load) {
    FlitWord word{{}, model_.sop_o != 0, model_.eop_o != 0};
    for (size_t i = 0; i < 4; ++i) word.data[i] = model_.data_o[i];
    if (position_ == 0) {
      owner_ = -1;
      for (int v = 0; v < 2; ++v) {
        if (visible_[v] > 0 && !expected_[v].empty() && expected_[v].front()[0].data == word.data) owner_ = v;
      }
      ASSERT_NE(owner_, -1) << "no packet begins like this";
      if (load.turns && visible_[0] > 0 && visible_[1] > 0) {
        ASSERT_NE(owner_, last_) << "it was the turn of the other VC";
        ++seen["turn"];
      }
      last_ = owner_;
    }
    const std::vector<FlitWord>& packet = expected_[owner_].front();
    ASSERT_EQ(word.data, packet[position_].data);
    ASSERT_EQ(word.sop, position_ == 0);
    ASSERT_EQ(word.eop, position_ + 1 == packet.size());
    --visible_[owner_];
    if (++position_ < packet.size()) return;
    position_ = 0;
    due_[owner_] = static_cast<int>(packet.size());
    if (packet.size() == 18) ++seen["largest"];
    if (packet.size() == 2) ++seen["smallest"];
    expected_[owner_].pop_front();
  }

  SingleThreadContext context_;
  VBoardLinkRx model_{&context_};
  std::array<std::deque<FlitWord>, 2> input_;
  std::array<std::deque<std::vector<FlitWord>>, 2> expected_;
  std::array<int, 2> room_{kBuffer, kBuffer};  ///< Credits of the sender.
  std::array<int, 2> visible_{};               ///< Words in the buffer.
  std::array<int, 2> held_{};                  ///< Words whose room was not given back.
  std::array<int, 2> due_{};                   ///< Credits that must come with this edge.
  size_t position_ = 0;
  int owner_ = -1;
  int last_ = 1;
};

void run_packets(const Receiver::Load& load, uint64_t seed, bool full) {
  Receiver receiver;
  RandomSource random(seed);
  for (int k = 0; k < 2000; ++k) {
    receiver.add_packet(static_cast<int>(random.below(2)), packet_of(draw_bytes(random), random));
  }
  ASSERT_NO_FATAL_FAILURE(receiver.run(load, seed + 1));
  EXPECT_FALSE(receiver.error());
  EXPECT_GT(receiver.seen["largest"], 100);
  EXPECT_GT(receiver.seen["smallest"], 100);
  EXPECT_GT(receiver.seen["turn"], 100);
  EXPECT_EQ(receiver.seen["dropped"], 0);
  if (full) EXPECT_GT(receiver.seen["full"], 100);
}

TEST(BoardLinkRx, BothVcsTakeTurns) { run_packets({}, 1, true); }
TEST(BoardLinkRx, WithStalls) { run_packets({.input = 70, .ready = 60}, 2, true); }
TEST(BoardLinkRx, WithAFewWords) { run_packets({.input = 90, .ready = 95}, 3, false); }

TEST(BoardLinkRx, WhatBeginsNoPacketIsDropped) {
  Receiver receiver;
  RandomSource random(4);
  for (int k = 0; k < 1000; ++k) {
    const int vc = static_cast<int>(random.below(2));
    if (random.percent(30)) {
      for (uint64_t w = random.between(1, 5); w > 0; --w) {
        receiver.add(vc, {make_word(random.next(), random.next()), false, random.percent(30)});
      }
    }
    if (random.percent(20)) {
      // Longer than a packet can be, so its words are strays.
      const uint64_t bytes = random.percent(50) ? 257 : random.between(258, 1023);
      FlitWord header = packet_of(0, random)[0];
      header.data[1] = (header.data[1] & ~0x3ff0000u) | static_cast<uint32_t>(bytes) << 16;
      receiver.add(vc, header);
      receiver.add(vc, {make_word(random.next(), random.next()), false, true});
    }
    receiver.add_packet(vc, packet_of(draw_bytes(random), random));
  }
  ASSERT_NO_FATAL_FAILURE(receiver.run({.input = 80, .ready = 80, .turns = false}, 5));
  EXPECT_TRUE(receiver.error());
  EXPECT_GT(receiver.seen["dropped"], 500);
}

TEST(BoardLinkRx, FlagsThatDoNotFitTheLengthAreAnError) {
  for (const bool early : {false, true}) {
    Receiver receiver;
    RandomSource random(6);
    std::vector<FlitWord> packet = packet_of(64, random);
    receiver.add_packet(0, packet);
    ASSERT_NO_FATAL_FAILURE(receiver.run({}, 7));
    EXPECT_FALSE(receiver.error());
    // The length counts, so what leaves is a packet.
    packet[early ? 2 : packet.size() - 1].eop = early;
    receiver.add_packet(0, packet);
    ASSERT_NO_FATAL_FAILURE(receiver.run({}, 8));
    EXPECT_TRUE(receiver.error());
  }
}

class BoardLinkTx : public ::testing::Test {
 protected:
  BoardLinkTx() {
    model_.valid_i = 0;
    model_.tx_ready_i = 0;
    model_.credit_valid_i = 0;
    reset(model_);
  }
  void offer(const FlitWord& word) {
    model_.valid_i = 1;
    model_.sop_i = word.sop;
    model_.eop_i = word.eop;
    for (size_t i = 0; i < 4; ++i) model_.data_i[i] = word.data[i];
  }
  void credit(int vc, int count) {
    model_.credit_valid_i = 1;
    model_.credit_vc_i = static_cast<uint8_t>(vc);
    model_.credit_count_i = static_cast<uint8_t>(count);
    rising_edge_in_two(model_);
    model_.credit_valid_i = 0;
  }
  /// Sends packets of these sizes with all their words.
  void send(int words) {
    RandomSource random(9);
    model_.tx_ready_i = 1;
    for (const FlitWord& word : packet_of(16 * static_cast<uint64_t>(words - 2), random)) {
      offer(word);
      model_.eval();
      ASSERT_TRUE(model_.tx_valid_o);
      rising_edge_in_two(model_);
    }
    model_.valid_i = 0;
  }
  bool may_send(int words) {
    RandomSource random(10);
    model_.tx_ready_i = 0;
    offer(packet_of(16 * static_cast<uint64_t>(words - 2), random)[0]);
    model_.eval();
    const bool may = model_.tx_valid_o != 0;
    EXPECT_NE(may, model_.credit_stall_o != 0);
    model_.valid_i = 0;
    model_.eval();
    EXPECT_FALSE(model_.credit_stall_o);
    return may;
  }

  SingleThreadContext context_;
  VBoardLinkTx model_{&context_};
};

TEST_F(BoardLinkTx, CountsAsPlainArithmeticDoes) {
  RandomSource random(11);
  std::map<std::string, int> seen;
  int credits = kBuffer;
  int away = 0;  ///< Words that the far end has not given back.
  std::vector<FlitWord> packet;
  size_t position = 0;
  for (int step = 0; step < 300'000; ++step) {
    if (position == packet.size()) {
      packet = packet_of(draw_bytes(random), random);
      position = 0;
    }
    const FlitWord& word = packet[position];
    const bool first = position == 0;
    const int length = static_cast<int>(packet.size());
    const bool allowed = !first || credits >= length;
    offer(word);
    model_.valid_i = random.percent(80);
    model_.tx_ready_i = random.percent(70);
    // Mostly few at a time, so that each count is met.
    const int most = random.percent(90) ? std::min(away, 2) : away;
    const int back = random.percent(35) ? static_cast<int>(random.below(static_cast<uint64_t>(most) + 1)) : 0;
    model_.credit_valid_i = back > 0;
    model_.credit_vc_i = 0;
    model_.credit_count_i = static_cast<uint8_t>(back);
    model_.clk_i = 0;
    model_.eval();
    ASSERT_EQ(model_.tx_valid_o != 0, model_.valid_i && allowed) << step << ": " << credits << " for " << length;
    ASSERT_EQ(model_.ready_o != 0, model_.tx_ready_i && allowed);
    ASSERT_EQ(model_.credit_stall_o != 0, model_.valid_i && !allowed);
    ASSERT_EQ(model_.tx_vc_o, 0);
    ASSERT_EQ(model_.tx_sop_o != 0, word.sop);
    ASSERT_EQ(model_.tx_eop_o != 0, word.eop);
    for (size_t i = 0; i < 4; ++i) ASSERT_EQ(model_.tx_data_o[i], word.data[i]);
    if (first && model_.valid_i) {
      ++seen[credits == length ? "just fits" : credits == length - 1 ? "one too few" : "other"];
      if (allowed && !model_.tx_ready_i) ++seen["waits for ready"];
    }
    if (model_.valid_i && model_.tx_ready_i && allowed) {
      if (first) {
        credits -= length;
        away += length;
        if (back > 0) ++seen["both at once"];
      }
      ++position;
    }
    credits += back;
    away -= back;
    model_.clk_i = 1;
    model_.eval();
    ASSERT_FALSE(model_.error_o);
  }
  for (const char* corner : {"just fits", "one too few", "waits for ready", "both at once"}) {
    EXPECT_GT(seen[corner], 20) << corner;
  }
}

TEST_F(BoardLinkTx, CreditsThatWereNotUsedAreAnErrorAndDoNotCount) {
  ASSERT_NO_FATAL_FAILURE(send(18));
  credit(0, 18);
  EXPECT_FALSE(model_.error_o);
  credit(0, 1);
  EXPECT_TRUE(model_.error_o);
  for (int k = 0; k < 3; ++k) ASSERT_NO_FATAL_FAILURE(send(18));
  EXPECT_TRUE(may_send(10)) << "64 - 54";
  EXPECT_FALSE(may_send(11));
}

TEST_F(BoardLinkTx, CreditsOfTheOtherVcAreAnErrorAndDoNotCount) {
  for (int k = 0; k < 3; ++k) ASSERT_NO_FATAL_FAILURE(send(18));
  EXPECT_FALSE(model_.error_o);
  credit(1, 18);
  EXPECT_TRUE(model_.error_o);
  EXPECT_TRUE(may_send(10));
  EXPECT_FALSE(may_send(11));
}

}  // namespace
}  // namespace fabrictwin::test
