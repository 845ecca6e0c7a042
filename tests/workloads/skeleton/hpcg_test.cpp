// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/skeleton/hpcg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "tests/workloads/skeleton/recorded_hashes.h"
#include "tests/workloads/trace_helpers.h"
#include "workloads/trace/file_trace.h"
#include "workloads/trace/trace_match_check.h"

namespace fabrictwin {
namespace {

using testing::HasSubstr;

HpcgOptions options(uint32_t ranks, uint32_t iterations, Extent local = {16, 16, 16}) {
  HpcgOptions options;
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
  const auto trace = Hpcg::create(options(GetParam().ranks, GetParam().iterations));
  ASSERT_TRUE(trace.ok()) << trace.status();
  expect_recorded(**trace, "hpcg-" + std::to_string(GetParam().ranks));
}

INSTANTIATE_TEST_SUITE_P(Sizes, HpcgRecorded,
                         testing::Values(Recorded{4, 50}, Recorded{8, 50}, Recorded{16, 10}, Recorded{32, 10},
                                         Recorded{64, 5}, Recorded{128, 2}, Recorded{512, 2}),
                         [](const auto& info) { return "Ranks" + std::to_string(info.param.ranks); });

TEST(Hpcg, EqualsTheRecordedFileEventForEvent) {
  const auto recorded = FileTrace::open("workloads/experiments/data/hpcg-8.fttrace");
  ASSERT_TRUE(recorded.ok()) << recorded.status();
  const auto trace = Hpcg::create(options(8, 50));
  ASSERT_TRUE(trace.ok()) << trace.status();
  const auto difference = compare_traces(**trace, **recorded);
  ASSERT_TRUE(difference.ok()) << difference.status();
  EXPECT_TRUE(difference->equal()) << difference->places[0];
  EXPECT_EQ(difference->equal_ranks, 8);
  EXPECT_EQ(difference->events, 299'800);
}

TEST(Hpcg, DiffersFromTheRecordedFileWithOneIterationMore) {
  const auto recorded = FileTrace::open("workloads/experiments/data/hpcg-8.fttrace");
  ASSERT_TRUE(recorded.ok()) << recorded.status();
  const auto difference = compare_traces(**Hpcg::create(options(8, 51)), **recorded);
  ASSERT_TRUE(difference.ok()) << difference.status();
  EXPECT_FALSE(difference->equal());
  EXPECT_EQ(difference->equal_ranks, 0);
  ASSERT_EQ(difference->places.size(), 8);
  EXPECT_THAT(difference->places[3], HasSubstr("rank 3, event "));
}

TEST(Hpcg, GridIsHpcgsForPowersOfTwo) {
  EXPECT_EQ(Hpcg::default_grid(1), (Extent{1, 1, 1}));
  EXPECT_EQ(Hpcg::default_grid(2), (Extent{2, 1, 1}));
  EXPECT_EQ(Hpcg::default_grid(4), (Extent{2, 2, 1}));
  EXPECT_EQ(Hpcg::default_grid(128), (Extent{8, 4, 4}));
  EXPECT_EQ(Hpcg::default_grid(32768), (Extent{32, 32, 32}));
}

TEST(Hpcg, SaysWhatItIs) {
  const auto trace = Hpcg::create(options(8, 2, {16, 24, 32}));
  const TraceInfo& info = (*trace)->info();
  EXPECT_EQ(info.application, "hpcg-8");
  EXPECT_EQ(info.source, "skeleton: HPCG, local box 16x24x32, 2 reference iterations, host none");
}

TEST(Hpcg, RankOf32768IsMadeWithoutTheOthers) {
  const auto trace = Hpcg::create(options(32768, 2));
  ASSERT_TRUE(trace.ok()) << trace.status();
  const std::unique_ptr<EventSource> events = (*trace)->rank(16 * 1024 + 16 * 32 + 16);
  TraceEvent event;
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
  HpcgOptions slow = options(8, 2);
  slow.host = *find_host_profile("a53-exanest");
  const auto with = Hpcg::create(slow);
  const auto without = Hpcg::create(options(8, 2));
  const auto difference = compare_traces(**with, **without);
  ASSERT_TRUE(difference.ok());
  EXPECT_TRUE(difference->equal());
  uint64_t computations = 0;
  Time time;
  TraceEvent event;
  for (const auto events = (*with)->rank(0); *events->next(event);) {
    computations += event.action == v1::COMPUTE ? 1 : 0;
    time += event.duration;
  }
  EXPECT_GT(computations, 100);
  EXPECT_GT(time, Time::from_us(1000));
  for (const auto events = (*without)->rank(0); *events->next(event);) ASSERT_NE(event.action, v1::COMPUTE);
}

TEST(Hpcg, RefusesWhatHpcgCannotDo) {
  const auto message = [](const HpcgOptions& wrong) {
    const auto trace = Hpcg::create(wrong);
    EXPECT_EQ(trace.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(trace.status().message());
  };
  EXPECT_THAT(message(options(12, 2)), HasSubstr("12 ranks are not a power of two"));
  EXPECT_THAT(message(options(12, 2)), HasSubstr("try 8"));
  EXPECT_THAT(message(options(8, 2, {16, 20, 16})), HasSubstr("20 points in y"));
  EXPECT_THAT(message(options(8, 2, {0, 16, 16})), HasSubstr("multiple of 8"));
  EXPECT_THAT(message(options(0, 2)), HasSubstr("not 0"));
  EXPECT_THAT(message(options(8, 0)), HasSubstr("iterations"));
  HpcgOptions grid = options(8, 2);
  grid.grid = Extent{3, 2, 1};
  EXPECT_THAT(message(grid), HasSubstr("3x2x1 ranks does not have 8"));
}

RC_GTEST_PROP(HpcgProperty, MessagesMatchOnAnyGrid, ()) {
  const auto extent = [] { return *rc::gen::inRange<uint32_t>(1, 4); };
  HpcgOptions any;
  any.grid = Extent{extent(), extent(), extent()};
  any.ranks = (*any.grid)[0] * (*any.grid)[1] * (*any.grid)[2];
  any.local = {8 * extent(), 8 * extent(), 8 * extent()};
  any.reference_iterations = extent();
  const auto trace = Hpcg::create(any);
  RC_ASSERT(trace.ok());
  const auto report = check_matching(**trace, {.synchronous = true});
  RC_ASSERT(report.ok());
  RC_ASSERT(report->ok());
  RC_ASSERT(report->collectives == 105 + 9 * any.reference_iterations);
}

}  // namespace
}  // namespace fabrictwin
