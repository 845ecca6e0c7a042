// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/check/trace_match_check.h"

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

trace::check::MatchReport check(const Program& program, bool synchronous = false) {
  const auto report = trace::check::check_matching(ProgramSource(program), {.synchronous = synchronous});
  EXPECT_TRUE(report.ok()) << report.status();
  return *report;
}

TEST(MatchCheck, SoundProgramHasNoFaults) {
  const trace::check::MatchReport report =
      check({{message(v1::ISEND, 1, 5, 100), collective(v1::ALLREDUCE, 1), message(v1::WAIT_SEND, 1, 5)},
             {message(v1::IRECV, trace::format::kAnySource, 5, 100), collective(v1::ALLREDUCE, 1),
              message(v1::WAIT_RECV, trace::format::kAnySource, 5)}},
            true);
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.messages, 1);
  EXPECT_EQ(report.collectives, 1);
  EXPECT_EQ(report.events, 6);
}

TEST(MatchCheck, NamesUnmatchedEnds) {
  const trace::check::MatchReport report = check({{message(v1::SEND, 1, 5, 8)}, {message(v1::RECV, 0, 6, 8)}});
  ASSERT_EQ(report.fault_count, 2);
  EXPECT_EQ(report.faults[0].kind, trace::check::FaultKind::kUnmatchedRecv);
  EXPECT_EQ(report.faults[0].text, "rank 1, event 0: nothing comes for the receive from rank 0 with tag 6 of 8 bytes");
  EXPECT_EQ(report.faults[1].kind, trace::check::FaultKind::kUnmatchedSend);
  EXPECT_EQ(report.faults[1].text, "rank 0, event 0: nobody receives the message to rank 1 with tag 5 of 8 bytes");
}

TEST(MatchCheck, NamesTheCircleOfADeadlock) {
  const trace::check::MatchReport report = check({{message(v1::RECV, 1, 5, 8), message(v1::SEND, 1, 5, 8)},
                                                  {message(v1::RECV, 0, 5, 8), message(v1::SEND, 0, 5, 8)}});
  ASSERT_GE(report.faults.size(), 1);
  EXPECT_EQ(report.faults[0].kind, trace::check::FaultKind::kDeadlock);
  EXPECT_THAT(report.faults[0].text,
              AllOf(HasSubstr("rank 0, event 0 (recv) waits for its receive from rank 1 with tag 5"),
                    HasSubstr("rank 1, event 0 (recv) waits for its receive from rank 0 with tag 5")));
}

TEST(MatchCheck, SendsThatNeedBuffersAreFoundWhenAskedFor) {
  const Program program = {{message(v1::SEND, 1, 5, 8), message(v1::RECV, 1, 5, 8)},
                           {message(v1::SEND, 0, 5, 8), message(v1::RECV, 0, 5, 8)}};
  EXPECT_TRUE(check(program).ok());
  const trace::check::MatchReport report = check(program, true);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.faults[0].kind, trace::check::FaultKind::kDeadlock);
}

TEST(MatchCheck, CollectiveAgainstMessageIsADeadlock) {
  const trace::check::MatchReport report =
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
  const trace::check::MatchReport sizes =
      check({{collective(v1::ALLREDUCE, 1)}, {compute_for(Time::from_ns(1)), collective(v1::ALLREDUCE, 2)}});
  ASSERT_EQ(sizes.fault_count, 1);
  EXPECT_EQ(sizes.faults[0].text,
            "collective 0: rank 0, event 0 is allreduce of 1 bytes, but rank 1, event 1 is allreduce of 2 bytes");
  const trace::check::MatchReport roots =
      check({{collective(v1::BCAST, 1, v1::INT, 0)}, {collective(v1::BCAST, 1, v1::INT, 1)}});
  ASSERT_EQ(roots.fault_count, 1);
  EXPECT_THAT(roots.faults[0].text, HasSubstr("with root 1"));
  const trace::check::MatchReport missing = check({{collective(v1::ALLREDUCE, 1)}, {}});
  ASSERT_EQ(missing.fault_count, 1);
  EXPECT_THAT(missing.faults[0].text, HasSubstr("waits in collective 0 for rank 1, which ends without it"));
}

