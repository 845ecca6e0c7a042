// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/trace_match_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "tests/workloads/program_source.h"
#include "tests/workloads/trace_helpers.h"
#include "workloads/skeleton/hpcg.h"

namespace fabrictwin {
namespace {

using testing::AllOf;
using testing::HasSubstr;

MatchReport check(const Program& program, bool synchronous = false) {
  const auto report = check_matching(ProgramSource(program), {.synchronous = synchronous});
  EXPECT_TRUE(report.ok()) << report.status();
  return *report;
}

TEST(MatchCheck, SoundProgramHasNoFaults) {
  const MatchReport report = check(
      {{message(v1::ISEND, 1, 5, 100), collective(v1::ALLREDUCE, 1), message(v1::WAIT_SEND, 1, 5)},
       {message(v1::IRECV, kAnySource, 5, 100), collective(v1::ALLREDUCE, 1), message(v1::WAIT_RECV, kAnySource, 5)}},
      true);
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.messages, 1);
  EXPECT_EQ(report.collectives, 1);
  EXPECT_EQ(report.events, 6);
}

TEST(MatchCheck, NamesUnmatchedEnds) {
  const MatchReport report = check({{message(v1::SEND, 1, 5, 8)}, {message(v1::RECV, 0, 6, 8)}});
  ASSERT_EQ(report.fault_count, 2);
  EXPECT_EQ(report.faults[0].kind, FaultKind::kUnmatchedRecv);
  EXPECT_EQ(report.faults[0].text, "rank 1, event 0: nothing comes for the receive from rank 0 with tag 6 of 8 bytes");
  EXPECT_EQ(report.faults[1].kind, FaultKind::kUnmatchedSend);
  EXPECT_EQ(report.faults[1].text, "rank 0, event 0: nobody receives the message to rank 1 with tag 5 of 8 bytes");
}

TEST(MatchCheck, NamesTheCircleOfADeadlock) {
  const MatchReport report = check({{message(v1::RECV, 1, 5, 8), message(v1::SEND, 1, 5, 8)},
                                    {message(v1::RECV, 0, 5, 8), message(v1::SEND, 0, 5, 8)}});
  ASSERT_GE(report.faults.size(), 1);
  EXPECT_EQ(report.faults[0].kind, FaultKind::kDeadlock);
  EXPECT_THAT(report.faults[0].text,
              AllOf(HasSubstr("rank 0, event 0 (recv) waits for its receive from rank 1 with tag 5"),
                    HasSubstr("rank 1, event 0 (recv) waits for its receive from rank 0 with tag 5")));
}

TEST(MatchCheck, SendsThatNeedBuffersAreFoundWhenAskedFor) {
  const Program program = {{message(v1::SEND, 1, 5, 8), message(v1::RECV, 1, 5, 8)},
                           {message(v1::SEND, 0, 5, 8), message(v1::RECV, 0, 5, 8)}};
  EXPECT_TRUE(check(program).ok());
  const MatchReport report = check(program, true);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.faults[0].kind, FaultKind::kDeadlock);
}

TEST(MatchCheck, CollectiveAgainstMessageIsADeadlock) {
  const MatchReport report =
      check({{event_of(v1::BARRIER), message(v1::SEND, 1, 5, 8)}, {message(v1::RECV, 0, 5, 8), event_of(v1::BARRIER)}});
  ASSERT_FALSE(report.ok());
  EXPECT_THAT(report.faults[0].text, AllOf(HasSubstr("deadlock"), HasSubstr("waits in collective 0 for rank 1")));
}

TEST(MatchCheck, RootOfABroadcastDoesNotWait) {
  const Program program = {{collective(v1::BCAST, 1), message(v1::SEND, 1, 5, 8)},
                           {message(v1::RECV, 0, 5, 8), collective(v1::BCAST, 1)}};
  EXPECT_TRUE(check(program).ok());
  EXPECT_FALSE(check(program, true).ok());
}

TEST(MatchCheck, NamesDifferentCollectives) {
  const MatchReport sizes =
      check({{collective(v1::ALLREDUCE, 1)}, {compute_for(Time::from_ns(1)), collective(v1::ALLREDUCE, 2)}});
  ASSERT_EQ(sizes.fault_count, 1);
  EXPECT_EQ(sizes.faults[0].text,
            "collective 0: rank 0, event 0 is allreduce of 1 bytes, but rank 1, event 1 is allreduce of 2 bytes");
  const MatchReport roots = check({{collective(v1::BCAST, 1, v1::INT, 0)}, {collective(v1::BCAST, 1, v1::INT, 1)}});
  ASSERT_EQ(roots.fault_count, 1);
  EXPECT_THAT(roots.faults[0].text, HasSubstr("with root 1"));
  const MatchReport missing = check({{collective(v1::ALLREDUCE, 1)}, {}});
  ASSERT_EQ(missing.fault_count, 1);
  EXPECT_THAT(missing.faults[0].text, HasSubstr("waits in collective 0 for rank 1, which ends after 0 collectives"));
}

TEST(MatchCheck, CountsOfAnAlltoallvMustFit) {
  TraceEvent event = event_of(v1::ALLTOALLV);
  event.send_counts = {1, 2};
  event.receive_counts = {1, 3};
  TraceEvent other = event_of(v1::ALLTOALLV);
  other.send_counts = {3, 4};
  other.receive_counts = {2, 4};
  EXPECT_TRUE(check({{event}, {other}}).ok());
  other.receive_counts = {3, 4};
  EXPECT_EQ(check({{event}, {other}}).faults[0].kind, FaultKind::kCollectiveMismatch);
}

TEST(MatchCheck, NamesTruncationAndForgottenRequests) {
  const MatchReport report =
      check({{message(v1::SEND, 1, 5, 9)}, {message(v1::IRECV, 0, 5, 8), message(v1::WAIT_RECV, 0, 4)}});
  ASSERT_EQ(report.fault_count, 3);
  EXPECT_EQ(report.faults[0].kind, FaultKind::kTruncation);
  EXPECT_THAT(report.faults[0].text, HasSubstr("takes a message of 9 bytes (rank 0, event 0)"));
  EXPECT_EQ(report.faults[1].kind, FaultKind::kWaitForNothing);
  EXPECT_EQ(report.faults[2].kind, FaultKind::kNotCompleted);
}

TEST(MatchCheck, SourceErrorsComeThrough) {
  ProgramSource broken({{event_of(v1::INIT)}});
  broken.fail_at(0, 0);
  EXPECT_EQ(check_matching(broken).status().code(), absl::StatusCode::kDataLoss);
}

// A sound run with one event of one rank taken away, doubled or changed is never called sound.
RC_GTEST_PROP(MatchCheckProperty, FindsAnyInjectedFault, ()) {
  HpcgOptions options;
  options.ranks = 4;
  options.local = {8, 8, 8};
  options.reference_iterations = 1;
  Program program = program_of(**Hpcg::create(options));
  const size_t rank = *rc::gen::inRange<size_t>(0, 4);
  std::vector<TraceEvent>& events = program[rank];
  // Not init and finalize.
  const size_t number = *rc::gen::inRange<size_t>(1, events.size() - 1);
  const auto at = events.begin() + static_cast<std::ptrdiff_t>(number);
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      events.erase(at);
      break;
    case 1:
      events.insert(at, TraceEvent(*at));
      break;
    default:
      if (action_shape(at->action).tag) {
        ++at->tag;
      } else {
        ++at->count;
      }
  }
  const MatchReport report = check(program);
  RC_ASSERT(!report.ok());
  RC_ASSERT(!report.faults.empty());
}

}  // namespace
}  // namespace fabrictwin
