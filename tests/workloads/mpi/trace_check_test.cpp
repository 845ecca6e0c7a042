// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/trace_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/workloads/trace_helpers.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

absl::Status check(const Program& program) {
  TestFolder folder;
  if (absl::Status status = write_trace(folder.file("a.fttrace"), program); !status.ok()) return status;
  auto reader = trace::format::Reader::open(folder.file("a.fttrace"));
  return reader.ok() ? mpi::check_replayable(*reader) : reader.status();
}

std::string problem(const Program& program) { return std::string(check(program).message()); }

TEST(TraceCheck, SampleTracesAreSound) {
  for (const char* file :
       {"workloads/experiments/data/hpcg-8.fttrace", "workloads/experiments/data/minife-8.fttrace"}) {
    auto reader = trace::format::Reader::open(file);
    ASSERT_TRUE(reader.ok()) << reader.status();
    EXPECT_TRUE(mpi::check_replayable(*reader).ok()) << mpi::check_replayable(*reader);
  }
}

TEST(TraceCheck, CollectivesMustAgree) {
  const trace::format::Event barrier = event_of(v1::BARRIER);
  EXPECT_THAT(problem({{barrier, collective(v1::BCAST, 4)}, {barrier, collective(v1::ALLREDUCE, 4)}}),
              HasSubstr("ranks 0 and 1 do not call the same collectives: collective 1 is bcast with root 0 of 4 bytes "
                        "in rank 0, event 1, but allreduce of 4 bytes in rank 1, event 1"));
  EXPECT_THAT(problem({{collective(v1::BCAST, 4)}, {collective(v1::BCAST, 4, v1::BYTE, 1)}}),
              HasSubstr("bcast with root 1"));
  EXPECT_THAT(problem({{collective(v1::ALLREDUCE, 4)}, {collective(v1::ALLREDUCE, 5)}}),
              HasSubstr("allreduce of 5 bytes in rank 1"));
  EXPECT_THAT(problem({{barrier, barrier}, {barrier}}), HasSubstr("but no more in rank 1"));
  EXPECT_TRUE(check({{collective(v1::BCAST, 4)}, {collective(v1::BCAST, 1, v1::INT)}}).ok()) << "the same bytes";
}

TEST(TraceCheck, EveryReceiveNeedsASend) {
  const trace::format::Event send = message(v1::SEND, 1, 5, 8);
  const trace::format::Event receive = message(v1::RECV, 0, 5, 8);
  const trace::format::Event any = message(v1::RECV, trace::format::kAnySource, 5, 8);
  EXPECT_TRUE(check({{send}, {receive}}).ok());
  EXPECT_TRUE(check({{send}, {any}}).ok());
  EXPECT_TRUE(check({{send, send}, {receive, any}}).ok());
  EXPECT_THAT(problem({{send}, {receive, receive}}),
              HasSubstr("rank 1 receives 2 messages from rank 0, which sends it 1: unmatched receive"));
  EXPECT_THAT(problem({{}, {receive}}),
              HasSubstr("rank 1 receives 1 messages from rank 0, which sends it 0: unmatched receive"));
  EXPECT_THAT(problem({{send}, {receive, any}}),
              HasSubstr("rank 1 receives 2 messages in all, and 1 are sent to it: unmatched receive"));
  EXPECT_THAT(problem({{send, send}, {receive}}),
              HasSubstr("rank 1 receives 1 messages in all, and 2 are sent to it: unmatched send"));
  EXPECT_THAT(problem({{}, {any}}), HasSubstr("unmatched receive"));
}

}  // namespace
}  // namespace fabrictwin