TEST(MatchCheck, CountsOfAnAlltoallvMustFit) {
  trace::format::Event event = event_of(v1::ALLTOALLV);
  event.send_counts = {1, 2};
  event.receive_counts = {1, 3};
  trace::format::Event other = event_of(v1::ALLTOALLV);
  other.send_counts = {3, 4};
  other.receive_counts = {2, 4};
  EXPECT_TRUE(check({{event}, {other}}).ok());
  other.receive_counts = {3, 4};
  EXPECT_EQ(check({{event}, {other}}).faults[0].kind, trace::check::FaultKind::kCollectiveMismatch);
}

TEST(MatchCheck, NamesTruncationAndForgottenRequests) {
  const trace::check::MatchReport report =
      check({{message(v1::SEND, 1, 5, 9)}, {message(v1::IRECV, 0, 5, 8), message(v1::WAIT_RECV, 0, 4)}});
  ASSERT_EQ(report.fault_count, 3);
  EXPECT_EQ(report.faults[0].kind, trace::check::FaultKind::kTruncation);
  EXPECT_THAT(report.faults[0].text, HasSubstr("takes a message of 9 bytes (rank 0, event 0)"));
  EXPECT_EQ(report.faults[1].kind, trace::check::FaultKind::kWaitForNothing);
  EXPECT_EQ(report.faults[2].kind, trace::check::FaultKind::kNotCompleted);
}

TEST(MatchCheck, CommunicatorsHaveCollectivesAndMessagesOfTheirOwn) {
  const trace::format::Event even = make_communicator(1, {2, 0});
  const trace::format::Event odd = make_communicator(1, {1, 3});
  const trace::format::Event barrier = in(1, event_of(v1::BARRIER));
  const Program program = {
      {even, barrier, in(1, message(v1::SEND, 2, 5, 8)), message(v1::SEND, 2, 5, 16), event_of(v1::BARRIER)},
      {odd, barrier, barrier, event_of(v1::BARRIER)},
      {even, barrier, message(v1::RECV, 0, 5, 16), in(1, message(v1::RECV, 0, 5, 8)), event_of(v1::BARRIER)},
      {odd, barrier, barrier, event_of(v1::BARRIER)}};
  const trace::check::MatchReport report = check(program);
  EXPECT_TRUE(report.ok()) << report.faults[0].text;
  EXPECT_EQ(report.collectives, 4);
  Program lacks = program;
  lacks[3].erase(lacks[3].begin() + 1);
  EXPECT_THAT(check(lacks).faults[0].text,
              HasSubstr("rank 1, event 2 (barrier) waits in collective 1 of communicator 1 for rank 3"));
  Program other = program;
  other[3][2] = in(1, collective(v1::ALLREDUCE, 4));
  EXPECT_THAT(check(other).faults[0].text,
              AllOf(HasSubstr("collective 1 of communicator 1"), HasSubstr("rank 3, event 2 is allreduce"),
                    HasSubstr("rank 1, event 2 is barrier")));
}

// What MPI_Comm_split by rank or pair, free, and MPI_Comm_dup of the world leave: number 1 each time, and for some
// ranks the same first member.
Program numbers_used_again(uint32_t ranks, uint32_t together) {
  trace::format::Event free = event_of(v1::COMM_FREE);
  free.count = 1;
  const trace::format::Event barrier = in(1, event_of(v1::BARRIER));
  Program program(ranks);
  std::vector<uint64_t> all;
  for (uint64_t rank = 0; rank < ranks; ++rank) all.push_back(rank);
  for (uint64_t rank = 0; rank < ranks; ++rank) {
    std::vector<uint64_t> part;
    for (const uint64_t other : all) {
      if (other / together == rank / together) part.push_back(other);
    }
    program[rank] = {make_communicator(1, part), barrier, free, make_communicator(1, all), barrier, free};
  }
  return program;
}

