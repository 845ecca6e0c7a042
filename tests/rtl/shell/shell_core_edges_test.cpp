// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What arrives long before or after its edge, and what waits long before it is sent: queues of the shell have only the
// low bits of edges.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "tests/rtl/shell/shell_core_fixture.h"

namespace fabrictwin::test {
namespace {

TEST_F(ShellCore, TakesWhatIsFarAheadAtItsEdge) {
  begin(hertz(425'000'000), {hertz(300'000'000), hertz(150'000'000), hertz(425'000'000), hertz(156'250'000)}, {2, 1, 3},
        0);
  int64_t begin = 0;
  for (int window = 0; window < 30; ++window) {
    any_speeds();
    // The element is idle for most of the time, and comes to the arrivals edge by edge.
    int64_t end = begin + 200 + draw(chance(50) ? 70'000 : 10'000);
    if (chance(50)) {
      make_arrivals(begin, end, 15'000);
    } else {
      make_arrivals(end, end + 50, 3);
      end += 50 + draw(1000);
    }
    ASSERT_NO_FATAL_FAILURE(run_window(end));
    begin = end;
  }
  EXPECT_GT(events_, 1000);
}

// While nothing more leaves, the shell keeps what is there for a record with more.
TEST_F(ShellCore, KeepsTheEdgesOfWhatWaitsToBeSent) {
  // The element is busy for long, since a word waits for the slow link.
  begin(hertz(425'000'000), {hertz(425'000'000), hertz(5'000), hertz(425'000'000), hertz(425'000'000)}, {0, 1, 2}, 0);
  int64_t begin = 0;
  for (int window = 0; window < 12; ++window) {
    any_speeds();
    make_arrivals(begin, begin + 3, 2);
    const int64_t end = begin + 20'000 + draw(60'000);
    ASSERT_NO_FATAL_FAILURE(run_window(end));
    begin = end;
  }
  EXPECT_FALSE(reference_->idle());
}

TEST_F(ShellCore, TakesWhatIsLongPastAtOnce) {
  const Clock clock = hertz(100'000'000);
  begin(clock, {clock, clock, clock, clock}, {0, 1, 2}, 0, ShellCoreBench::kFree, 1, 1);
  for (int i = 0; i < 50'000; ++i) ASSERT_NO_FATAL_FAILURE(cycle());
  uint32_t late = bench_.model().late_o;
  for (const int64_t ahead : {10'000, -300, -4095, -4096, -4097, -16'384, -20'000, -32'768, -40'000}) {
    SCOPED_TRACE(ahead);
    Slot slot;
    slot.kind = Kind::kWords;
    slot.edge = static_cast<int64_t>(bench_.model().edge_o) + ahead;
    slot.count = 3;
    slot.delta = {127, 127};
    for (int i = 0; i < 3; ++i) {
      const CoreWord word = any_word(0, false, false);
      slot.set_word(i, word.data);
      reference_->left_credits[0].push_back({0, {}, {0, 1, 0}});
      reference_->left_words[1].push_back({0, word, {}});
    }
    std::vector<int64_t> sampled;
    bench_.on_execute = [&](int64_t edge, const CoreInputs& inputs) {
      if (inputs[0].word.has_value()) sampled.push_back(edge);
    };
    const auto pushed = static_cast<int64_t>(bench_.model().edge_o);
    ASSERT_NO_FATAL_FAILURE(push(slot));
    for (int i = 0; i < 12'000; ++i) ASSERT_NO_FATAL_FAILURE(cycle());
    EXPECT_TRUE(reference_->left_words[1].empty() && reference_->left_credits[0].empty());
    ASSERT_EQ(sampled.size(), 3u);
    if (ahead > 0) {
      EXPECT_EQ(sampled, (std::vector<int64_t>{slot.edge, slot.edge + 127, slot.edge + 254}));
    } else {
      EXPECT_LT(sampled.back(), pushed + 300);
      late += 3;
    }
    EXPECT_EQ(bench_.model().late_o, late);
  }
}

// A clock that does not wait may be far when the jump to edge 0 comes.
TEST_F(ShellCore, SendsWhatHasLeftBeforeAJump) {
  const Clock clock = hertz(100'000'000);
  for (int round = 0; round < 20; ++round) {
    speed_ = static_cast<unsigned>(5 + draw(40));
    begin_without_jump(clock, {clock, clock, clock, clock}, {0, 1, 2}, 0, ShellCoreBench::kFree, 1, 1);
    bench_.on_execute = nullptr;
    while (bench_.model().edge_o < 16'384) bench_.cycle();
    constexpr int kOwed = 24;
    for (int i = 0; i < kOwed; ++i) bench_.owe(0, {0, 1, 0});
    ASSERT_NO_FATAL_FAILURE(push(shell::jump_record(clock, word_clocks_, 0)));
    int credits = 0;
    for (int i = 0; credits < kOwed || bench_.board_consumed() != bench_.produced(); ++i) {
      ASSERT_LT(i, 20'000);
      bench_.cycle();
      const std::optional<Slot> slot = bench_.pop();
      bench_.tell_consumed();
      if (!slot.has_value() || slot->kind != Kind::kCredits) continue;
      EXPECT_LT(slot->edge, 20'000);
      credits += slot->count;
    }
    EXPECT_EQ(credits, kOwed);
    EXPECT_FALSE(bench_.model().record_error_o);
  }
}

}  // namespace
}  // namespace fabrictwin::test
