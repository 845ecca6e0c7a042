// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/support/partition_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <future>

namespace fabrictwin {
namespace {

system::Plan plan_of_two() {
  system::Plan plan;
  plan.places.resize(1);
  plan.partitions.resize(2);
  plan.partitions[0].name = "models";
  plan.partitions[1].name = "router[1]";
  return plan;
}

TEST(PartitionWatchTest, LooksUntilTheEnd) {
  std::atomic<int> looks{0};
  std::promise<void> enough;
  const auto look = [&] {
    run::RunLook look;
    const int number = ++looks;
    if (number == 3) enough.set_value();
    look.wall_seconds = number;
    look.waits_known = true;
    look.partitions.resize(2);
    look.partitions[0].waits_for = 1;
    return look;
  };
  cli::support::PartitionWatch watch(look, look);
  enough.get_future().wait();
  const v1::PartitionTimeline timeline = watch.finish(plan_of_two());
  EXPECT_GE(timeline.wall_end_seconds_size(), 4);
  EXPECT_EQ(timeline.wall_end_seconds(timeline.wall_end_seconds_size() - 1), looks.load()) << "one more at the end";
  ASSERT_EQ(timeline.waits_size(), 1);
  EXPECT_EQ(timeline.waits(0).wall_seconds(), looks.load());
}

TEST(PartitionWatchTest, AsksWithTheFirstLookAndAtTheEnd) {
  std::atomic<int> looks{0};
  std::atomic<int> asked{0};
  std::promise<void> enough;
  const auto look = [&] {
    run::RunLook look;
    // The run begins with the second look, and as nobody was asked before, that one asks.
    const int number = ++looks;
    if (number == 1) return look;
    if (number == 4) enough.set_value();
    look.wall_seconds = 0.01 * number;
    look.partitions.resize(2);
    return look;
  };
  cli::support::PartitionWatch watch(look, [&] {
    run::RunLook answer = look();
    if (answer.partitions.empty()) return answer;
    ++asked;
    answer.partitions[1].busy_ns = static_cast<uint64_t>(answer.wall_seconds * 0.5e9);
    return answer;
  });
  enough.get_future().wait();
  EXPECT_GE(asked.load(), 1);
  const v1::PartitionTimeline timeline = watch.finish(plan_of_two());
  EXPECT_LT(asked.load(), looks.load()) << "looks between do not ask";
  ASSERT_EQ(timeline.rows_size(), 2);
  EXPECT_TRUE(timeline.rows(0).spread());
  EXPECT_FALSE(timeline.rows(1).spread());
  EXPECT_THAT(timeline.rows(1).busy_permille(), testing::Each(500u));
}

TEST(PartitionWatchTest, OfARunThatIsShorterThanAPauseHasItsEnd) {
  const auto look = [] {
    run::RunLook look;
    look.wall_seconds = 0.001;
    look.ended = true;
    look.partitions.resize(2);
    return look;
  };
  cli::support::PartitionWatch watch(look, look);
  const v1::PartitionTimeline timeline = watch.finish(plan_of_two());
  ASSERT_EQ(timeline.wall_end_seconds_size(), 1);
  EXPECT_EQ(timeline.wall_end_seconds(0), 0.001);
  ASSERT_EQ(timeline.rows_size(), 2);
  EXPECT_EQ(timeline.rows(1).partition(), "router[1]");
}

TEST(PartitionWatchTest, OfARunThatNeverBeganIsEmpty) {
  cli::support::PartitionWatch watch([] { return run::RunLook(); }, [] { return run::RunLook(); });
  EXPECT_EQ(watch.finish(plan_of_two()).rows_size(), 0);
}

}  // namespace
}  // namespace fabrictwin
