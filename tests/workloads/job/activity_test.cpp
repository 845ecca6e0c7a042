// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What ranks of several processes did, put together.
#include "workloads/job/activity.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace fabrictwin::job {
namespace {

constexpr int32_t kRanks = 3;
constexpr auto kSend = static_cast<uint32_t>(v1::SEND);
constexpr auto kCompute = static_cast<uint32_t>(v1::COMPUTE);

Activity activity() {
  experiment::StatisticsSpec statistics;
  statistics.message_matrix = true;
  statistics.rank_timeline = true;
  return Activity(statistics, kRanks);
}

/// A rank that computes, and then sends 10 bytes to rank 0 until it ends.
v1::RankActivityPart rank_part(int32_t rank, int64_t end_fs) {
  v1::RankActivityPart part;
  part.set_rank(rank);
  part.set_end_fs(end_fs);
  for (int32_t cell = 0; cell < kRanks; ++cell) {
    part.add_cell_bytes(cell == 0 ? 10 : 0);
    part.add_cell_messages(cell == 0 ? 1 : 0);
  }
  part.mutable_state_fs()->Resize(static_cast<int>(trace::format::kActions), 0);
  part.set_state_fs(static_cast<int>(kCompute), end_fs / 2);
  for (const auto& [begin, state] : {std::pair{int64_t{0}, kCompute}, std::pair{end_fs / 2, kSend}}) {
    part.add_begin_fs(begin);
    part.add_state(state);
  }
  part.set_last_state(kSend);
  part.set_last_begin_fs(end_fs / 2);
  return part;
}

TEST(Activity, PartsInAnyOrderAreOneReport) {
  v1::ActivityPart parts;
  for (const int32_t rank : {2, 0, 1}) *parts.add_ranks() = rank_part(rank, 1000);
  ASSERT_TRUE(activity().fits(parts));
  v1::Report report;
  activity().report(parts, report);
  const v1::RankTimeline& timeline = report.rank_timeline();
  ASSERT_EQ(timeline.rows_size(), kRanks);
  for (int32_t rank = 0; rank < kRanks; ++rank) {
    const v1::RankRow& row = timeline.rows(rank);
    EXPECT_EQ(row.rank(), rank);
    ASSERT_EQ(row.ticks_size(), 2);
    EXPECT_EQ(row.ticks(0), timeline.ticks() / 2);
    EXPECT_EQ(row.ticks(1), timeline.ticks() / 2);
    EXPECT_EQ(report.message_matrix().bytes(kRanks * rank), 10u);
    EXPECT_EQ(report.message_matrix().bytes(kRanks * rank + 1), 0u);
  }
  ASSERT_EQ(timeline.times_size(), 2);
  EXPECT_DOUBLE_EQ(timeline.times(0).seconds(), 1.5e-12);
  EXPECT_DOUBLE_EQ(timeline.times(1).seconds(), 1.5e-12);
}

TEST(Activity, SegmentsBeyondTheEndHaveNoLength) {
  v1::ActivityPart parts;
  *parts.add_ranks() = rank_part(0, 1000);
  parts.mutable_ranks(0)->set_begin_fs(1, 5000);
  v1::Report report;
  activity().report(parts, report);
  ASSERT_EQ(report.rank_timeline().rows(0).ticks_size(), 1);
  EXPECT_EQ(report.rank_timeline().rows(0).ticks(0), report.rank_timeline().ticks());
}

TEST(Activity, PartsOfOtherJobsDoNotFit) {
  const std::vector<std::function<void(v1::RankActivityPart&)>> changes = {
      [](v1::RankActivityPart& part) { part.set_rank(kRanks); },
      [](v1::RankActivityPart& part) { part.set_rank(-1); },
      [](v1::RankActivityPart& part) { part.set_end_fs(-1); },
      [](v1::RankActivityPart& part) { part.add_cell_bytes(1); },
      [](v1::RankActivityPart& part) { part.clear_cell_messages(); },
      [](v1::RankActivityPart& part) { part.add_state(kSend); },
      [](v1::RankActivityPart& part) { part.set_state(0, 1000); },
      [](v1::RankActivityPart& part) { part.set_begin_fs(0, 900); },
      [](v1::RankActivityPart& part) { part.set_begin_fs(0, -1); },
      [](v1::RankActivityPart& part) { part.clear_state_fs(); },
      [](v1::RankActivityPart& part) { part.set_last_state(1000); },
  };
  for (size_t i = 0; i < changes.size(); ++i) {
    v1::ActivityPart parts;
    *parts.add_ranks() = rank_part(1, 1000);
    EXPECT_TRUE(activity().fits(parts));
    changes[i](*parts.mutable_ranks(0));
    EXPECT_FALSE(activity().fits(parts)) << i;
  }
}

}  // namespace
}  // namespace fabrictwin::job
