// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames between the clocks of MAC and device, whose edges come in any order.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>
#include <vector>

#include "VNanetMacCrossing__inputs.h"
#include "rtl/nanet/beat.h"
#include "tests/rtl/nanet/beat_pins.h"
#include "tests/rtl/random_state_context.h"

namespace fabrictwin::test {
namespace {

using rtl::nanet::Beat;

using Words = std::vector<uint64_t>;

class NanetMacCrossing : public ::testing::Test {
 protected:
  struct Frame {
    Words words;
    bool damaged = false;
  };

  NanetMacCrossing() {
    zero_inputs(model_);
    for (int i = 0; i < 4; ++i) {
      core_edge();
      mac_edge();
    }
    model_.rst_ni = model_.mac_rst_ni = 1;
    model_.eval();
  }

  bool chance(unsigned percent) { return random_() % 100 < percent; }
  Frame any_frame() {
    Frame frame{.words = Words(1 + random_() % 20), .damaged = chance(10)};
    for (uint64_t& word : frame.words) word = uint64_t{random_()} << 32 | random_();
    return frame;
  }
  /// A word of the oldest frame of a queue, `at` words after its first.
  static Beat beat(const Frame& frame, size_t at) {
    const bool last = at + 1 == frame.words.size();
    return {.data = frame.words[at], .keep = 0xff, .error = last && frame.damaged, .last = last};
  }
  static void advance(std::deque<Frame>& frames, size_t& at) {
    if (++at < frames.front().words.size()) return;
    frames.pop_front();
    at = 0;
  }
  /// The word that has come belongs to the frame before which it ends.
  static void take(const Beat& beat, Words& coming, std::vector<Frame>& frames) {
    coming.push_back(beat.data);
    if (!beat.last) return;
    frames.push_back({coming, beat.error});
    coming.clear();
  }

  void core_edge() {
    model_.clk_i = 0;
    model_.eval();
    model_.clk_i = 1;
    model_.eval();
  }
  void mac_edge() {
    model_.mac_clk_i = 0;
    model_.eval();
    model_.mac_clk_i = 1;
    model_.eval();
  }

  /// An edge of one of the clocks, at which each side offers and takes words in so many of a hundred cases.
  void step(unsigned busy) {
    if (chance(50)) {
      model_.ready_i = chance(takes_);
      model_.valid_i = !to_mac_.empty() && chance(busy);
      if (model_.valid_i) set_beat(model_.beat_i, beat(to_mac_.front(), to_mac_at_));
      model_.eval();
      if (model_.valid_o && model_.ready_i) {
        take(beat_of(model_.beat_o), coming_, came_);
        --under_way_;
      }
      const bool taken = model_.valid_i && model_.ready_o;
      core_edge();
      if (taken) advance(to_mac_, to_mac_at_);
    } else {
      model_.mac_ready_i = chance(busy);
      model_.mac_valid_i = !from_mac_.empty() && (overflows_ || under_way_ < kLeastSpace) && chance(busy);
      if (model_.mac_valid_i) set_beat(model_.mac_beat_i, beat(from_mac_.front(), from_mac_at_));
      model_.eval();
      if (model_.mac_valid_o && model_.mac_ready_i) take(beat_of(model_.mac_beat_o), leaving_, left_);
      const bool taken = model_.mac_valid_i != 0;
      mac_edge();
      if (!taken) return;
      ++under_way_;
      advance(from_mac_, from_mac_at_);
    }
  }

  static constexpr int kLeastSpace = 24;  // Of 32 words; some are not known to be free yet.

  std::mt19937 random_{81};
  RandomStateContext context_;
  VNanetMacCrossing model_{&context_};
  std::deque<Frame> from_mac_, to_mac_;
  size_t from_mac_at_ = 0, to_mac_at_ = 0;
  Words coming_, leaving_;
  std::vector<Frame> came_, left_;
  unsigned takes_ = 100;
  bool overflows_ = false;
  int under_way_ = 0;
};

TEST_F(NanetMacCrossing, KeepsFramesInBothDirections) {
  std::vector<Frame> received, sent;
  for (int round = 0; round < 40; ++round) {
    for (int i = 0; i < 5; ++i) {
      received.push_back(any_frame());
      from_mac_.push_back(received.back());
      sent.push_back(any_frame());
      to_mac_.push_back(sent.back());
    }
    const unsigned busy = 10 + random_() % 91;
    takes_ = 10 + random_() % 91;
    for (int i = 0; i < 500; ++i) step(busy);
  }
  takes_ = 100;
  for (int i = 0; i < 20'000; ++i) step(100);
  ASSERT_EQ(came_.size(), received.size());
  ASSERT_EQ(left_.size(), sent.size());
  for (size_t i = 0; i < sent.size(); ++i) {
    ASSERT_EQ(came_[i].words, received[i].words) << i;
    ASSERT_EQ(came_[i].damaged, received[i].damaged) << i;
    ASSERT_EQ(left_[i].words, sent[i].words) << i;
    ASSERT_EQ(left_[i].damaged, sent[i].damaged) << i;
  }
}

TEST_F(NanetMacCrossing, DamagesWhatFindsNoSpace) {
  overflows_ = true;
  std::vector<Frame> received;
  for (int round = 0; round < 100; ++round) {
    for (int i = 0; i < 5; ++i) {
      received.push_back(any_frame());
      from_mac_.push_back(received.back());
    }
    // The device may stand still for a while, and the line does not wait.
    takes_ = chance(50) ? 0 : 100;
    for (int i = 0; i < 150; ++i) step(80);
    takes_ = 100;
    for (int i = 0; i < 150; ++i) step(80);
  }
  size_t next = 0;
  int good = 0;
  int damaged = 0;
  for (const Frame& frame : came_) {
    if (frame.damaged) {
      ++damaged;
      continue;
    }
    ++good;
    while (next < received.size() && received[next].words != frame.words) ++next;
    ASSERT_LT(next, received.size()) << "this has not been received so";
    EXPECT_FALSE(received[next].damaged);
  }
  EXPECT_GT(good, 100);
  EXPECT_GT(damaged, 60) << "more than those that came so";
}

}  // namespace
}  // namespace fabrictwin::test
