// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "tests/workloads/program_source.h"
#include "tests/workloads/skeleton/recorded_hashes.h"
#include "workloads/skeleton/lammps/lj.h"
#include "workloads/skeleton/lammps/rhodo.h"
#include "workloads/trace/check/trace_match_check.h"
#include "workloads/trace/format/file_trace.h"

namespace fabrictwin {
namespace {

using testing::HasSubstr;

skeleton::lammps::Options lammps_options(uint32_t ranks, uint64_t atoms, uint32_t steps) {
  skeleton::lammps::Options options;
  options.ranks = ranks;
  options.atoms = atoms;
  options.steps = steps;
  return options;
}

template <typename Skeleton>
std::string refusal(const skeleton::lammps::Options& wrong) {
  const auto trace = Skeleton::create(wrong);
  EXPECT_EQ(trace.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(trace.status().message());
}

struct RecordedLammps {
  uint32_t ranks;
  uint64_t atoms;
};

class LammpsLjRecorded : public testing::TestWithParam<RecordedLammps> {};

TEST_P(LammpsLjRecorded, CallsAreTheSameAndBytesClose) {
  const auto trace = skeleton::lammps::Lj::create(lammps_options(GetParam().ranks, GetParam().atoms, 40));
  ASSERT_TRUE(trace.ok()) << trace.status();
  expect_recorded_shape(**trace, "lammps-lj-" + std::to_string(GetParam().ranks), 0.001, 0.02);
}

INSTANTIATE_TEST_SUITE_P(Sizes, LammpsLjRecorded,
                         testing::Values(RecordedLammps{8, 32000}, RecordedLammps{32, 32000},
                                         RecordedLammps{64, 256000}),
                         [](const auto& info) { return "Ranks" + std::to_string(info.param.ranks); });

class LammpsRhodoRecorded : public testing::TestWithParam<uint32_t> {};

TEST_P(LammpsRhodoRecorded, CallsAreTheSameAndBytesClose) {
  const auto trace = skeleton::lammps::Rhodo::create(lammps_options(GetParam(), 32000, 20));
  ASSERT_TRUE(trace.ok()) << trace.status();
  expect_recorded_shape(**trace, "lammps-rhodo-" + std::to_string(GetParam()), 0.01, 0.04);
}

INSTANTIATE_TEST_SUITE_P(Sizes, LammpsRhodoRecorded, testing::Values(8u, 32u, 64u),
                         [](const auto& info) { return "Ranks" + std::to_string(info.param); });

// The first rebuild of lists is in step 20: until then the crystal says every size.
TEST(LammpsLj, EqualsTheRecordedFileUntilTheCrystalMelts) {
  const auto recorded = trace::format::FileTrace::open("tests/workloads/data/lammps-lj-8.fttrace");
  ASSERT_TRUE(recorded.ok()) << recorded.status();
  const auto trace = skeleton::lammps::Lj::create(lammps_options(8, 32000, 40));
  const auto difference = trace::tools::compare_traces(**trace, **recorded);
  ASSERT_TRUE(difference.ok()) << difference.status();
  EXPECT_EQ(difference->same_shape_ranks, 8);
  ASSERT_EQ(difference->first_differences.size(), 8);
  for (const std::string& place : difference->first_differences) EXPECT_THAT(place, HasSubstr(", event 82")) << place;
}

// All but the sizes that depend on where atoms are.
TEST(LammpsRhodo, MeshOfTheRecordedFileIsExact) {
  const auto recorded = trace::format::FileTrace::open("tests/workloads/data/lammps-rhodo-8.fttrace");
  ASSERT_TRUE(recorded.ok()) << recorded.status();
  const Program mine = program_of(**skeleton::lammps::Rhodo::create(lammps_options(8, 32000, 20)));
  const Program theirs = program_of(**recorded);
  uint64_t mesh = 0;
  for (size_t rank = 0; rank < mine.size(); ++rank) {
    auto other = theirs[rank].begin();
    for (const trace::format::Event& event : mine[rank]) {
      while (other->action == v1::COMPUTE) ++other;
      // 20 steps and the set-up have a transform each; its messages are the only ones of these sizes.
      const bool of_mesh = (event.action == v1::SEND || event.action == v1::IRECV) && event.count % 64 == 0 &&
                           event.count > 0 && event.count < 3400;
      if (of_mesh) {
        ASSERT_EQ(event.count, other->count) << "rank " << rank;
        ++mesh;
      }
      ++other;
    }
  }
  EXPECT_GT(mesh, 8u * 21 * 50);
}

TEST(LammpsLj, RefusesWhatItDoesNotDescribe) {
  EXPECT_THAT(refusal<skeleton::lammps::Lj>(lammps_options(8, 32001, 10)), HasSubstr("next to it is 32000"));
  EXPECT_THAT(refusal<skeleton::lammps::Lj>(lammps_options(8, 0, 10)), HasSubstr("not 4 n^3"));
  EXPECT_THAT(refusal<skeleton::lammps::Lj>(lammps_options(8, ~uint64_t{0}, 10)), HasSubstr("not 4 n^3"));
  EXPECT_THAT(refusal<skeleton::lammps::Lj>(lammps_options(8, 32000, 0)), HasSubstr("steps must be"));
  EXPECT_THAT(refusal<skeleton::lammps::Lj>(lammps_options(0, 32000, 1)), HasSubstr("not 0"));
  EXPECT_THAT(refusal<skeleton::lammps::Lj>(lammps_options(4096, 32000, 1)), HasSubstr("less than the cut-off of 2.8"));
}

TEST(LammpsRhodo, RefusesWhatItDoesNotDescribe) {
  EXPECT_THAT(refusal<skeleton::lammps::Rhodo>(lammps_options(8, 0, 10)), HasSubstr("atoms must be"));
  EXPECT_THAT(refusal<skeleton::lammps::Rhodo>(lammps_options(8, 32000, 0)), HasSubstr("steps must be"));
  EXPECT_THAT(refusal<skeleton::lammps::Rhodo>(lammps_options(0, 32000, 1)), HasSubstr("not 0"));
  EXPECT_THAT(refusal<skeleton::lammps::Rhodo>(lammps_options(512, 32000, 1)), HasSubstr("less than the cut-off"));
}

RC_GTEST_PROP(LammpsProperty, MessagesMatchOnAnyNumberOfRanks, ()) {
  const uint32_t ranks = *rc::gen::inRange<uint32_t>(1, 30);
  const uint32_t steps = *rc::gen::inRange<uint32_t>(1, 45);
  const uint64_t cells = *rc::gen::inRange<uint64_t>(4, 24);
  const auto matches = [](const auto& trace) {
    if (!trace.ok()) {
      const std::string message(trace.status().message());
      RC_ASSERT(message.find("would come from further") != std::string::npos);
      return;
    }
    const auto report = trace::check::check_matching(**trace, {.synchronous = true});
    RC_ASSERT(report.ok());
    if (!report->ok()) RC_FAIL(report->faults[0].text);
  };
  matches(skeleton::lammps::Lj::create(lammps_options(ranks, 4 * cells * cells * cells, steps)));
  matches(skeleton::lammps::Rhodo::create(lammps_options(ranks, 1000 * cells, steps % 12 + 1)));
}

}  // namespace
}  // namespace fabrictwin
