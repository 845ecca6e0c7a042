// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/protocol/sync_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <vector>

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

class SyncRowsTest : public ::testing::Test {
 protected:
  /// What partition 1 says after `before_`.
  SyncRowsTest() {
    before_ = {Time::from_fs(100), Time::from_fs(150), {3, 4}, {5}};
    row_.set_partition(1);
    row_.set_now_fs(100);
    row_.set_next_event_fs(120);
    for (const uint64_t count : {3, 5}) row_.add_consumed(count);
    row_.add_sent(5);
  }
  std::string error() const {
    const absl::Status status = bridges::protocol::check_row("worker:unix", table_, {1}, row_, before_);
    if (status.ok()) return "";
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    return std::string(status.message());
  }

  alignas(64) std::array<std::byte, 1024> memory_{};
  engine::SyncTable table_{
      memory_.data(), 2, {{10, 0, 1, Time::from_ns(5)}, {11, 1, 0, Time::from_ns(6)}, {12, 0, 1, Time::from_ns(7)}}};
  engine::PartitionSnapshot before_;
  v1::SyncRow row_;
};

TEST_F(SyncRowsTest, ARowGoesOnWhereTheOneBeforeWas) {
  EXPECT_EQ(error(), "") << "the next event may come nearer: something has arrived";
  const engine::PartitionSnapshot snapshot = bridges::protocol::to_snapshot(row_);
  EXPECT_EQ(snapshot.now, Time::from_fs(100));
  EXPECT_EQ(snapshot.next_event, Time::from_fs(120));
  EXPECT_EQ(snapshot.consumed, (std::vector<uint64_t>{3, 5}));
  EXPECT_EQ(snapshot.sent, std::vector<uint64_t>{5});
  row_.set_next_event_fs(0);
  EXPECT_EQ(error(), "") << "an event that is overdue";
}

TEST_F(SyncRowsTest, TimesNeverGoBack) {
  row_.set_now_fs(99);
  EXPECT_THAT(error(), HasSubstr("worker:unix: protocol error: the row of partition 1 has a time that goes backwards"));
  row_.set_now_fs(100);
  row_.set_next_event_fs(-1);
  EXPECT_THAT(error(), HasSubstr("has a time that goes backwards"));
}

TEST_F(SyncRowsTest, CountsNeverGoBack) {
  row_.set_consumed(1, 3);
  EXPECT_THAT(error(), HasSubstr("has a count that goes backwards"));
  row_.set_consumed(1, 4);
  EXPECT_EQ(error(), "");
  row_.set_sent(0, 4);
  EXPECT_THAT(error(), HasSubstr("has a count that goes backwards"));
}

TEST_F(SyncRowsTest, ARowIsOfItsTellerAndCountsItsChannels) {
  row_.add_sent(1);
  EXPECT_THAT(error(), HasSubstr("counts 2 inbound and 2 outbound channels instead of 2 and 1"));
  row_.mutable_sent()->RemoveLast();
  row_.mutable_consumed()->RemoveLast();
  EXPECT_THAT(error(), HasSubstr("counts 1 inbound and 1 outbound channels instead of 2 and 1"));
  row_.set_partition(0);
  EXPECT_THAT(error(), HasSubstr("the row of partition 0 is not its to tell"));
}