TEST(MatchCheck, NumbersOfCommunicatorsAreUsedAgain) {
  for (const auto& [ranks, together] : {std::pair(2, 1), std::pair(4, 2), std::pair(5, 2)}) {
    for (const bool synchronous : {false, true}) {
      const trace::check::MatchReport report = check(numbers_used_again(ranks, together), synchronous);
      EXPECT_TRUE(report.ok()) << report.faults[0].text;
      EXPECT_EQ(report.collectives, (ranks + together - 1) / together + 1);
    }
  }
}

TEST(MatchCheck, RanksUseNumbersOfCommunicatorsAgainAtDifferentTimes) {
  trace::format::Event free = event_of(v1::COMM_FREE);
  free.count = 1;
  const trace::format::Event barrier = in(1, event_of(v1::BARRIER));
  const trace::format::Event behind = make_communicator(1, {1, 2, 3});
  const trace::format::Event front = make_communicator(1, {0, 1});
  const trace::format::Event all = make_communicator(1, {0, 1, 2, 3});
  Program program = {{front, barrier, free, all, in(1, collective(v1::BCAST, 4)), free},
                     {behind, barrier, free, front, barrier, free, all, in(1, collective(v1::BCAST, 4)), free},
                     {behind, barrier, free, all, in(1, collective(v1::BCAST, 4)), free},
                     {behind, barrier, free, all, in(1, collective(v1::BCAST, 4)), free}};
  EXPECT_TRUE(check(program).ok()) << check(program).faults[0].text;
  // The third time one of other members.
  program[1][6] = make_communicator(1, {0, 1, 2});
  EXPECT_THAT(check(program).faults[0].text,
              HasSubstr("rank 3, event 3 makes communicator 1 of other members than rank 1, event 6"));
}

TEST(MatchCheck, NamesWrongCommunicators) {
  const trace::check::MatchReport unknown = check({{in(3, message(v1::SEND, 0, 5, 8))}});
  EXPECT_EQ(unknown.faults[0].kind, trace::check::FaultKind::kCommunicator);
  EXPECT_EQ(unknown.faults[0].text, "rank 0, event 0 (send): there is no communicator 3");
  const trace::format::Event one = make_communicator(1, {0, 1});
  EXPECT_EQ(check({{one, in(1, message(v1::SEND, 2, 5, 8))}, {one}, {}}).faults[0].text,
            "rank 0, event 1 (send): rank 2 is no member of communicator 1");
  EXPECT_THAT(check({{one}, {make_communicator(1, {0, 1, 2})}, {}}).faults[0].text,
              HasSubstr("rank 1, event 0 makes communicator 1 of other members than rank 0, event 0"));
  EXPECT_EQ(check({{one, one}, {one}}).faults[0].text,
            "rank 0, event 1 (comm_create): communicator 1 is there already");
  trace::format::Event free = event_of(v1::COMM_FREE);
  free.count = 1;
  EXPECT_TRUE(check({{one, free, one, free}, {one, free, one, free}}).ok());
  EXPECT_EQ(check({{free}}).faults[0].text, "rank 0, event 0 (comm_free): there is no communicator 1 to free");
}

TEST(MatchCheck, SynchronousSendsWaitAndBufferedOnesDoNot) {
  const auto crossed = [](v1::TraceAction send) {
    return Program{{message(send, 1, 5, 8), message(v1::RECV, 1, 5, 8)},
                   {message(send, 0, 5, 8), message(v1::RECV, 0, 5, 8)}};
  };
  EXPECT_THAT(check(crossed(v1::SSEND)).faults[0].text,
              AllOf(HasSubstr("deadlock: rank 0, event 0 (ssend) waits for its send to rank 1 with tag 5"),
                    HasSubstr("rank 1, event 0 (ssend)")));
  EXPECT_TRUE(check(crossed(v1::BSEND), true).ok());
}

