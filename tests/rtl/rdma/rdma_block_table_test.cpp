// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The blocks at work against plain states and deadlines that count time without end, while time comes round.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "VRdmaBlockTable__inputs.h"
#include "tests/rtl/module_test.h"

namespace fabrictwin::test {
namespace {

constexpr int kBlocks = 32;
/// Cycles in which each timer is looked at, and one for what is found.
constexpr int kSweep = kBlocks + 1;

enum class State { kFree, kSends, kWaits, kBack };

struct Block {
  State state = State::kFree;
  int64_t deadline = 0;
  std::optional<uint64_t> value;
};

class RdmaBlockTable : public ModuleTest<VRdmaBlockTable> {
 protected:
  RdmaBlockTable() : ModuleTest(51) {}

  void begin(int timeout, int backoff) {
    timeout_ = timeout;
    backoff_ = backoff;
    blocks_ = {};
    found_ = false;
    overdue_ = 0;
    quiet();
    reset();
  }
  void quiet() {
    auto& m = model_;
    m.write_i = m.to_send_i = m.to_wait_i = m.queued_i = m.to_back_i = m.to_free_i = m.clear_slot_i = 0;
    m.timer_taken_i = 0;
  }
  Block& at(int index) { return blocks_[static_cast<size_t>(index)]; }
  static bool timed(const Block& block) { return block.state == State::kWaits || block.state == State::kBack; }
  bool over(const Block& block) const { return timed(block) && block.deadline <= now_; }

  void look(int index) {
    auto& m = model_;
    m.now_i = static_cast<uint16_t>(now_);
    m.timeout_i = static_cast<uint16_t>(timeout_);
    m.backoff_i = static_cast<uint16_t>(backoff_);
    m.index_i = static_cast<uint8_t>(index);
    m.eval();
    const Block& block = at(index);
    ASSERT_EQ(m.active_o != 0, block.state != State::kFree) << "block " << index;
    ASSERT_EQ(m.waits_o != 0, block.state == State::kWaits) << "block " << index;
    ASSERT_EQ(m.back_o != 0, block.state == State::kBack) << "block " << index;
    ASSERT_EQ(m.other_active_o != 0, at(index ^ 1).state != State::kFree) << "block " << index;
    if (timed(block)) {
      ASSERT_EQ(m.expired_o != 0, block.deadline <= now_) << "block " << index;
      ++seen_[over(block) ? "over" : "not over"];
    }
    if (block.value) {
      ASSERT_EQ(m.block_o, *block.value) << "block " << index;
    }
    uint32_t sending = 0;
    for (int i = 0; i < kBlocks; ++i) sending |= uint32_t{at(i).state == State::kSends} << i;
    ASSERT_EQ(m.sending_o, sending);
  }

  /// What is found was over before, stays until it is taken, and is found soon.
  void look_at_timer(const std::array<bool, kBlocks>& were_over) {
    auto& m = model_;
    if (found_) {
      ASSERT_TRUE(m.timer_valid_o);
      ASSERT_EQ(m.timer_index_o, found_index_);
    } else if (m.timer_valid_o) {
      found_index_ = m.timer_index_o;
      ASSERT_TRUE(were_over[found_index_]) << "block " << int{found_index_};
      ++seen_["found"];
    }
    found_ = m.timer_valid_o != 0;
    const bool any = std::any_of(blocks_.begin(), blocks_.end(), [&](const Block& block) { return over(block); });
    overdue_ = any && !found_ ? overdue_ + 1 : 0;
    ASSERT_LE(overdue_, 2 * kSweep) << "a block whose time is over is not found";
  }

