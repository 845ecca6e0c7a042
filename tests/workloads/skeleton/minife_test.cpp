// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/skeleton/minife.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "cosim/base/text.h"
#include "tests/workloads/skeleton/recorded_hashes.h"
#include "tests/workloads/trace_helpers.h"
#include "workloads/trace/check/trace_match_check.h"
#include "workloads/trace/format/file_trace.h"

namespace fabrictwin {
namespace {

using testing::HasSubstr;

struct RecordedMinife {
  uint32_t ranks;
  uint32_t extent;
  uint32_t iterations;
  std::vector<uint32_t> breakdown_tests;
};

skeleton::MinifeOptions minife_options(const RecordedMinife& recorded) {
  skeleton::MinifeOptions options;
  options.ranks = recorded.ranks;
  options.elements = {recorded.extent, recorded.extent, recorded.extent};
  options.iterations = recorded.iterations;
  options.breakdown_tests = recorded.breakdown_tests;
  return options;
}

const RecordedMinife kEight = {8, 32, 105, {63, 67, 71, 74, 78, 81, 84, 87, 89, 92, 95, 98, 100, 104}};

class MinifeRecorded : public testing::TestWithParam<RecordedMinife> {};

TEST_P(MinifeRecorded, EveryRankCommunicatesTheSame) {
  const auto trace = skeleton::Minife::create(minife_options(GetParam()));
  ASSERT_TRUE(trace.ok()) << trace.status();
  expect_recorded(**trace, "minife-" + std::to_string(GetParam().ranks));
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, MinifeRecorded,
    testing::Values(RecordedMinife{4, 24, 79, {49, 50, 53, 56, 58, 60, 62, 66, 68, 70, 72, 74, 77, 79}}, kEight,
                    RecordedMinife{16, 40, 132, {80, 83, 85, 90, 94, 98, 102, 105, 109, 112, 117, 120, 123, 127, 132}},
                    RecordedMinife{
                        32, 51, 170, {100, 107, 110, 116, 121, 126, 133, 137, 142, 146, 151, 155, 159, 162, 168}},
                    RecordedMinife{64, 64, 50, {}}, RecordedMinife{128, 80, 50, {}}, RecordedMinife{512, 80, 10, {}}),
    [](const auto& info) { return "Ranks" + std::to_string(info.param.ranks); });

TEST(Minife, EqualsTheRecordedFileEventForEvent) {
  const auto recorded = trace::format::FileTrace::open("workloads/experiments/data/minife-8.fttrace");
  ASSERT_TRUE(recorded.ok()) << recorded.status();
  const auto trace = skeleton::Minife::create(minife_options(kEight));
  ASSERT_TRUE(trace.ok()) << trace.status();
  const auto difference = trace::tools::compare_traces(**trace, **recorded);
  ASSERT_TRUE(difference.ok()) << difference.status();
  EXPECT_TRUE(difference->equal()) << difference->first_differences[0];
  EXPECT_EQ(difference->equal_ranks, 8);
}

TEST(Minife, PartitionGivesEachNodeToOneRank) {
  const skeleton::BoxPartition partition({7, 5, 6}, 11);
  ASSERT_TRUE(partition.check().ok());
  uint64_t points = 0;
  for (uint32_t rank = 0; rank < 11; ++rank) {
    const skeleton::Box own = partition.nodes(rank);
    points += own.points();
    for (uint32_t other = 0; other < rank; ++other) EXPECT_TRUE(own.intersect(partition.nodes(other)).empty());
  }
  EXPECT_EQ(points, 8 * 6 * 7);
}

TEST(Minife, RefusesWhatCannotBe) {
  const auto message = [](const skeleton::MinifeOptions& wrong) {
    const auto trace = skeleton::Minife::create(wrong);
    EXPECT_EQ(trace.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(trace.status().message());
  };
  EXPECT_THAT(message(minife_options({64, 3, 10, {}})), HasSubstr("has no elements"));
  EXPECT_THAT(message(minife_options({0, 3, 10, {}})), HasSubstr("not 0"));
  EXPECT_THAT(message(minife_options({8, 0, 10, {}})), HasSubstr("0 elements in x"));
  EXPECT_THAT(message(minife_options({8, 32, 0, {}})), HasSubstr("iterations must be"));
  EXPECT_THAT(message(minife_options({8, 32, 10, {5, 5}})), HasSubstr("breakdown test in iteration 5"));
  EXPECT_THAT(message(minife_options({8, 32, 10, {11}})), HasSubstr("breakdown test in iteration 11"));
}

RC_GTEST_PROP(MinifeProperty, MessagesMatchForAnySizes, ()) {
  skeleton::MinifeOptions any;
  any.ranks = *rc::gen::inRange<uint32_t>(1, 40);
  for (uint32_t& extent : any.elements) extent = *rc::gen::inRange<uint32_t>(1, 20);
  any.iterations = *rc::gen::inRange<uint32_t>(1, 5);
  const auto trace = skeleton::Minife::create(any);
  if (!trace.ok()) {
    RC_ASSERT(message_of(trace.status()).find("has no elements") != std::string_view::npos);
    return;
  }
  const auto report = trace::check::check_matching(**trace, {.synchronous = true});
  RC_ASSERT(report.ok());
  RC_ASSERT(report->ok());
  RC_ASSERT(report->collectives == 15 + 2 * any.iterations);
}

}  // namespace
}  // namespace fabrictwin
