// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The sample traces, against what is known of how HPCG and miniFE communicate.
#include "workloads/trace/tools/stats.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/workloads/trace_helpers.h"

namespace fabrictwin {
namespace {

std::map<std::string, uint64_t> actions_of(const v1::TraceStats& stats) {
  std::map<std::string, uint64_t> counts;
  for (const auto& action : stats.actions()) counts[action.action()] = action.count();
  return counts;
}

TEST(TraceStats, HpcgOnEightRanks) {
  const auto stats = trace::tools::trace_stats("workloads/experiments/data/hpcg-8.fttrace");
  ASSERT_TRUE(stats.ok()) << stats.status();
  EXPECT_EQ(stats->ranks(), 8u);
  EXPECT_EQ(stats->events(), 327'032u);
  EXPECT_LT(stats->file_bytes(), 200'000u);
  const auto actions = actions_of(*stats);
  // With r reference iterations: allreduces 105 + 9r; exchanges with all 7 neighbours: 59 + 12r on level 0, 3(7 + 3r)
  // on levels 1 and 2 each, 7 + 3r on level 3.
  constexpr uint64_t r = 50;
  EXPECT_EQ(actions.at("allreduce"), 8 * (105 + 9 * r));
  const uint64_t exchanges = 59 + 12 * r + 2 * 3 * (7 + 3 * r) + 7 + 3 * r;
  EXPECT_EQ(actions.at("send"), 8 * 7 * exchanges);
  EXPECT_EQ(actions.at("irecv"), 8 * 7 * exchanges);
  EXPECT_EQ(actions.at("wait_recv"), 8 * 7 * exchanges);
  EXPECT_EQ(stats->point_to_point().messages(), 98'448u);
  EXPECT_EQ(stats->point_to_point().bytes(), 43'028'736u);
  EXPECT_EQ(stats->point_to_point().directed_pairs(), 56u);
  EXPECT_EQ(stats->point_to_point().wildcard_receives(), 0u);
  std::map<uint64_t, uint64_t> sizes;
  for (const auto& bucket : stats->point_to_point().sizes()) sizes[bucket.bytes()] = bucket.messages();
  const std::map<uint64_t, uint64_t> expected = {{8, 14'064},   {16, 3'768},   {32, 15'072},  {64, 11'304},
                                                 {128, 27'120}, {512, 11'304}, {2048, 15'816}};
  EXPECT_EQ(sizes, expected);
  // Level-0 faces of 16 x 16 doubles: three neighbours of each rank share a face.
  EXPECT_EQ(sizes.at(2048), 8 * 3 * (59 + 12 * r));
  EXPECT_EQ(stats->compute().events(), 27'232u);
  EXPECT_NEAR(stats->compute().seconds(), 0.496615355, 1e-12);
  EXPECT_NEAR(stats->compute().min_rank_seconds(), 0.059243431, 1e-12);
  EXPECT_NEAR(stats->compute().max_rank_seconds(), 0.065565461, 1e-12);
}

TEST(TraceStats, MinifeOnEightRanks) {
  const auto stats = trace::tools::trace_stats("workloads/experiments/data/minife-8.fttrace");
  ASSERT_TRUE(stats.ok()) << stats.status();
  const auto actions = actions_of(*stats);
  EXPECT_EQ(stats->ranks(), 8u);
  EXPECT_EQ(actions.at("bcast"), 16u);
  EXPECT_EQ(actions.at("reduce"), 16u);
  EXPECT_EQ(actions.at("allgather"), 24u);
  EXPECT_EQ(actions.at("allreduce"), 1968u);
  EXPECT_EQ(actions.at("irecv"), 6104u);
  // Three neighbour rounds of set-up, then N + 1 exchanges, with all 7 neighbours.
  const uint64_t exchanges = actions.at("send") / (8 * 7) - 3;
  EXPECT_EQ(actions.at("send"), 8 * 7 * (exchanges + 3));
  // 2N allreduces in the iteration, 8 around it, two more at each breakdown test.
  const uint64_t iterations = exchanges - 1;
  EXPECT_GE(actions.at("allreduce") / 8, 2 * iterations + 8);
  EXPECT_EQ((actions.at("allreduce") / 8) % 2, 0u);
  std::map<std::pair<std::string, uint64_t>, uint64_t> collectives;
  for (const auto& total : stats->collectives()) collectives[{total.action(), total.bytes()}] = total.calls();
  EXPECT_EQ((collectives[{"bcast", 52}]), 8u);
  EXPECT_EQ((collectives[{"bcast", 4}]), 8u);
  EXPECT_EQ((collectives[{"allgather", 24}]), 8u);
  EXPECT_EQ((collectives[{"reduce", 8}]), 16u);
}

// Two computations of a rank, together longer than simulated time.
TEST(TraceStats, SumsOfComputationMayBeLongerThanSimulatedTime) {
  TestFolder folder;
  const trace::format::Event compute = compute_for(Time::from_us(9'000'000'000));
  ASSERT_TRUE(write_trace(folder.file("long.fttrace"), {{compute, compute}, {compute}}).ok());
  const auto stats = trace::tools::trace_stats(folder.file("long.fttrace"));
  ASSERT_TRUE(stats.ok()) << stats.status();
  EXPECT_DOUBLE_EQ(stats->compute().max_rank_seconds(), 18000);
  EXPECT_DOUBLE_EQ(stats->compute().seconds(), 27000);
}

TEST(TraceStats, SaysWhatIsWrongWithAFile) {
  TestFolder folder;
  EXPECT_TRUE(absl::IsNotFound(trace::tools::trace_stats(folder.file("none")).status()));
  folder.write("text", "hello");
  EXPECT_TRUE(absl::IsDataLoss(trace::tools::trace_stats(folder.file("text")).status()));
}

}  // namespace
}  // namespace fabrictwin