  void change(int index) {
    auto& m = model_;
    Block& block = at(index);
    m.queued_i = chance(30);
    if (chance(5)) {
      m.clear_slot_i = 1;
      if (block.state == State::kSends || at(index ^ 1).state == State::kSends) ++seen_["cleared while it sends"];
      if (timed(block) || timed(at(index ^ 1))) ++seen_["cleared while it waits"];
      block.state = at(index ^ 1).state = State::kFree;
      return;
    }
    switch (draw(4)) {
      case 0:
        m.to_send_i = 1;
        block.state = State::kSends;
        break;
      case 1:
        m.to_wait_i = 1;
        block.state = State::kWaits;
        block.deadline = now_ + (m.queued_i ? std::min(8 * timeout_, 32767) : timeout_);
        break;
      case 2:
        m.to_back_i = 1;
        block.state = State::kBack;
        block.deadline = now_ + backoff_;
        break;
      default:
        m.to_free_i = 1;
        block.state = State::kFree;
    }
  }

  void cycle() {
    quiet();
    const bool take = found_ && chance(20);
    const int index = take ? found_index_ : draw(kBlocks);
    look(index);
    if (HasFatalFailure()) return;
    std::array<bool, kBlocks> were_over{};
    for (int i = 0; i < kBlocks; ++i) were_over[static_cast<size_t>(i)] = over(at(i));
    if (take) {
      model_.timer_taken_i = 1;
      found_ = false;
      // The block may have changed meanwhile; otherwise something becomes of it.
      if (over(at(index))) change(index);
    } else if (chance(5)) {
      change(index);
    }
    if (chance(30)) {
      model_.write_i = 1;
      const uint64_t value = (uint64_t{random_()} << 32 | random_()) & ((uint64_t{1} << 48) - 1);
      model_.block_i = value;
      at(index).value = value;
    }
    edge();
    if (take) {
      ASSERT_FALSE(model_.timer_valid_o);
    }
    look_at_timer(were_over);
    now_ += draw(4);
  }

  int64_t now_ = 0;
  int timeout_ = 0, backoff_ = 0;
  std::array<Block, kBlocks> blocks_;
  bool found_ = false;
  uint8_t found_index_ = 0;
  int overdue_ = 0;
};

TEST_F(RdmaBlockTable, KeepsStatesAndFindsWhatIsOver) {
  for (int round = 0; round < 24; ++round) {
    const bool large = round % 3 == 0;
    begin(large ? 1 + draw(32767) : 1 + draw(300), large ? 1 + draw(32767) : 1 + draw(300));
    for (int k = 0; k < 6000; ++k) {
      cycle();
      ASSERT_FALSE(HasFatalFailure()) << "cycle " << k << " of round " << round;
    }
  }
  EXPECT_GT(now_, 2 * 65536) << "time must come round";
  for (const char* what : {"over", "not over", "found", "cleared while it sends", "cleared while it waits"})
    EXPECT_GT(seen_[what], 200) << what;
}

TEST_F(RdmaBlockTable, EachBlockIsFoundAndThenTheRest) {
  begin(10, 20);
  for (int i = 0; i < kBlocks; ++i) {
    quiet();
    look(i);
    (i % 2 == 0 ? model_.to_wait_i : model_.to_back_i) = 1;
    at(i).state = i % 2 == 0 ? State::kWaits : State::kBack;
    at(i).deadline = now_ + (i % 2 == 0 ? 10 : 20);
    edge();
  }
  quiet();
  for (int k = 0; k < 2 * kSweep; ++k) edge();
  EXPECT_FALSE(model_.timer_valid_o) << "no time has passed";
  now_ += 20;
  std::array<int, kBlocks> found{};
  for (int n = 0; n < kBlocks; ++n) {
    int cycles = 0;
    quiet();
    look(0);
    while (!model_.timer_valid_o && cycles <= kSweep) {
      edge();
      ++cycles;
    }
    ASSERT_LE(cycles, kSweep);
    const int index = model_.timer_index_o;
    ++found[static_cast<size_t>(index)];
    look(index);
    model_.timer_taken_i = model_.to_free_i = 1;
    at(index).state = State::kFree;
    edge();
  }
  for (int i = 0; i < kBlocks; ++i) EXPECT_EQ(found[static_cast<size_t>(i)], 1) << "block " << i;
}

}  // namespace
}  // namespace fabrictwin::test
