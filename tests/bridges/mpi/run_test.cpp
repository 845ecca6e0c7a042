// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole runs whose places are ranks: the law holds for them as for all others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "bridges/mpi/greeting.h"
#include "bridges/mpi/local_world.h"
#include "bridges/mpi/rank_calls.h"
#include "bridges/mpi/worker.h"
#include "tests/bridges/token_run.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

constexpr std::chrono::milliseconds kPatience{60'000};

/// A run in a world of so many ranks.
TokenOutcome run_in_world(int ranks, TokenRunOptions options, int runs = 1) {
  const run::Registry registry = token_registry(options.load);
  bridges::mpi::LocalWorlds worlds(ranks);
  bridges::mpi::WorldLinks links(worlds.at(0));
  options.ranks = &links;
  std::vector<absl::Status> ended(static_cast<size_t>(ranks));
  TokenOutcome outcome;
  {
    std::vector<std::jthread> others;
    for (int rank = 1; rank < ranks; ++rank) {
      others.emplace_back(
          [&, rank] { ended[static_cast<size_t>(rank)] = bridges::mpi::serve_rank(worlds.at(rank), registry); });
    }
    for (int run = 0; run < runs; ++run) outcome = run_tokens(options);
    bridges::mpi::dismiss(worlds.at(0), kPatience);
  }
  for (const absl::Status& status : ended) EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(worlds.aborted(), "");
  EXPECT_EQ(worlds.unreceived(), 0u);
  return outcome;
}

struct WorldCase {
  int ranks;
  std::vector<std::string> uses;
};

/// Ranks are on one host here: records travel in shared memory, or as messages if they may not.
constexpr bool kTransports[] = {true, false};

class MpiRuns : public ::testing::TestWithParam<WorldCase> {};

TEST_P(MpiRuns, GiveTheSameResult) {
  for (const bool share : kTransports) {
    SCOPED_TRACE(share ? "shared memory" : "messages");
    TokenRunOptions options;
    options.uses = GetParam().uses;
    options.watched = true;
    options.share_memory = share;
    const TokenOutcome outcome = run_in_world(GetParam().ranks, options);
    ASSERT_TRUE(outcome.status.ok()) << outcome.status;
    EXPECT_TRUE(outcome.report.complete());
    EXPECT_EQ(outcome.timeline.rows_size(), outcome.report.partitions_size());
    for (const v1::PartitionRow& row : outcome.timeline.rows()) EXPECT_FALSE(row.spread()) << row.partition();
    EXPECT_EQ(outcome.report.timing_digest(), local_token_report().timing_digest());
    EXPECT_EQ(outcome.report.simulated_fs(), local_token_report().simulated_fs());
    EXPECT_EQ(outcome.report.partitions_size(), local_token_report().partitions_size());
  }
}

INSTANTIATE_TEST_SUITE_P(All, MpiRuns,
                         ::testing::Values(WorldCase{2, {"router[1]=RTL@mpi:1", "router[2]=RTL"}},
                                           WorldCase{2, {"router[1..2]=RTL@mpi:1"}},
                                           WorldCase{3, {"router[1]=RTL@mpi:1", "router[2]=RTL@mpi:2"}},
                                           WorldCase{3, {"router[1]=RTL@mpi:2", "router[2]=RTL@mpi:2"}},
                                           WorldCase{2, {"router[1]=RTL@mpi:1", "router[2]=RTL@worker:unix"}},
                                           WorldCase{2, {"router[1]=RTL@mpi:1", "router[2]=RTL@worker:shm"}}));

TEST(MpiRun, CountsWhatTravels) {
  for (const bool share : kTransports) {
    TokenRunOptions options;
    options.uses = {"router[1]=RTL@mpi:1"};
    options.share_memory = share;
    const TokenOutcome outcome = run_in_world(2, options);
    ASSERT_TRUE(outcome.status.ok()) << outcome.status;
    ASSERT_EQ(outcome.transports.size(), 1u);
    EXPECT_EQ(outcome.transports[0].transport, share ? "shm" : "mpi");
    EXPECT_GT(outcome.transports[0].records, 0u);
    ASSERT_EQ(outcome.live.size(), 1u);
    EXPECT_EQ(outcome.live[0].place(), "mpi:1");
  }
}

// The runs that come before that of an experiment are in the same world.
TEST(MpiRun, OneFollowsAnother) {
  for (const bool share : kTransports) {
    TokenRunOptions options;
    options.uses = {"router[1]=RTL@mpi:1", "router[2]=RTL@mpi:2"};
    options.share_memory = share;
    const TokenOutcome outcome = run_in_world(3, options, 3);
    ASSERT_TRUE(outcome.status.ok()) << outcome.status;
    EXPECT_EQ(outcome.report.timing_digest(), local_token_report().timing_digest());
  }
}

TEST(MpiRun, AFailureOfAPartitionTravelsBack) {
  setenv("FABRICTWIN_TEST_FAIL_AT", "3us", 1);
  for (const bool share : kTransports) {
    TokenRunOptions options;
    options.uses = {"router[1]=RTL@mpi:1"};
    options.share_memory = share;
    const TokenOutcome outcome = run_in_world(2, options);
    EXPECT_EQ(outcome.status.code(), absl::StatusCode::kInternal);
    EXPECT_THAT(std::string(outcome.status.message()), HasSubstr("mpi:1: router[1] at 3 us: was told to fail"));
    EXPECT_FALSE(outcome.report.complete());
  }
  unsetenv("FABRICTWIN_TEST_FAIL_AT");
}

TEST(MpiRun, NamesARankThatThereIsNot) {
  TokenRunOptions options;
  options.uses = {"router[1]=RTL@mpi:2"};
  EXPECT_THAT(std::string(run_in_world(2, options).status.message()),
              HasSubstr("mpi:2 is none of the 2 ranks of this run"));
  const TokenOutcome alone = run_tokens(options);
  EXPECT_EQ(alone.status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(alone.status.message()), HasSubstr("start it as mpirun -n 3 fabrictwin run"));
}

}  // namespace
}  // namespace fabrictwin
