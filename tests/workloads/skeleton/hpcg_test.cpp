// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/skeleton/hpcg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <utility>
#include <vector>

#include "tests/workloads/skeleton/recorded_hashes.h"
#include "tests/workloads/trace_helpers.h"
#include "workloads/trace/check/trace_match_check.h"
#include "workloads/trace/format/file_trace.h"

namespace fabrictwin {
namespace {

using testing::HasSubstr;

skeleton::HpcgOptions options(uint32_t ranks, uint32_t iterations, skeleton::Extent local = {16, 16, 16}) {
  skeleton::HpcgOptions options;
  options.ranks = ranks;
  options.reference_iterations = iterations;
  options.local = local;
  return options;
}

struct Recorded {
  uint32_t ranks;
  uint32_t iterations;
};

class HpcgRecorded : public testing::TestWithParam<Recorded> {};

TEST_P(HpcgRecorded, EveryRankCommunicatesTheSame) {
  const auto trace = skeleton::Hpcg::create(options(GetParam().ranks, GetParam().iterations));
  ASSERT_TRUE(trace.ok()) << trace.status();
  expect_recorded(**trace, "hpcg-" + std::to_string(GetParam().ranks));
}

INSTANTIATE_TEST_SUITE_P(Sizes, HpcgRecorded,
                         testing::Values(Recorded{4, 50}, Recorded{8, 50}, Recorded{16, 10}, Recorded{32, 10},
                                         Recorded{64, 5}, Recorded{128, 2}, Recorded{512, 2}),
                         [](const auto& info) { return "Ranks" + std::to_string(info.param.ranks); });

TEST(Hpcg, EqualsTheRecordedFileEventForEvent) {
  const auto recorded = trace::format::FileTrace::open("workloads/experiments/data/hpcg-8.fttrace");
  ASSERT_TRUE(recorded.ok()) << recorded.status();
  const auto trace = skeleton::Hpcg::create(options(8, 50));
  ASSERT_TRUE(trace.ok()) << trace.status();
  const auto difference = trace::tools::compare_traces(**trace, **recorded);
  ASSERT_TRUE(difference.ok()) << difference.status();
  EXPECT_TRUE(difference->equal()) << difference->first_differences[0];
  EXPECT_EQ(difference->equal_ranks, 8);
  EXPECT_EQ(difference->events, 299'800);
}

TEST(Hpcg, DiffersFromTheRecordedFileWithOneIterationMore) {
  const auto recorded = trace::format::FileTrace::open("workloads/experiments/data/hpcg-8.fttrace");
  ASSERT_TRUE(recorded.ok()) << recorded.status();
  const auto difference = trace::tools::compare_traces(**skeleton::Hpcg::create(options(8, 51)), **recorded);
  ASSERT_TRUE(difference.ok()) << difference.status();
  EXPECT_FALSE(difference->equal());
  EXPECT_EQ(difference->equal_ranks, 0);
  ASSERT_EQ(difference->first_differences.size(), 8);
  EXPECT_THAT(difference->first_differences[3], HasSubstr("rank 3, event "));
}

TEST(Hpcg, GridIsHpcgsOwn) {
  // What ComputeOptimalShapeXYZ() of HPCG 3.1 makes of these numbers of ranks.
  const std::vector<std::pair<uint32_t, skeleton::Extent>> grids = {
      // Powers of a prime.
      {1, {1, 1, 1}},
      {2, {2, 1, 1}},
      {3, {3, 1, 1}},
      {4, {2, 2, 1}},
      {7, {7, 1, 1}},
      {8, {2, 2, 2}},
      {9, {3, 3, 1}},
      {16, {4, 2, 2}},
      {27, {3, 3, 3}},
      {32, {4, 4, 2}},
      {64, {4, 4, 4}},
      {81, {9, 3, 3}},
      {125, {5, 5, 5}},
      {128, {8, 4, 4}},
      {512, {8, 8, 8}},
      {32768, {32, 32, 32}},
      // Two or three prime factors.
      {6, {2, 3, 1}},
      {10, {2, 5, 1}},
      {12, {2, 3, 2}},
      {18, {2, 3, 3}},
      {20, {2, 5, 2}},
      {30, {2, 3, 5}},
      // More of them: the least surface, the first of several.
      {24, {2, 4, 3}},
      {36, {4, 3, 3}},
      {40, {2, 4, 5}},
      {48, {4, 4, 3}},
      {54, {3, 3, 6}},
      {60, {4, 3, 5}},
      {72, {4, 3, 6}},
      {90, {3, 6, 5}},
      {96, {4, 4, 6}},
      {100, {4, 5, 5}},
      {120, {4, 6, 5}},
      {144, {4, 6, 6}},
      {192, {4, 8, 6}},
      {210, {6, 5, 7}},
      {216, {6, 6, 6}},
      {240, {8, 6, 5}},
      {384, {8, 8, 6}},
      {576, {8, 8, 9}},
      {1000, {10, 10, 10}},
      {7776, {24, 18, 18}},
      {158976, {64, 54, 46}},
  };
  for (const auto& [ranks, grid] : grids) EXPECT_EQ(skeleton::Hpcg::default_grid(ranks), grid) << ranks;
}

TEST(Hpcg, GridsHaveAllRanks) {
  for (uint32_t ranks = 1; ranks <= 4096; ++ranks) {
    const skeleton::Extent grid = skeleton::Hpcg::default_grid(ranks);
    ASSERT_EQ(uint64_t{grid[0]} * grid[1] * grid[2], ranks);
  }
}

TEST(Hpcg, RunsOnAnyNumberOfRanks) {
  skeleton::HpcgOptions written = options(12, 2);
  written.grid = skeleton::Extent{2, 3, 2};
  const auto difference =
      trace::tools::compare_traces(**skeleton::Hpcg::create(options(12, 2)), **skeleton::Hpcg::create(written));
  ASSERT_TRUE(difference.ok()) << difference.status();
  EXPECT_TRUE(difference->equal());
}

TEST(Hpcg, SaysWhatItIs) {
  const auto trace = skeleton::Hpcg::create(options(8, 2, {16, 24, 32}));
  const trace::format::Info& info = (*trace)->info();
  EXPECT_EQ(info.application, "hpcg-8");
  EXPECT_EQ(info.source, "skeleton: HPCG, local box 16x24x32, 2 reference iterations, host none");
}

TEST(Hpcg, RankOf32768IsMadeWithoutTheOthers) {
  const auto trace = skeleton::Hpcg::create(options(32768, 2));
  ASSERT_TRUE(trace.ok()) << trace.status();
  const std::unique_ptr<trace::format::EventSource> events = (*trace)->rank(16 * 1024 + 16 * 32 + 16);
  trace::format::Event event;
  uint64_t number = 0;
  uint64_t sends = 0;
  while (*events->next(event)) {
    ++number;
    sends += event.action == v1::SEND ? 1 : 0;
  }
  // 26 neighbours; exchanges as in the recorded hpcg-512, where an inner rank has 4524 sends.
  EXPECT_EQ(sends, 4524);
  EXPECT_EQ(number, 3 * sends + 123 + 2);
}

TEST(Hpcg, ComputationComesFromTheHostOnly) {
  skeleton::HpcgOptions slow = options(8, 2);
  slow.host = *skeleton::find_host_profile("a53-exanest");
  const auto with = skeleton::Hpcg::create(slow);
  const auto without = skeleton::Hpcg::create(options(8, 2));
  const auto difference = trace::tools::compare_traces(**with, **without);
  ASSERT_TRUE(difference.ok());
  EXPECT_TRUE(difference->equal());
  uint64_t computations = 0;
  Time time;
  trace::format::Event event;
  for (const auto events = (*with)->rank(0); *events->next(event);) {
    computations += event.action == v1::COMPUTE ? 1 : 0;
    time += event.duration;
  }
  EXPECT_GT(computations, 100);
  EXPECT_GT(time, Time::from_us(1000));
  for (const auto events = (*without)->rank(0); *events->next(event);) ASSERT_NE(event.action, v1::COMPUTE);
}

TEST(Hpcg, RefusesWhatHpcgCannotDo) {
  const auto message = [](const skeleton::HpcgOptions& wrong) {
    const auto trace = skeleton::Hpcg::create(wrong);
    EXPECT_EQ(trace.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(trace.status().message());
  };
  EXPECT_THAT(message(options(8, 2, {16, 20, 16})), HasSubstr("20 points in y"));
  EXPECT_THAT(message(options(8, 2, {0, 16, 16})), HasSubstr("multiple of 8"));
  EXPECT_THAT(message(options(0, 2)), HasSubstr("not 0"));
  EXPECT_THAT(message(options(8, 0)), HasSubstr("iterations"));
  skeleton::HpcgOptions grid = options(8, 2);
  grid.grid = skeleton::Extent{3, 2, 1};
  EXPECT_THAT(message(grid), HasSubstr("3x2x1 ranks does not have 8"));
}

RC_GTEST_PROP(HpcgProperty, MessagesMatchOnAnyGrid, ()) {
  const auto extent = [] { return *rc::gen::inRange<uint32_t>(1, 4); };
  skeleton::HpcgOptions any;
  any.grid = skeleton::Extent{extent(), extent(), extent()};
  any.ranks = (*any.grid)[0] * (*any.grid)[1] * (*any.grid)[2];
  any.local = {8 * extent(), 8 * extent(), 8 * extent()};
  any.reference_iterations = extent();
  const auto trace = skeleton::Hpcg::create(any);
  RC_ASSERT(trace.ok());
  const auto report = trace::check::check_matching(**trace, {.synchronous = true});
  RC_ASSERT(report.ok());
  RC_ASSERT(report->ok());
  RC_ASSERT(report->collectives == 105 + 9 * any.reference_iterations);
}

}  // namespace
}  // namespace fabrictwin
