// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/engine/deadlock_search.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace fabrictwin {
namespace {

using State = engine::Foreground::State;

class DeadlockSearchTest : public ::testing::Test {
 protected:
  DeadlockSearchTest() : memory_(engine::SyncTable::bytes(2, 0) + 64) {
    void* aligned = memory_.data();
    size_t space = memory_.size();
    std::align(64, engine::SyncTable::bytes(2, 0), aligned, space);
    table_ = std::make_unique<engine::SyncTable>(aligned, 2, std::vector<engine::SyncChannel>());
    search_ = std::make_unique<engine::DeadlockSearch>(*table_);
  }

  void tell(int32_t partition, State state, uint64_t moves = 0, int64_t under_way = 0) {
    table_->publish(partition, Time::zero(), Time::zero(), {}, {},
                    {.state = state, .moves = moves, .under_way = under_way});
  }

  std::vector<std::byte> memory_;
  std::unique_ptr<engine::SyncTable> table_;
  std::unique_ptr<engine::DeadlockSearch> search_;
};

TEST_F(DeadlockSearchTest, TwoEqualLooksAtWaitingWorkAreNeeded) {
  tell(0, State::kWaits, 3, 1);
  tell(1, State::kWaits, 5, -1);
  EXPECT_FALSE(search_->look());
  EXPECT_TRUE(search_->look());
  tell(1, State::kWaits, 7, -1);
  EXPECT_FALSE(search_->look()) << "something has moved";
  EXPECT_TRUE(search_->look());
}

TEST_F(DeadlockSearchTest, WorkThatIsOverWaitsForNothing) {
  tell(0, State::kOver);
  tell(1, State::kOver);
  EXPECT_FALSE(search_->look());
  EXPECT_FALSE(search_->look());
  tell(1, State::kWaits);
  EXPECT_FALSE(search_->look());
  EXPECT_TRUE(search_->look());
}

TEST_F(DeadlockSearchTest, AMessageOnItsWayAndWorkThatRunsAreHope) {
  for (const auto& [state, under_way] :
       std::vector<std::pair<State, int64_t>>{{State::kWaits, 1}, {State::kRuns, 0}, {State::kUnknown, 0}}) {
    tell(0, State::kWaits);
    tell(1, State::kWaits);
    EXPECT_FALSE(search_->look());
    tell(1, state, 0, under_way);
    EXPECT_FALSE(search_->look());
    EXPECT_FALSE(search_->look());
    tell(1, State::kWaits);
    EXPECT_FALSE(search_->look()) << "the looks before do not count";
    tell(1, State::kRuns);
    EXPECT_FALSE(search_->look());
  }
}

}  // namespace
}  // namespace fabrictwin