TEST_F(SyncRowsTest, WorkThatIsOverStaysSo) {
  using State = engine::Foreground::State;
  EXPECT_EQ(bridges::protocol::to_snapshot(row_).foreground.state, State::kOver) << "there is none";
  before_.foreground = {.state = State::kRuns, .moves = 4};
  v1::ForegroundRow& foreground = *row_.mutable_foreground();
  foreground.set_waits(true);
  foreground.set_moves(5);
  foreground.set_under_way(-2);
  EXPECT_EQ(error(), "");
  EXPECT_EQ(bridges::protocol::to_snapshot(row_).foreground, (engine::Foreground{State::kWaits, Time::zero(), 5, -2}));
  foreground.set_moves(3);
  EXPECT_THAT(error(), HasSubstr("an end or a count of work that cannot be"));
  foreground.set_moves(4);
  foreground.set_end_fs(-1);
  EXPECT_THAT(error(), HasSubstr("an end or a count of work that cannot be"));
  foreground.set_end_fs(0);
  foreground.set_under_way(std::numeric_limits<int64_t>::min());
  EXPECT_THAT(error(), HasSubstr("an end or a count of work that cannot be"));
  foreground.set_under_way(-2);
  foreground.set_end_fs(Time::never().fs());
  EXPECT_THAT(error(), HasSubstr("an end or a count of work that cannot be"));
  foreground.set_over(true);
  foreground.set_end_fs(70);
  EXPECT_EQ(error(), "");
  before_.foreground = {State::kOver, Time::from_fs(70), 4, 0};
  EXPECT_EQ(error(), "");
  foreground.set_end_fs(71);
  EXPECT_THAT(error(), HasSubstr("tells of work that goes on after its end"));
  foreground.set_end_fs(70);
  foreground.set_over(false);
  EXPECT_THAT(error(), HasSubstr("tells of work that goes on after its end"));
}

TEST_F(SyncRowsTest, WorkInTheBackgroundIsNews) {
  using State = engine::Foreground::State;
  bridges::protocol::RowWriter writer(table_, {0});
  const auto written = [&](const engine::Foreground& foreground) {
    table_.publish(0, Time::zero(), Time::zero(), std::array<uint64_t, 1>{}, std::array<uint64_t, 2>{}, foreground);
    v1::RunResponse response;
    writer.write(response);
    return response;
  };
  EXPECT_FALSE(written({}).rows(0).has_foreground());
  const engine::Foreground over{State::kOver, Time::from_ns(3), 8, 1};
  const v1::RunResponse news = written(over);
  ASSERT_EQ(news.rows_size(), 1);
  EXPECT_EQ(bridges::protocol::to_snapshot(news.rows(0)).foreground, over);
  EXPECT_EQ(written(over).rows_size(), 0);
}

TEST_F(SyncRowsTest, OnlyNewsIsWritten) {
  bridges::protocol::RowWriter writer(table_, {1, 0});
  EXPECT_TRUE(writer.changed());
  v1::RunResponse first;
  writer.write(first);
  ASSERT_EQ(first.rows_size(), 2) << "what was never told is news";
  EXPECT_EQ(first.rows(0).partition(), 1);
  EXPECT_EQ(first.rows(0).consumed_size(), 2);
  EXPECT_EQ(first.rows(1).sent_size(), 2);
  EXPECT_FALSE(writer.changed());
  table_.publish(0, Time::from_ns(1), Time::never(), std::array<uint64_t, 1>{3}, std::array<uint64_t, 2>{4, 5});
  EXPECT_TRUE(writer.changed());
  v1::RunResponse second;
  writer.write(second);
  ASSERT_EQ(second.rows_size(), 1);
  EXPECT_EQ(second.rows(0).partition(), 0);
  EXPECT_EQ(second.rows(0).now_fs(), Time::from_ns(1).fs());
  EXPECT_EQ(second.rows(0).next_event_fs(), Time::never().fs());
  EXPECT_EQ(second.rows(0).consumed(0), 3u);
  EXPECT_EQ(second.rows(0).sent(1), 5u);
  EXPECT_EQ(writer.rows()[1].sent, (std::vector<uint64_t>{4, 5}));
  // Any of its numbers is news.
  const auto publish = [&](int64_t now, int64_t next, uint64_t consumed, uint64_t sent) {
    table_.publish(0, Time::from_ns(now), Time::from_ns(next), std::array<uint64_t, 1>{consumed},
                   std::array<uint64_t, 2>{4, sent});
    const bool changed = writer.changed();
    v1::RunResponse response;
    writer.write(response);
    EXPECT_EQ(changed, response.rows_size() == 1);
    return changed;
  };
  EXPECT_TRUE(publish(1, 9, 3, 5));
  EXPECT_TRUE(publish(1, 9, 3, 6));
  EXPECT_TRUE(publish(1, 9, 4, 6));
  EXPECT_TRUE(publish(2, 9, 4, 6));
  EXPECT_FALSE(publish(2, 9, 4, 6));
}

}  // namespace
}  // namespace fabrictwin
