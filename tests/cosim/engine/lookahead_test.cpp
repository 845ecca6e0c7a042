// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/engine/lookahead.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>

namespace fabrictwin {
namespace {

using Counts = std::vector<uint64_t>;

// Three partitions in a row: 0 <-> 1 <-> 2. Channels 0: 0->1, 1: 1->0, 2: 1->2, 3: 2->1.
class LookaheadTest : public ::testing::Test {
 protected:
  void say(int32_t partition, int64_t now_ns, Time next, const Counts& consumed, const Counts& sent) {
    table_.publish(partition, Time::from_ns(now_ns), next, consumed, sent);
  }
  static constexpr Time ns(int64_t count) { return Time::from_ns(count); }

  alignas(64) std::array<std::byte, 1024> memory_{};
  engine::SyncTable table_{
      memory_.data(), 3, {{0, 0, 1, ns(50)}, {1, 1, 0, ns(50)}, {2, 1, 2, ns(120)}, {3, 2, 1, ns(120)}}};
  engine::Lookahead lookahead_{table_};
};

TEST_F(LookaheadTest, AtTheStartOnlyTheLatencyIsKnown) {
  ASSERT_TRUE(lookahead_.update());
  EXPECT_EQ(lookahead_.arrival_bound(0), ns(50));
  EXPECT_EQ(lookahead_.arrival_bound(3), ns(120));
  EXPECT_FALSE(lookahead_.at_rest());
}

TEST_F(LookaheadTest, ACircleOfWaitingPartitionsJumpsToTheNextEvent) {
  say(0, 10, ns(1'000'000), {0}, {0});
  say(1, 20, Time::never(), {0, 0}, {0, 0});
  say(2, 30, Time::never(), {0}, {0});
  ASSERT_TRUE(lookahead_.update());
  EXPECT_EQ(lookahead_.arrival_bound(0), ns(1'000'050));
  EXPECT_EQ(lookahead_.arrival_bound(2), ns(1'000'170)) << "1 can only be woken by 0";
  EXPECT_EQ(lookahead_.arrival_bound(1), ns(1'000'100));
  EXPECT_EQ(lookahead_.arrival_bound(3), ns(1'000'290));
}

// Where work goes on in the background: foreground work that has nothing to do for long does not end before either.
TEST_F(LookaheadTest, ARunDoesNotEndBeforeItsForegroundActs) {
  using State = engine::Foreground::State;
  const auto tell = [&](int32_t partition, Time next, const Counts& two, engine::Foreground foreground) {
    const Counts one(partition == 1 ? 2 : 1);
    table_.publish(partition, ns(10), next, partition == 1 ? two : one, partition == 1 ? two : one, foreground);
  };
  ASSERT_TRUE(lookahead_.update());
  EXPECT_EQ(lookahead_.runs_until(), Time::zero()) << "nobody has told anything";
  tell(0, ns(30), {}, {.state = State::kOver, .end = ns(7)});
  tell(1, ns(500), {0, 0}, {.state = State::kRuns});
  tell(2, ns(900), {}, {.state = State::kOver});
  ASSERT_TRUE(lookahead_.update());
  EXPECT_EQ(lookahead_.runs_until(), ns(80)) << "partition 0 may make it act";
  EXPECT_EQ(table_.runs_until(), ns(10));
  tell(0, ns(600), {}, {.state = State::kOver, .end = ns(7)});
  ASSERT_TRUE(lookahead_.update());
  EXPECT_EQ(lookahead_.runs_until(), ns(500));
  tell(1, ns(700), {0, 0}, {.state = State::kOver, .end = ns(501)});
  ASSERT_TRUE(lookahead_.update());
  EXPECT_EQ(lookahead_.runs_until(), ns(501));
  EXPECT_EQ(table_.runs_until(), ns(501));
}

TEST_F(LookaheadTest, AnIdleNeighbourCannotAnswerBeforeBothLatencies) {
  say(0, 400, ns(400), {0}, {0});
  say(1, 20, Time::never(), {0, 0}, {0, 0});
  say(2, 30, Time::never(), {0}, {0});
  ASSERT_TRUE(lookahead_.update());
  EXPECT_EQ(lookahead_.arrival_bound(1), ns(500));
}

TEST_F(LookaheadTest, ARecordUnderWayHoldsItsReceiverWhereItStands) {
  say(0, 400, Time::never(), {0}, {1});
  say(1, 20, Time::never(), {0, 0}, {0, 0});
  say(2, 30, Time::never(), {0}, {0});
  ASSERT_TRUE(lookahead_.update());
  EXPECT_EQ(lookahead_.arrival_bound(1), ns(70)) << "1 has not taken the record: it may act from 20 ns on";
  EXPECT_EQ(lookahead_.arrival_bound(2), ns(140));
  say(1, 20, ns(90), {1, 0}, {0, 0});
  ASSERT_TRUE(lookahead_.update());
  EXPECT_EQ(lookahead_.arrival_bound(1), ns(140)) << "now the record is part of its next event";
}

TEST_F(LookaheadTest, AStaleRowIsStillSound) {
  // 1 has consumed what 0 sent after the row of 0 that we see.
  say(0, 10, ns(30), {0}, {0});
  say(1, 80, ns(95), {1, 0}, {0, 0});
  say(2, 0, Time::never(), {0}, {0});
  ASSERT_TRUE(lookahead_.update());
  EXPECT_EQ(lookahead_.arrival_bound(1), ns(130)) << "from 0's point of view, 1 may act at 80";
  EXPECT_EQ(lookahead_.sent(0), 0u);
}

TEST_F(LookaheadTest, ARowThatIsBeingWrittenLeavesTheBoundsAsTheyAre) {
  say(0, 10, ns(30), {0}, {0});
  say(1, 20, Time::never(), {0, 0}, {0, 0});
  say(2, 30, Time::never(), {0}, {0});
  ASSERT_TRUE(lookahead_.update());
  ASSERT_EQ(lookahead_.arrival_bound(0), ns(80));
  // A row begins with its version, which is odd while somebody writes.
  auto* version = reinterpret_cast<std::atomic<uint64_t>*>(memory_.data());
  say(0, 60, ns(70), {0}, {0});
  version->fetch_add(1);
  EXPECT_FALSE(lookahead_.update());
  EXPECT_EQ(lookahead_.arrival_bound(0), ns(80));
  version->fetch_add(1);
  EXPECT_TRUE(lookahead_.update());
  EXPECT_EQ(lookahead_.arrival_bound(0), ns(120));
}

TEST_F(LookaheadTest, NobodyCanActAnyMore) {
  say(0, 10, Time::never(), {2}, {1});
  say(1, 20, Time::never(), {1, 0}, {2, 0});
  say(2, 30, Time::never(), {0}, {0});
  ASSERT_TRUE(lookahead_.update());
  EXPECT_TRUE(lookahead_.at_rest());
  for (const int32_t partition : {0, 1, 2})
    EXPECT_EQ(lookahead_.waits_for(partition), engine::Lookahead::kNobody) << partition;
  EXPECT_TRUE(lookahead_.arrival_bound(1).is_never());
}

TEST_F(LookaheadTest, WhoHasNothingToDoWaitsForTheNeighbourWhoseRecordsMayComeFirst) {
  constexpr int32_t kNobody = engine::Lookahead::kNobody;
  say(0, 100, ns(100), {0}, {0});
  say(1, 150, ns(150), {0, 0}, {0, 0});
  say(2, 0, ns(10), {0}, {0});
  ASSERT_TRUE(lookahead_.update());
  EXPECT_EQ(lookahead_.waits_for(0), kNobody) << "1 may act from 130 ns on, which arrives at 180 ns";
  EXPECT_EQ(lookahead_.waits_for(1), 2) << "from 0 nothing comes before 150 ns, but from 2 it may come at 130 ns";
  EXPECT_EQ(lookahead_.waits_for(2), kNobody);

  say(2, 200, ns(200), {0}, {0});
  ASSERT_TRUE(lookahead_.update());
  EXPECT_EQ(lookahead_.waits_for(1), 0) << "what may come at 150 ns must be there before that is simulated";
  say(0, 101, ns(101), {0}, {0});
  ASSERT_TRUE(lookahead_.update());
  EXPECT_EQ(lookahead_.waits_for(1), kNobody);
}

TEST_F(LookaheadTest, WhoOnlyListensWaitsButNotWithARecordToTake) {
  say(0, 400, Time::never(), {0}, {0});
  say(1, 20, ns(500), {0, 0}, {0, 0});
  say(2, 30, Time::never(), {0}, {0});
  ASSERT_TRUE(lookahead_.update());
  EXPECT_EQ(lookahead_.waits_for(0), 1);
  EXPECT_EQ(lookahead_.waits_for(2), 1);
  EXPECT_EQ(lookahead_.waits_for(1), engine::Lookahead::kNobody) << "its own event is the next one of all";
  say(1, 20, ns(500), {0, 0}, {0, 1});
  ASSERT_TRUE(lookahead_.update());
  EXPECT_EQ(lookahead_.waits_for(2), engine::Lookahead::kNobody);
}

}  // namespace
}  // namespace fabrictwin
