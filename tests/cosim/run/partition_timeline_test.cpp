// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/partition_timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fabrictwin {
namespace {

using run::PartitionTimeline;
using ::testing::Each;
using ::testing::ElementsAre;

constexpr int32_t kNobody = engine::Lookahead::kNobody;

/// The busy time of a partition in milliseconds, nullopt in another process, and for whom it waits.
using Seen = std::pair<std::optional<uint64_t>, int32_t>;

run::RunLook look(double milliseconds, const std::vector<Seen>& seen) {
  run::RunLook look;
  look.wall_seconds = milliseconds * 1e-3;
  look.waits_known = true;
  for (const auto& [busy, waits_for] : seen) {
    run::PartitionLook& partition = look.partitions.emplace_back();
    if (busy.has_value()) partition.busy_ns = *busy * 1'000'000;
    partition.waits_for = waits_for;
  }
  return look;
}

/// A look after the end.
run::RunLook end_at(double milliseconds, const std::vector<Seen>& seen) {
  run::RunLook end = look(milliseconds, seen);
  end.ended = true;
  end.waits_known = false;
  return end;
}

/// "models" here, and routers in a worker.
system::Plan plan(int32_t partitions) {
  system::Plan plan;
  plan.places.resize(2);
  plan.places[0].name = "inproc";
  plan.places[1].name = "worker:unix";
  for (int32_t p = 0; p < partitions; ++p) {
    system::PartitionPlan& partition = plan.partitions.emplace_back();
    partition.name = p == 0 ? "models" : "router[" + std::to_string(p) + "]";
    partition.place = p == 0 ? 0 : 1;
  }
  return plan;
}

/// How long a row is busy, in seconds.
double busy_seconds(const v1::PartitionTimeline& timeline, int row) {
  double busy = 0;
  double begin = 0;
  for (int i = 0; i < timeline.wall_end_seconds_size(); ++i) {
    busy += timeline.rows(row).busy_permille(i) * 1e-3 * (timeline.wall_end_seconds(i) - begin);
    begin = timeline.wall_end_seconds(i);
  }
  return busy;
}

TEST(PartitionTimelineTest, HasSharesAndPeers) {
  PartitionTimeline timeline;
  timeline.add({});  // It has not begun.
  timeline.add(look(10, {{4, 1}, {10, kNobody}}));
  timeline.add(look(30, {{14, kNobody}, {10, 0}}));
  const run::RunLook end = end_at(40, {{14, kNobody}, {15, kNobody}});
  timeline.add(end);
  timeline.add(end);  // Nothing is new.
  const v1::PartitionTimeline made = timeline.timeline(plan(2));
  EXPECT_THAT(made.wall_end_seconds(), ElementsAre(0.01, 0.03, 0.04));
  ASSERT_EQ(made.rows_size(), 2);
  EXPECT_EQ(made.rows(0).partition(), "models");
  EXPECT_EQ(made.rows(0).place(), "inproc");
  EXPECT_THAT(made.rows(0).busy_permille(), ElementsAre(400, 500, 0));
  EXPECT_THAT(made.rows(0).waits_for(), ElementsAre(2, 0, 0));
  EXPECT_FALSE(made.rows(0).spread());
  EXPECT_EQ(made.rows(1).partition(), "router[1]");
  EXPECT_EQ(made.rows(1).place(), "worker:unix");
  EXPECT_THAT(made.rows(1).busy_permille(), ElementsAre(1000, 0, 500));
  EXPECT_THAT(made.rows(1).waits_for(), ElementsAre(0, 1, 0));
  ASSERT_EQ(made.waits_size(), 2);
  EXPECT_EQ(made.waits(0).partition(), 1u) << "who waits most comes first";
  EXPECT_EQ(made.waits(0).peer(), 0u);
  EXPECT_DOUBLE_EQ(made.waits(0).wall_seconds(), 0.02);
  EXPECT_DOUBLE_EQ(made.waits(1).wall_seconds(), 0.01);
}

TEST(PartitionTimelineTest, ALongAdvanceBelongsToEarlierIntervals) {
  PartitionTimeline timeline;
  timeline.add(look(10, {{5, kNobody}}));
  timeline.add(look(20, {{5, kNobody}}));
  timeline.add(look(30, {{5, kNobody}}));
  // It ends now, and began 23 ms ago.
  timeline.add(look(40, {{28, kNobody}}));
  EXPECT_THAT(timeline.timeline(plan(1)).rows(0).busy_permille(), ElementsAre(500, 300, 1000, 1000));
}

TEST(PartitionTimelineTest, MergesInPairsSoThatItStaysSmall) {
  PartitionTimeline timeline;
  constexpr int kLooks = 3 * PartitionTimeline::kMostIntervals + 1;
  uint64_t busy = 0;
  for (int i = 1; i <= kLooks; ++i) {
    busy += i % 4 == 0 ? 10 : 2;
    // Of each four looks: 1 twice, nobody, 2.
    const int32_t waits_for = i % 4 == 3 ? kNobody : i % 4 == 0 ? 2 : 1;
    timeline.add(look(10 * i, {{busy, waits_for}, {0, kNobody}, {0, kNobody}}));
  }
  const v1::PartitionTimeline made = timeline.timeline(plan(3));
  // Four looks in each interval but the last one.
  ASSERT_EQ(made.wall_end_seconds_size(), kLooks / 4 + 1);
  EXPECT_DOUBLE_EQ(made.wall_end_seconds(0), 0.04);
  EXPECT_DOUBLE_EQ(made.wall_end_seconds(kLooks / 4 - 1), 0.01 * (kLooks - 1));
  EXPECT_DOUBLE_EQ(made.wall_end_seconds(kLooks / 4), 0.01 * kLooks);
  EXPECT_EQ(made.rows(0).busy_permille(0), 400u) << "busy is averaged";
  EXPECT_EQ(made.rows(0).busy_permille(kLooks / 4), 200u);
  EXPECT_THAT(made.rows(0).waits_for(), Each(2u)) << "whom it waits for most, whatever else it does";
  EXPECT_THAT(made.rows(1).waits_for(), Each(0u));
  EXPECT_NEAR(busy_seconds(made, 0), static_cast<double>(busy) * 1e-3, 1e-6);
  ASSERT_EQ(made.waits_size(), 2);
  EXPECT_NEAR(made.waits(0).wall_seconds(), 0.01 * (kLooks / 2 + 1), 1e-6) << "sums are exact";
}

TEST(PartitionTimelineTest, OfManyPartitionsHasFewerIntervals) {
  PartitionTimeline timeline;
  constexpr size_t kPartitions = 1000;
  for (int i = 1; i <= 1000; ++i) timeline.add(look(i, std::vector<Seen>(kPartitions, Seen{0, kNobody})));
  const v1::PartitionTimeline made = timeline.timeline(plan(kPartitions));
  EXPECT_LE(static_cast<size_t>(made.wall_end_seconds_size()) * kPartitions, PartitionTimeline::kMostCells);
  EXPECT_GE(made.wall_end_seconds_size(), 6);
  EXPECT_DOUBLE_EQ(made.wall_end_seconds(made.wall_end_seconds_size() - 1), 1);
}

TEST(PartitionTimelineTest, OtherProcessesThatTellTheirBusyTimeAtTheEndAreSpread) {
  PartitionTimeline timeline;
  timeline.add(look(10, {{0, kNobody}, {std::nullopt, 0}}));
  timeline.add(look(20, {{0, kNobody}, {std::nullopt, kNobody}}));
  timeline.add(look(40, {{0, kNobody}, {std::nullopt, kNobody}}));
  EXPECT_TRUE(timeline.timeline(plan(2)).rows(1).spread());
  EXPECT_THAT(timeline.timeline(plan(2)).rows(1).busy_permille(), Each(0u)) << "if its process was lost";
  timeline.add(end_at(40, {{0, kNobody}, {9, kNobody}}));
  const v1::PartitionTimeline made = timeline.timeline(plan(2));
  EXPECT_FALSE(made.rows(0).spread());
  EXPECT_TRUE(made.rows(1).spread());
  EXPECT_THAT(made.rows(1).busy_permille(), ElementsAre(0, 300, 300));
  EXPECT_THAT(made.rows(1).waits_for(), ElementsAre(1, 0, 0));
}

TEST(PartitionTimelineTest, WithoutALookAtWhichItCouldActBusyTimeIsEven) {
  PartitionTimeline timeline;
  timeline.add(look(10, {{0, kNobody}, {std::nullopt, 0}}));
  timeline.add(look(20, {{0, kNobody}, {std::nullopt, 0}}));
  timeline.add(end_at(20, {{0, kNobody}, {5, kNobody}}));
  EXPECT_THAT(timeline.timeline(plan(2)).rows(1).busy_permille(), ElementsAre(250, 250));
}

TEST(PartitionTimelineTest, WhatFitsInNoLookAtWhichItCouldActFellBetweenLooks) {
  PartitionTimeline timeline;
  timeline.add(look(10, {{0, kNobody}, {std::nullopt, 0}}));
  timeline.add(look(20, {{0, kNobody}, {std::nullopt, kNobody}}));
  timeline.add(look(40, {{0, kNobody}, {std::nullopt, 0}}));
  timeline.add(end_at(40, {{0, kNobody}, {19, kNobody}}));
  EXPECT_THAT(timeline.timeline(plan(2)).rows(1).busy_permille(), ElementsAre(300, 1000, 300));
}

TEST(PartitionTimelineTest, AnswersOfOtherProcessesStayWhereTheyWereGiven) {
  PartitionTimeline timeline;
  timeline.add(look(10, {{0, kNobody}, {std::nullopt, kNobody}}));
  timeline.add(look(20, {{0, kNobody}, {10, kNobody}}));  // Of both looks.
  timeline.add(look(30, {{0, kNobody}, {std::nullopt, kNobody}}));
  timeline.add(look(40, {{0, kNobody}, {std::nullopt, 0}}));
  timeline.add(look(50, {{0, kNobody}, {16, 0}}));
  timeline.add(look(60, {{0, kNobody}, {std::nullopt, kNobody}}));
  timeline.add(end_at(70, {{0, kNobody}, {std::nullopt, kNobody}}));
  timeline.add(end_at(70, {{0, kNobody}, {24, kNobody}}));
  const v1::PartitionTimeline made = timeline.timeline(plan(2));
  EXPECT_FALSE(made.rows(1).spread());
  EXPECT_THAT(made.rows(1).busy_permille(), ElementsAre(500, 500, 600, 0, 0, 800, 0));
}

TEST(PartitionTimelineTest, AnAnswerOfALongAdvanceBelongsToEarlierAnswersToo) {
  PartitionTimeline timeline;
  timeline.add(look(10, {{0, kNobody}, {4, kNobody}}));
  timeline.add(look(20, {{0, kNobody}, {std::nullopt, kNobody}}));
  timeline.add(look(30, {{0, kNobody}, {4, kNobody}}));
  timeline.add(look(40, {{0, kNobody}, {29, kNobody}}));
  EXPECT_THAT(timeline.timeline(plan(2)).rows(1).busy_permille(), ElementsAre(400, 500, 1000, 1000));
}

TEST(PartitionTimelineTest, AnswersMayBeRareInLongRuns) {
  PartitionTimeline timeline;
  constexpr int kLooks = 3 * PartitionTimeline::kMostIntervals + 1;
  // Busy for 4 ms of each 10 ms; told at each 7th look.
  for (int i = 1; i <= kLooks; ++i) {
    const std::optional<uint64_t> told = i % 7 == 0 ? std::optional<uint64_t>(4 * i) : std::nullopt;
    timeline.add(look(10 * i, {{0, kNobody}, {told, kNobody}}));
  }
  timeline.add(end_at(10 * kLooks, {{0, kNobody}, {4 * kLooks, kNobody}}));
  const v1::PartitionTimeline made = timeline.timeline(plan(2));
  EXPECT_FALSE(made.rows(1).spread());
  EXPECT_THAT(made.rows(1).busy_permille(), Each(400u));
}

TEST(PartitionTimelineTest, AnswersMayBeNonsense) {
  PartitionTimeline timeline;
  timeline.add(look(10, {{0, kNobody}, {5, kNobody}}));
  timeline.add(look(20, {{0, kNobody}, {2, kNobody}}));  // Less than before.
  timeline.add(look(30, {{0, kNobody}, {1'000'000, kNobody}}));
  EXPECT_THAT(timeline.timeline(plan(2)).rows(1).busy_permille(), Each(1000u));
}

TEST(PartitionTimelineTest, OneIntervalIsNotSpread) {
  PartitionTimeline timeline;
  timeline.add(end_at(10, {{3, kNobody}, {std::nullopt, kNobody}}));
  timeline.add(end_at(10, {{3, kNobody}, {5, kNobody}}));
  const v1::PartitionTimeline made = timeline.timeline(plan(2));
  EXPECT_THAT(made.rows(0).busy_permille(), ElementsAre(300));
  EXPECT_THAT(made.rows(1).busy_permille(), ElementsAre(500));
  EXPECT_FALSE(made.rows(0).spread());
  EXPECT_FALSE(made.rows(1).spread());
}

TEST(PartitionTimelineTest, OfNothingIsEmpty) {
  const v1::PartitionTimeline made = PartitionTimeline().timeline(plan(2));
  EXPECT_EQ(made.wall_end_seconds_size(), 0);
  EXPECT_EQ(made.rows_size(), 0);
}

}  // namespace
}  // namespace fabrictwin
