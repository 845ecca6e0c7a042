// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/support/partition_watch.h"

#include <gtest/gtest.h>

#include <atomic>
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
  cli::support::PartitionWatch watch([&] {
    run::RunLook look;
    const int number = ++looks;
    if (number == 3) enough.set_value();
    look.wall_seconds = number;
    look.waits_known = true;
    look.partitions.resize(2);
    look.partitions[0].waits_for = 1;
    return look;
  });
  enough.get_future().wait();
  const v1::PartitionTimeline timeline = watch.finish(plan_of_two(), {});
  EXPECT_GE(timeline.wall_end_seconds_size(), 4);
  EXPECT_EQ(timeline.wall_end_seconds(timeline.wall_end_seconds_size() - 1), looks.load()) << "one more at the end";
  ASSERT_EQ(timeline.waits_size(), 1);
  EXPECT_EQ(timeline.waits(0).wall_seconds(), looks.load());
}

TEST(PartitionWatchTest, OfARunThatIsShorterThanAPauseHasItsEnd) {
  cli::support::PartitionWatch watch([] {
    run::RunLook look;
    look.wall_seconds = 0.001;
    look.ended = true;
    look.partitions.resize(2);
    return look;
  });
  const v1::PartitionTimeline timeline = watch.finish(plan_of_two(), {});
  ASSERT_EQ(timeline.wall_end_seconds_size(), 1);
  EXPECT_EQ(timeline.wall_end_seconds(0), 0.001);
  ASSERT_EQ(timeline.rows_size(), 2);
  EXPECT_EQ(timeline.rows(1).partition(), "router[1]");
}

TEST(PartitionWatchTest, OfARunThatNeverBeganIsEmpty) {
  cli::support::PartitionWatch watch([] { return run::RunLook(); });
  EXPECT_EQ(watch.finish(plan_of_two(), {}).rows_size(), 0);
}

}  // namespace
}  // namespace fabrictwin