TEST(MatchCheck, ProbesWaitForTheirMessageAndLeaveIt) {
  const trace::format::Event probe = message(v1::PROBE, trace::format::kAnySource, trace::format::kAnyTag);
  EXPECT_TRUE(check({{probe, message(v1::RECV, 1, 5, 8)}, {message(v1::SEND, 0, 5, 8)}}).ok());
  const trace::check::MatchReport report = check({{message(v1::PROBE, 1, 6), message(v1::RECV, 1, 5, 8)},
                                                  {message(v1::SEND, 0, 5, 8), message(v1::RECV, 0, 1, 8)}});
  EXPECT_THAT(report.faults[0].text,
              AllOf(HasSubstr("rank 0, event 0 (probe) waits for a message from rank 1 with tag 6"),
                    HasSubstr("rank 1, event 1 (recv)")));
}

TEST(MatchCheck, NamesProbesThatNothingComesFor) {
  EXPECT_EQ(check({{message(v1::PROBE, 1, 6)}, {}}).faults[0].text,
            "rank 0, event 0: nothing comes for the probe of rank 1 with tag 6");
}

TEST(MatchCheck, CollectivesThatDoNotBlockAreWaitedForByAge) {
  const trace::format::Event reduce = collective(v1::IALLREDUCE, 8);
  const Program program = {{reduce, message(v1::ISEND, 1, 5, 8), wait_after(1), wait_after(0)},
                           {message(v1::IRECV, 0, trace::format::kAnyTag, 8), reduce, wait_after(1), wait_after(0)}};
  EXPECT_TRUE(check(program).ok()) << check(program).faults[0].text;
  Program twice = program;
  twice[0].push_back(wait_after(0));
  EXPECT_EQ(check(twice).faults[0].text,
            "rank 0, event 4: waits for the request after which 0 others were started, but there is no such request");
  Program forgotten = program;
  forgotten[1].pop_back();
  EXPECT_EQ(check(forgotten).faults[0].text, "rank 1, event 1: no wait completes collective 0");
  Program blocking = program;
  blocking[1][1] = collective(v1::ALLREDUCE, 8);
  EXPECT_THAT(check(blocking).faults[0].text, HasSubstr("is iallreduce of 8 bytes, but rank 1, event 1 is allreduce"));
  EXPECT_THAT(check({{collective(v1::BCAST, 8)}, {}}).faults[0].text, HasSubstr("rank 1 does not call it"));
}

TEST(MatchCheck, SourceErrorsComeThrough) {
  ProgramSource broken({{event_of(v1::INIT)}});
  broken.fail_at(0, 0);
  EXPECT_EQ(trace::check::check_matching(broken).status().code(), absl::StatusCode::kDataLoss);
}

// A sound run with one event of one rank taken away, doubled or changed is never called sound.
RC_GTEST_PROP(MatchCheckProperty, FindsAnyInjectedFault, ()) {
  skeleton::HpcgOptions options;
  options.ranks = 4;
  options.local = {8, 8, 8};
  options.reference_iterations = 1;
  Program program = program_of(**skeleton::Hpcg::create(options));
  const size_t rank = *rc::gen::inRange<size_t>(0, 4);
  std::vector<trace::format::Event>& events = program[rank];
  // Not init and finalize.
  const size_t number = *rc::gen::inRange<size_t>(1, events.size() - 1);
  const auto at = events.begin() + static_cast<std::ptrdiff_t>(number);
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      events.erase(at);
      break;
    case 1:
      events.insert(at, trace::format::Event(*at));
      break;
    default:
      if (trace::format::action_shape(at->action).tag) {
        ++at->tag;
      } else {
        ++at->count;
      }
  }
  const trace::check::MatchReport report = check(program);
  RC_ASSERT(!report.ok());
  RC_ASSERT(!report.faults.empty());
}

}  // namespace
}  // namespace fabrictwin
