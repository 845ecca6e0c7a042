// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/engine/sync_table.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>

namespace fabrictwin {
namespace {

class SyncTableTest : public ::testing::Test {
 protected:
  alignas(64) std::array<std::byte, 1024> memory_{};
  engine::SyncTable table_{
      memory_.data(), 2, {{10, 0, 1, Time::from_ns(5)}, {11, 1, 0, Time::from_ns(6)}, {12, 0, 1, Time::from_ns(7)}}};
};

TEST_F(SyncTableTest, ZeroedMemoryIsTheStart) {
  engine::PartitionSnapshot snapshot;
  ASSERT_TRUE(table_.read(0, snapshot));
  EXPECT_EQ(snapshot.now, Time::zero());
  EXPECT_EQ(snapshot.next_event, Time::zero());
  EXPECT_EQ(snapshot.consumed, std::vector<uint64_t>({0}));
  EXPECT_EQ(snapshot.sent, std::vector<uint64_t>({0, 0}));
}

TEST_F(SyncTableTest, KeepsWhatEachPartitionSays) {
  table_.publish(0, Time::from_ns(1), Time::never(), std::array<uint64_t, 1>{3}, std::array<uint64_t, 2>{4, 5});
  table_.publish(1, Time::from_ns(2), Time::from_ns(9), std::array<uint64_t, 2>{6, 7}, std::array<uint64_t, 1>{8});
  engine::PartitionSnapshot snapshot;
  ASSERT_TRUE(table_.read(0, snapshot));
  EXPECT_TRUE(snapshot.next_event.is_never());
  EXPECT_EQ(snapshot.sent, std::vector<uint64_t>({4, 5}));
  ASSERT_TRUE(table_.read(1, snapshot));
  EXPECT_EQ(snapshot.now, Time::from_ns(2));
  EXPECT_EQ(snapshot.consumed, std::vector<uint64_t>({6, 7}));
  EXPECT_EQ(table_.now(1), Time::from_ns(2));
}

TEST_F(SyncTableTest, ARunGoesOnWithItsForegroundWork) {
  using State = engine::Foreground::State;
  const auto tell = [&](int32_t partition, int64_t now_ns, const engine::Foreground& foreground) {
    table_.publish(partition, Time::from_ns(now_ns), Time::never(), {}, {}, foreground);
  };
  EXPECT_EQ(table_.runs_until(), Time::zero());
  EXPECT_FALSE(table_.foreground_over());
  tell(0, 9, {});
  EXPECT_EQ(table_.runs_until(), Time::zero()) << "it may have none";
  tell(0, 9, {.state = State::kRuns});
  EXPECT_EQ(table_.runs_until(), Time::from_ns(9));
  tell(1, 12, {.state = State::kOver, .end = Time::from_ns(5)});
  EXPECT_EQ(table_.runs_until(), Time::from_ns(9)) << "it has gone on, but did not wait for itself";
  EXPECT_FALSE(table_.foreground_over());
  tell(0, 20, {.state = State::kWaits, .moves = 3, .under_way = -1});
  EXPECT_EQ(table_.runs_until(), Time::from_ns(20));
  engine::PartitionSnapshot snapshot;
  ASSERT_TRUE(table_.read(0, snapshot));
  EXPECT_EQ(snapshot.foreground, (engine::Foreground{State::kWaits, Time::zero(), 3, -1}));
  tell(0, 20, {.state = State::kOver, .end = Time::from_ns(21)});
  EXPECT_EQ(table_.runs_until(), Time::from_ns(21));
  EXPECT_TRUE(table_.foreground_over());
}

TEST_F(SyncTableTest, ReadersNeverSeeHalfARow) {
  constexpr int64_t kWrites = 20'000;
  std::jthread writer([this] {
    for (int64_t i = 1; i <= kWrites; ++i) {
      const auto value = static_cast<uint64_t>(i);
      table_.publish(0, Time::from_fs(i), Time::from_fs(i), std::array<uint64_t, 1>{value},
                     std::array<uint64_t, 2>{value, value});
    }
  });
  engine::PartitionSnapshot snapshot;
  while (snapshot.now < Time::from_fs(kWrites)) {
    if (!table_.read(0, snapshot)) {
      std::this_thread::yield();
      continue;
    }
    const auto value = static_cast<uint64_t>(snapshot.now.fs());
    ASSERT_EQ(snapshot.next_event, snapshot.now);
    ASSERT_EQ(snapshot.consumed[0], value);
    ASSERT_EQ(snapshot.sent[1], value);
  }
}

}  // namespace
}  // namespace fabrictwin
