// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/protocol/rank_activity.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "tests/workloads/mpi/test_network.h"

namespace fabrictwin {
namespace {

using mpi::protocol::RankActivity;

std::vector<std::pair<Time, v1::TraceAction>> segments_of(const RankActivity& activity) {
  std::vector<std::pair<Time, v1::TraceAction>> segments;
  for (const RankActivity::Segment& segment : activity.segments()) segments.emplace_back(segment.begin, segment.state);
  return segments;
}

TEST(RankActivity, AddsUpMessagesInCells) {
  RankActivity activity({.first_rank = 2, .ranks = 10, .cells = 5});
  activity.sent(0, 100);  // Rank 2 of all.
  activity.sent(1, 10);   // Rank 3.
  activity.sent(7, 1);    // Rank 9.
  ASSERT_EQ(activity.cells().size(), 5u);
  EXPECT_EQ(activity.cells()[1].bytes, 110u);
  EXPECT_EQ(activity.cells()[1].messages, 2u);
  EXPECT_EQ(activity.cells()[4].bytes, 1u);
  RankActivity none({.ranks = 10});
  none.sent(3, 1);
  EXPECT_TRUE(none.cells().empty());
}

TEST(RankActivity, KeepsChangesOfStateThatTookTime) {
  RankActivity activity({.ranks = 1, .most_segments = 8});
  activity.enter(Time::zero(), v1::COMPUTE);
  activity.enter(Time::from_ns(5), v1::SEND);
  activity.enter(Time::from_ns(5), v1::RECV);
  activity.enter(Time::from_ns(7), v1::RECV);
  activity.enter(Time::from_ns(9), v1::SEND);
  activity.enter(Time::from_ns(9), v1::RECV);
  activity.enter(Time::from_ns(12), v1::TRACE_ACTION_UNSPECIFIED);
  using Segments = std::vector<std::pair<Time, v1::TraceAction>>;
  EXPECT_EQ(segments_of(activity), (Segments{{Time::zero(), v1::COMPUTE},
                                             {Time::from_ns(5), v1::RECV},
                                             {Time::from_ns(12), v1::TRACE_ACTION_UNSPECIFIED}}));
  EXPECT_FALSE(activity.condensed());
  const auto times = activity.times(Time::from_ns(20));
  EXPECT_EQ(times[v1::COMPUTE], Time::from_ns(5));
  EXPECT_EQ(times[v1::SEND], Time::zero());
  EXPECT_EQ(times[v1::RECV], Time::from_ns(7));
  EXPECT_EQ(times[v1::TRACE_ACTION_UNSPECIFIED], Time::from_ns(8));
}

// Three quarters of computing, in pieces that are much too short to be kept.
TEST(RankActivity, TooManyChangesKeepTheirShares) {
  RankActivity activity({.ranks = 1, .most_segments = 64});
  constexpr int64_t kRounds = 10'000;
  for (int64_t i = 0; i < kRounds; ++i) {
    activity.enter(Time::from_ns(4 * i), v1::COMPUTE);
    activity.enter(Time::from_ns(4 * i + 3), v1::RECV);
    ASSERT_LE(activity.segments().size(), 64u);
  }
  EXPECT_TRUE(activity.condensed());
  const Time end = Time::from_ns(4 * kRounds);
  const auto exact = activity.times(end);
  EXPECT_EQ(exact[v1::COMPUTE], Time::from_ns(3 * kRounds));
  EXPECT_EQ(exact[v1::RECV], Time::from_ns(kRounds));
  Time shown;
  Time before = Time::from_fs(-1);
  for (size_t i = 0; i < activity.segments().size(); ++i) {
    const RankActivity::Segment& segment = activity.segments()[i];
    EXPECT_GT(segment.begin, before);
    before = segment.begin;
    const Time until = i + 1 < activity.segments().size() ? activity.segments()[i + 1].begin : end;
    if (segment.state == v1::RECV) shown += until - segment.begin;
  }
  EXPECT_NEAR(shown.seconds() / end.seconds(), 0.25, 0.06);
}

TEST(RankActivity, AnEngineTellsWhatItsRankDoes) {
  TestNetwork network(
      {{compute_for(Time::from_us(10)), message(v1::SEND, 1, 5, 1000)}, {message(v1::RECV, 0, 5, 1000)}}, {});
  for (const size_t rank : {0, 1}) {
    network.engine(rank).follow(
        std::make_unique<RankActivity>(RankActivity::Options{.ranks = 2, .cells = 2, .most_segments = 8}));
  }
  ASSERT_TRUE(network.run());
  using Segments = std::vector<std::pair<Time, v1::TraceAction>>;
  const Time sent = network.engine(0).finish_time();
  const Time received = network.engine(1).finish_time();
  EXPECT_EQ(
      segments_of(*network.engine(0).activity()),
      (Segments{{Time::zero(), v1::COMPUTE}, {Time::from_us(10), v1::SEND}, {sent, v1::TRACE_ACTION_UNSPECIFIED}}));
  EXPECT_EQ(segments_of(*network.engine(1).activity()),
            (Segments{{Time::zero(), v1::RECV}, {received, v1::TRACE_ACTION_UNSPECIFIED}}));
  EXPECT_EQ(network.engine(0).activity()->cells()[1].bytes, 1000u);
  EXPECT_EQ(network.engine(0).activity()->cells()[1].messages, 1u) << "control messages are not user messages";
  EXPECT_EQ(network.engine(1).activity()->cells()[0].messages, 0u);
}

}  // namespace
}  // namespace fabrictwin
