// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The shell between a memory with any delays and an element that sends back what it gets.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "tests/rtl/shell/shell_core_fixture.h"

namespace fabrictwin::test {
namespace {

// What nobody has asked for anything says that it is there, and nothing else as long as nothing happens.
TEST_F(ShellCore, SaysOnceThatItWaits) {
  const Clock clock = hertz(425'000'000);
  bench_.begin(clock, {clock, clock, clock, clock}, {0, 0, 0});
  std::vector<Slot> records;
  for (int i = 0; i < 1000; ++i) {
    bench_.cycle();
    while (const std::optional<Slot> slot = bench_.pop()) records.push_back(*slot);
    bench_.tell_consumed();
  }
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].kind, Kind::kStatus);
  EXPECT_EQ(records[0].flags, shell::kIdle | shell::kSettled);
  EXPECT_EQ(records[0].edge, 0);
}

TEST_F(ShellCore, KeepsTheTimeOfAGatedElement) {
  const ShellCoreBench::WordClocks words{hertz(300'000'000), hertz(150'000'000), hertz(425'000'000),
                                         hertz(156'250'000)};
  begin(hertz(425'000'000), words, {2, 1, 3}, 0);
  ASSERT_NO_FATAL_FAILURE(run_windows(200));
  EXPECT_GT(jumps_, 20);
  EXPECT_GT(events_, 3000);
  EXPECT_GT(unsettled_, 20);
  EXPECT_GT(full_records_, 500);
  EXPECT_GT(shared_credits_, 500);
  // Another run, late in the life of a system; it is broken off in the middle of a window.
  begin(hertz(156'250'000), {hertz(156'250'000), hertz(155'000'003), hertz(1'000'000), hertz(425'000)}, {0, 1, 3},
        int64_t{1} << 40);
  ASSERT_NO_FATAL_FAILURE(run_windows(200));
  make_arrivals(reference_->edge_, reference_->edge_ + 100, 3);
  reference_->run_until(reference_->edge_ + 100);
  ASSERT_NO_FATAL_FAILURE(send_arrivals());
  bench_.model().enable_i = 0;
  for (int i = 0; i < 1000 || !bench_.model().quiet_o; ++i) {
    ASSERT_LT(i, 2000);
    bench_.cycle();
  }
  arriving_words_ = {};
  arriving_credits_ = {};
  begin(hertz(1'000'000'000), {hertz(999'999'937), hertz(1'000'000'000), hertz(7), hertz(500'000'000)}, {1, 0, 3}, 7);
  ASSERT_NO_FATAL_FAILURE(run_windows(200));
}

TEST_F(ShellCore, RefusesWhatIsNoRecord) {
  using Change = void (*)(Slot&);
  const std::vector<std::pair<const char*, Change>> changes = {
      {"unknown kind", [](Slot& slot) { slot.kind = static_cast<Kind>(4); }},
      {"kind of the other direction", [](Slot& slot) { slot.kind = Kind::kStatus; }},
      {"no kind", [](Slot& slot) { slot.kind = static_cast<Kind>(0); }},
      {"unknown port", [](Slot& slot) { slot.port = kCorePorts; }},
      {"port that is another one modulo 2^8", [](Slot& slot) { slot.port = 256; }},
      {"no word", [](Slot& slot) { slot.count = 0; }},
      {"four words", [](Slot& slot) { slot.count = 4; }},
      {"255 words", [](Slot& slot) { slot.count = 255; }},
      {"credits of an unknown port",
       [](Slot& slot) {
         slot.kind = Kind::kCredits;
         slot.port = 1u << 31;
       }},
      {"no credits",
       [](Slot& slot) {
         slot.kind = Kind::kCredits;
         slot.count = 0;
       }},
      {"too many credits",
       [](Slot& slot) {
         slot.kind = Kind::kCredits;
         slot.count = shell::kCreditEntries + 1;
       }},
      {"a VC that does not exist", [](Slot& slot) { slot.vc = 1 << kCoreVcBits; }},
      {"no route",
       [](Slot& slot) {
         slot.kind = Kind::kRoutes;
         slot.count = 0;
       }},
      {"too many routes",
       [](Slot& slot) {
         slot.kind = Kind::kRoutes;
         slot.count = 49;
       }},
  };
  const Clock clock = hertz(100'000'000);
  for (const auto& [what, change] : changes) {
    SCOPED_TRACE(what);
    begin(clock, {clock, clock, clock, clock}, {0, 0, 0}, 0);
    Slot slot;
    slot.kind = Kind::kWords;
    slot.edge = 30;
    slot.count = 1;
    change(slot);
    ASSERT_NO_FATAL_FAILURE(push(slot));
    send_limit(100);
    for (int i = 0; i < 300; ++i) bench_.cycle();
    EXPECT_TRUE(bench_.model().record_error_o);
    EXPECT_EQ(executed_edges_, 0u);
    EXPECT_TRUE(bench_.routes.empty());
    // What follows is not read any more.
    EXPECT_TRUE(bench_.model().quiet_o);
    EXPECT_LE(bench_.model().edge_o, 30u);
  }
}

TEST_F(ShellCore, RefusesJumpsAndRoutesWhileTheElementIsBusy) {
  hunger_ = 0;
  const Clock clock = hertz(100'000'000);
  const Clock slow = hertz(100'000);
  for (const bool jump : {true, false}) {
    begin(clock, {slow, slow, slow, slow}, {0, 0, 0}, 0);
    // The second word has to wait for its link.
    Slot slot;
    slot.kind = Kind::kWords;
    slot.edge = 5;
    slot.count = 2;
    slot.delta[0] = 1;
    ASSERT_NO_FATAL_FAILURE(push(slot));
    send_limit(20);
    for (int i = 0; i < 300; ++i) bench_.cycle();
    EXPECT_FALSE(bench_.model().record_error_o);
    EXPECT_EQ(bench_.model().edge_o, 20u);
    Slot next = shell::jump_record(clock, word_clocks_, 60);
    if (!jump) {
      next.kind = Kind::kRoutes;
      next.count = 1;
    }
    ASSERT_NO_FATAL_FAILURE(push(next));
    for (int i = 0; i < 300; ++i) bench_.cycle();
    EXPECT_TRUE(bench_.model().record_error_o);
    EXPECT_EQ(bench_.model().edge_o, 20u);
    EXPECT_TRUE(bench_.routes.empty());
  }
}

TEST_F(ShellCore, WritesRoutesOneByOne) {
  const Clock clock = hertz(100'000'000);
  // A clock that would go on if routes were a limit.
  begin(clock, {clock, clock, clock, clock}, {0, 0, 0}, 0, ShellCoreBench::kPaced, 1, 1);
  std::vector<std::array<int, 3>> expected;
  for (const int count : {1, 48, 7}) {
    Slot slot;
    slot.kind = Kind::kRoutes;
    slot.port = 2;
    slot.edge = 900 + count;
    slot.count = static_cast<uint8_t>(count);
    for (int i = 0; i < count; ++i) {
      const auto entry = static_cast<uint8_t>(random_());
      slot.words[static_cast<size_t>(i / 8)] |= uint64_t{entry} << (8 * (i % 8));
      expected.push_back({2, 900 + count + i, entry});
    }
    ASSERT_NO_FATAL_FAILURE(push(slot));
  }
  for (int i = 0; i < 300; ++i) bench_.cycle();
  EXPECT_EQ(bench_.routes, expected);
  EXPECT_FALSE(bench_.model().record_error_o);
  EXPECT_EQ(bench_.model().edge_o, 0u) << "routes are no limit";
}

TEST_F(ShellCore, SaysThatTheBusIsBroken) {
  const Clock clock = hertz(100'000'000);
  for (const bool read : {true, false}) {
    begin(clock, {clock, clock, clock, clock}, {0, 0, 0}, 0);
    if (read) {
      bench_.model().to_board_base_i = 0x10000;
    } else {
      bench_.model().from_board_base_i = 0x10000;
    }
    for (int i = 0; i < 200; ++i) bench_.cycle();
    EXPECT_TRUE(bench_.model().bus_error_o);
    // The other half lives until it is stopped.
    bench_.model().enable_i = 0;
    for (int i = 0; i < 100; ++i) bench_.cycle();
    EXPECT_TRUE(bench_.model().quiet_o);
    EXPECT_TRUE(bench_.model().bus_error_o);
  }
  // The next run is whole.
  begin(clock, {clock, clock, clock, clock}, {0, 0, 0}, 0);
  ASSERT_NO_FATAL_FAILURE(run_windows(10));
}

TEST_F(ShellCore, PacesAnElementAndKeepsItsTime) {
  begin(hertz(100'000'000), {hertz(100'000'000), hertz(90'000'000), hertz(70'000'000), hertz(1'000'000)}, {1, 2, 0}, 0,
        ShellCoreBench::kPaced, 3, 16);
  int64_t cycles = 0;
  int64_t begin = 0;
  for (int window = 0; window < 60; ++window) {
    const int64_t end = begin + 500;
    make_arrivals(begin, end, 20);
    reference_->run_until(end);
    ASSERT_NO_FATAL_FAILURE(send_arrivals());
    send_limit(end);
    // The agent is ahead of the element, which has so many edges in so many cycles.
    while (static_cast<int64_t>(bench_.model().edge_o) < end) {
      ASSERT_NO_FATAL_FAILURE(cycle());
      ASSERT_LT(++cycles, 400'000);
    }
    begin = end;
  }
  for (int i = 0; i < 500; ++i) ASSERT_NO_FATAL_FAILURE(cycle());
  for (size_t p = 0; p < kCorePorts; ++p)
    EXPECT_TRUE(reference_->left_words[p].empty() && reference_->left_credits[p].empty());
  EXPECT_EQ(executed_edges_, reference_->executed);
  EXPECT_GT(statuses_, 20);
}

// Statuses of a paced element that has nothing to say come by its edges, and not by the cycles of the shell.
TEST_F(ShellCore, APacedElementTellsOfItselfEvery256Edges) {
  const Clock clock = hertz(100'000'000);
  begin(clock, {clock, clock, clock, clock}, {0, 0, 0}, 0, ShellCoreBench::kPaced, 1, 4);
  send_limit(100'000);
  while (bench_.model().edge_o < 64) ASSERT_NO_FATAL_FAILURE(cycle());
  statuses_ = 0;
  const auto first = static_cast<int64_t>(bench_.model().edge_o);
  while (static_cast<int64_t>(bench_.model().edge_o) < first + 10 * 260) ASSERT_NO_FATAL_FAILURE(cycle());
  EXPECT_GE(statuses_, 9);
  EXPECT_LE(statuses_, 11);
}

// Limits may follow each other while the status of the one before is still being written.
TEST_F(ShellCore, AFreeElementTellsOnceThatItHasComeToALimit) {
  const Clock clock = hertz(100'000'000);
  begin(clock, {clock, clock, clock, clock}, {0, 0, 0}, 0, ShellCoreBench::kFree, 1, 4);
  for (int i = 0; i < 100; ++i) ASSERT_NO_FATAL_FAILURE(cycle());
  for (int round = 0; round < 100; ++round) {
    speed_ = static_cast<unsigned>(20 + draw(81));
    statuses_ = 0;
    int64_t limit = static_cast<int64_t>(bench_.model().edge_o) + 20 + draw(30);
    ASSERT_NO_FATAL_FAILURE(send_limit(limit));
    if (chance(50)) {
      limit += draw(4);
      while (chance(90) && static_cast<int64_t>(bench_.model().edge_o) < limit) ASSERT_NO_FATAL_FAILURE(cycle());
      ASSERT_NO_FATAL_FAILURE(send_limit(limit));
    }
    while (static_cast<int64_t>(bench_.model().edge_o) < limit + 50) ASSERT_NO_FATAL_FAILURE(cycle());
    EXPECT_GE(status_.edge, limit) << "in round " << round;
    EXPECT_LE(statuses_, 3) << "in round " << round;
  }
}

TEST_F(ShellCore, LetsAFreeElementRunAndCountsWhatIsLate) {
  const Clock clock = hertz(100'000'000);
  begin(clock, {clock, clock, clock, clock}, {0, 1, 2}, 0, ShellCoreBench::kFree, 1, 4);
  const int64_t before = static_cast<int64_t>(bench_.model().edge_o);
  for (int i = 0; i < 4 * 1000; ++i) ASSERT_NO_FATAL_FAILURE(cycle());
  EXPECT_NEAR(static_cast<double>(static_cast<int64_t>(bench_.model().edge_o) - before), 1000.0, 2.0);
  EXPECT_EQ(bench_.model().late_o, 0u);
  EXPECT_EQ(executed_edges_, 0u) << "there is nothing to do";
  // In time, and long past.
  for (const int ahead : {200, -200}) {
    Slot slot;
    slot.kind = Kind::kWords;
    slot.edge = static_cast<int64_t>(bench_.model().edge_o) + ahead;
    slot.count = 1;
    const CoreWord word = any_word(0, false, false);
    slot.set_word(0, word.data);
    reference_->left_credits[0].push_back({0, {}, {0, 1, 0}});
    reference_->left_words[1].push_back({0, word, {}});
    int64_t sampled = -1;
    bench_.on_execute = [&](int64_t edge, const CoreInputs& inputs) {
      if (inputs[0].word.has_value()) sampled = edge;
    };
    push(slot);
    const int64_t pushed = static_cast<int64_t>(bench_.model().edge_o);
    for (int i = 0; i < 4 * 400; ++i) ASSERT_NO_FATAL_FAILURE(cycle());
    EXPECT_TRUE(reference_->left_words[1].empty() && reference_->left_credits[0].empty());
    if (ahead > 0) {
      EXPECT_EQ(sampled, slot.edge);
    } else {
      EXPECT_GE(sampled, pushed);
    }
    EXPECT_EQ(bench_.model().late_o, ahead > 0 ? 0u : 1u);
  }
  EXPECT_GT(statuses_, 4);
  EXPECT_EQ(status_.words[1] >> 32, 1u);
}

}  // namespace
}  // namespace fabrictwin::test
