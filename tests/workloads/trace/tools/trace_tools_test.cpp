// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Cut, scale, merge, compare, and collectives as messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "tests/workloads/program_source.h"
#include "tests/workloads/random_event.h"
#include "workloads/mpi/expanded_trace.h"
#include "workloads/skeleton/hpcg.h"
#include "workloads/trace/check/trace_match_check.h"
#include "workloads/trace/tools/compare.h"
#include "workloads/trace/tools/cut.h"
#include "workloads/trace/tools/merge.h"
#include "workloads/trace/tools/scale.h"

namespace fabrictwin {
namespace {

using testing::HasSubstr;

std::shared_ptr<const trace::format::Source> hpcg(uint32_t ranks) {
  skeleton::HpcgOptions options;
  options.ranks = ranks;
  options.local = {8, 8, 8};
  options.reference_iterations = 1;
  options.host = *skeleton::find_host_profile("x86");
  return *skeleton::Hpcg::create(options);
}

std::shared_ptr<const trace::format::Source> source(Program program) {
  return std::make_shared<const ProgramSource>(std::move(program));
}

uint64_t faults(const trace::format::Source& trace) {
  const auto report = trace::check::check_matching(trace, {.synchronous = true});
  EXPECT_TRUE(report.ok()) << report.status();
  return report->fault_count;
}

TEST(TraceScale, ScalesTimesAndSizesOnly) {
  trace::format::Event reduce = collective(v1::ALLREDUCE, 3, v1::DOUBLE);
  reduce.duration = Time::from_ns(5);
  const Program program = {{compute_for(Time::from_ns(10)), message(v1::SEND, 0, 7, 5), reduce, event_of(v1::WAITALL)}};
  const auto scaled = trace::tools::scale_trace(source(program), {.compute = 2.5, .sizes = 0.5});
  ASSERT_TRUE(scaled.ok());
  const Program result = program_of(**scaled);
  EXPECT_EQ(result[0][0].duration, Time::from_ns(25));
  EXPECT_EQ(result[0][1].count, 3);
  EXPECT_EQ(result[0][1].tag, 7);
  EXPECT_EQ(result[0][2].count, 2);
  EXPECT_EQ(result[0][2].duration, Time::from_fs(12'500'000));
}

TEST(TraceScale, RefusesWrongFactorsAndTooLargeResults) {
  for (const double factor : {-1.0, 2e9, std::nan("")})
    EXPECT_FALSE(trace::tools::scale_trace(hpcg(2), {.compute = factor}).ok()) << factor;
  const auto large = trace::tools::scale_trace(
      source({{event_of(v1::INIT), message(v1::SEND, 0, 0, trace::format::kMaxMessageBytes)}}), {.sizes = 2});
  const auto events = (*large)->rank(0);
  trace::format::Event event;
  EXPECT_TRUE(*events->next(event));
  EXPECT_THAT(std::string(events->next(event).status().message()), HasSubstr("rank 0, event 1: becomes too large"));
}

TEST(TraceCut, PartBetweenCollectivesIsSound) {
  const auto trace = hpcg(8);
  const auto part = trace::tools::cut_trace(trace, {.first_collective = 8, .end_collective = 20});
  ASSERT_TRUE(part.ok()) << part.status();
  const auto report = trace::check::check_matching(**part);
  EXPECT_EQ(report->collectives, 12);
  const Program program = program_of(**part);
  EXPECT_EQ(program[3].front().action, v1::INIT);
  EXPECT_EQ(program[3][1].action, v1::ALLREDUCE);
  EXPECT_EQ(program[3].back().action, v1::FINALIZE);
}

TEST(TraceCut, AllOfATraceIsTheTrace) {
  const auto trace = hpcg(4);
  EXPECT_EQ(program_of(**trace::tools::cut_trace(trace, {})), program_of(*trace));
}

TEST(TraceCut, RanksAreNumberedAnew) {
  trace::format::Event each = event_of(v1::ALLTOALLV);
  each.send_counts = {1, 2, 3};
  each.receive_counts = {4, 5, 6};
  Program program(3);
  program[0] = {message(v1::SEND, 1, 0, 8), message(v1::SEND, 2, 0, 9)};
  program[1] = {message(v1::RECV, 0, 0, 8), message(v1::IRECV, 2, 1, 4), message(v1::WAIT_RECV, 2, 1)};
  program[2] = {message(v1::RECV, 0, 0, 9), message(v1::SEND, 1, 1, 4)};
  trace::format::Event exchange = event_of(v1::SENDRECV);
  exchange.peer = 1;
  exchange.receive_peer = 2;
  exchange.count = 3;
  exchange.receive_count = 5;
  program[0].push_back(exchange);
  program[1].push_back(message(v1::RECV, 0, 0, 3));
  program[2].push_back(message(v1::SEND, 0, 0, 5));
  for (auto& events : program) events.push_back(collective(v1::BCAST, 1, v1::INT, 1));
  ASSERT_EQ(faults(ProgramSource(program)), 0);
  for (auto& events : program) events.push_back(each);
  trace::tools::CutOptions options;
  options.ranks = {0, 2};
  const auto part = trace::tools::cut_trace(source(program), options);
  // The counts above do not fit, which is a fault that the part would have, too.
  EXPECT_THAT(std::string(part.status().message()), HasSubstr("cannot be cut there"));
  for (auto& events : program) events.back().receive_counts = {1, 1, 1};
  for (auto& events : program) events.back().send_counts = {1, 1, 1};
  const auto sound = trace::tools::cut_trace(source(program), options);
  ASSERT_TRUE(sound.ok()) << sound.status();
  const Program result = program_of(**sound);
  ASSERT_EQ(result.size(), 2);
  EXPECT_EQ(result[0][0], message(v1::SEND, 1, 0, 9));
  EXPECT_EQ(result[0][1], message(v1::RECV, 1, 0, 5));
  EXPECT_EQ(result[0][2].peer, 0);
  EXPECT_EQ(result[0][3].send_counts, (std::vector<uint64_t>{1, 1}));
  EXPECT_EQ(result[1][0], message(v1::RECV, 0, 0, 9));
}

TEST(TraceCut, RefusesWhatCannotBeCut) {
  const auto message_of_cut = [](const Program& program, const trace::tools::CutOptions& options) {
    const auto part = trace::tools::cut_trace(source(program), options);
    EXPECT_FALSE(part.ok());
    return std::string(part.status().message());
  };
  const Program crossing = {{message(v1::ISEND, 1, 3), event_of(v1::BARRIER), message(v1::WAIT_SEND, 1, 3)},
                            {event_of(v1::BARRIER), message(v1::RECV, 0, 3)}};
  EXPECT_THAT(message_of_cut(crossing, {.end_collective = 1}), HasSubstr("messages are under way"));
  EXPECT_THAT(message_of_cut(crossing, {.ranks = {2}}), HasSubstr("ranks must be 0 to 1"));
  EXPECT_THAT(message_of_cut(crossing, {.ranks = {1, 1}}), HasSubstr("each once"));
  EXPECT_THAT(message_of_cut(crossing, {.end_collective = 3}),
              HasSubstr("calls 1 collectives of all ranks, so there is none of number 2 (from 0)"));
  EXPECT_THAT(message_of_cut(crossing, {.first_collective = 1, .end_collective = 1}), HasSubstr("nothing is between"));
  const Program any = {{message(v1::RECV, trace::format::kAnySource, 3)}, {message(v1::SEND, 0, 3)}};
  EXPECT_THAT(message_of_cut(any, {.ranks = {0}}), HasSubstr("rank 0, event 0: a receive from any source"));
  const Program probes = {{message(v1::PROBE, trace::format::kAnySource, 3)}, {message(v1::SEND, 0, 3)}};
  EXPECT_THAT(message_of_cut(probes, {.ranks = {0}}),
              testing::AllOf(HasSubstr("a probe from any source"),
                             HasSubstr("leave this rank out, too, or cut by collectives only")));
}

TEST(TraceMerge, JobsDoNotMeet) {
  const auto one = mpi::expand_collectives(hpcg(4));
  const auto two = mpi::expand_collectives(hpcg(8));
  const auto merged = trace::tools::merge_traces({one, two});
  ASSERT_TRUE(merged.ok()) << merged.status();
  EXPECT_EQ((*merged)->ranks(), 12);
  EXPECT_EQ(faults(**merged), 0);
  const Program program = program_of(**merged);
  const Program first = program_of(*one);
  EXPECT_TRUE(std::equal(first.begin(), first.end(), program.begin()));
  for (size_t rank = 4; rank < 12; ++rank) {
    for (const trace::format::Event& event : program[rank]) {
      if (trace::format::action_shape(event.action).peers > 0) {
        ASSERT_GE(event.peer, 4);
      }
    }
  }
}

TEST(TraceMerge, CollectivesStayWithTheirJob) {
  const auto merged = trace::tools::merge_traces({hpcg(2), hpcg(4)});
  ASSERT_TRUE(merged.ok());
  EXPECT_EQ(faults(**merged), 0);
  const Program program = program_of(**merged);
  const Program second = program_of(*hpcg(4));
  ASSERT_EQ(program[3].size(), second[1].size() + 1) << "one event more makes the communicator";
  EXPECT_EQ(program[3][2], make_communicator(trace::format::kMaxCommunicator, {2, 3, 4, 5}));
  EXPECT_EQ(program[3][3], in(trace::format::kMaxCommunicator, second[1][2]));
  EXPECT_FALSE(trace::tools::merge_traces({}).ok());
}

// Of a merge, and of what uses the highest number, as recordings do for MPI_COMM_SELF.
TEST(TraceMerge, NumbersInUseAreLeftAlone) {
  const auto merged = trace::tools::merge_traces({hpcg(2), hpcg(4)});
  const auto again = trace::tools::merge_traces({*merged, hpcg(2)});
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(faults(**again), 0);
  const Program once = program_of(**merged);
  const Program twice = program_of(**again);
  EXPECT_TRUE(std::equal(once.begin(), once.end(), twice.begin()));
  EXPECT_EQ(twice[6][2], make_communicator(trace::format::kMaxCommunicator, {6, 7}));

  const auto self = [](uint64_t rank) {
    return std::vector<trace::format::Event>{make_communicator(trace::format::kMaxCommunicator, {rank}),
                                             in(trace::format::kMaxCommunicator, event_of(v1::BARRIER)),
                                             event_of(v1::BARRIER)};
  };
  const auto recorded = source({self(0), self(1)});
  const auto both = trace::tools::merge_traces({recorded, recorded});
  ASSERT_TRUE(both.ok()) << both.status();
  EXPECT_EQ(faults(**both), 0);
  const Program result = program_of(**both);
  EXPECT_EQ(result[3],
            (std::vector<trace::format::Event>{make_communicator(trace::format::kMaxCommunicator, {3}),
                                               in(trace::format::kMaxCommunicator, event_of(v1::BARRIER)),
                                               make_communicator(trace::format::kMaxCommunicator - 1, {2, 3}),
                                               in(trace::format::kMaxCommunicator - 1, event_of(v1::BARRIER))}));
}

TEST(TraceMerge, RefusesTracesThatUseAllNumbers) {
  std::vector<trace::format::Event> events;
  for (uint32_t number = 1; number <= trace::format::kMaxCommunicator; ++number)
    events.push_back(make_communicator(number, {0}));
  const auto without = trace::tools::merge_traces({source({events}), source({events})});
  ASSERT_TRUE(without.ok()) << without.status();
  EXPECT_EQ(program_of(**without)[0], events) << "its world needs no number";
  events.push_back(event_of(v1::BARRIER));
  const auto merged = trace::tools::merge_traces({source({events})});
  ASSERT_TRUE(merged.ok()) << merged.status();
  const auto read = (*merged)->rank(0);
  trace::format::Event event;
  absl::StatusOr<bool> more = true;
  while (more.ok() && *more) more = read->next(event);
  EXPECT_EQ(more.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(more.status().message()), HasSubstr("rank 0, event 2047: there is no number left"));
}

TEST(TraceMerge, MembersOfCommunicatorsMoveAlong) {
  const trace::format::Event make = make_communicator(1, {1, 0});
  const Program program = {{make, in(1, collective(v1::BCAST, 4, v1::BYTE, 1))},
                           {make, in(1, collective(v1::BCAST, 4, v1::BYTE, 1))}};
  const auto merged = trace::tools::merge_traces({source(program), source(program)});
  ASSERT_TRUE(merged.ok());
  EXPECT_EQ(faults(**merged), 0);
  const Program result = program_of(**merged);
  EXPECT_EQ(result[0], program[0]);
  EXPECT_EQ(result[2][0], make_communicator(1, {3, 2}));
  EXPECT_EQ(result[2][1].peer, 3);
}

TEST(TraceCut, CommunicatorsLoseWhoIsLeftOut) {
  const trace::format::Event make = make_communicator(4, {2, 1, 0});
  trace::format::Event gather = in(4, collective(v1::GATHERV, 3, v1::BYTE, 1));
  gather.receive_count = 0;
  gather.receive_counts = {3, 3, 3};
  Program program(3);
  program[0] = {make, message(v1::ISEND, 1, 3, 8), message(v1::IRECV, 2, 3, 8), gather, wait_after(1), wait_after(0)};
  program[1] = {make, message(v1::RECV, 0, 3, 8), gather};
  program[2] = {make, message(v1::SEND, 0, 3, 8), gather};
  ASSERT_EQ(faults(ProgramSource(program)), 0);
  const auto part = trace::tools::cut_trace(source(program), {.ranks = {0, 2}});
  ASSERT_TRUE(part.ok()) << part.status();
  const Program result = program_of(**part);
  trace::format::Event less = gather;
  less.peer = 1;
  less.receive_counts = {3, 3};
  EXPECT_EQ(result[0], (std::vector<trace::format::Event>{make_communicator(4, {1, 0}), message(v1::IRECV, 1, 3, 8),
                                                          less, wait_after(0)}));
  EXPECT_EQ(faults(**part), 0);
}

TEST(TraceCut, NumbersOfCommunicatorsAreUsedAgain) {
  trace::format::Event free = event_of(v1::COMM_FREE);
  free.count = 1;
  const trace::format::Event all = make_communicator(1, {0, 1});
  const trace::format::Event barrier = in(1, event_of(v1::BARRIER));
  const Program program = {{make_communicator(1, {0}), barrier, free, all, barrier, free, event_of(v1::BARRIER)},
                           {make_communicator(1, {1}), barrier, free, all, barrier, free, event_of(v1::BARRIER)}};
  const auto part = trace::tools::cut_trace(source(program), {.end_collective = 1});
  ASSERT_TRUE(part.ok()) << part.status();
  EXPECT_EQ(program_of(**part), program);
}

TEST(TraceScale, LeavesCommunicatorsAndAgesAlone) {
  const Program program = {{make_communicator(3, {0}), message(v1::ISEND, 0, 1, 8), message(v1::IRECV, 0, 1, 8),
                            wait_after(1), wait_after(0)}};
  const auto scaled = trace::tools::scale_trace(source(program), {.sizes = 10});
  ASSERT_TRUE(scaled.ok());
  Program expected = program;
  expected[0][1].count = expected[0][2].count = 80;
  EXPECT_EQ(program_of(**scaled), expected);
}

TEST(ExpandedTrace, RefusesTagsOfItsOwnAndUnknownCollectives) {
  const auto refusal = [](const trace::format::Event& event) {
    const auto trace = mpi::expand_collectives(source({{event_of(v1::INIT), event}}));
    const auto events = trace->rank(0);
    trace::format::Event read;
    EXPECT_TRUE(*events->next(read));
    return std::string(events->next(read).status().message());
  };
  EXPECT_THAT(refusal(message(v1::SEND, 0, mpi::kCollectiveTag)), HasSubstr("rank 0, event 1: tag 1073741824"));
  EXPECT_THAT(refusal(collective(v1::IBCAST, 1)), HasSubstr("rank 0, event 1: ibcast goes on while its rank does"));
  EXPECT_THAT(refusal(message(v1::RECV, 0, trace::format::kAnyTag)),
              HasSubstr("a receive of any tag could take a message of a collective; let the program"));
  EXPECT_THAT(refusal(message(v1::PROBE, 0, trace::format::kAnyTag)), HasSubstr("a probe of any tag"));
  EXPECT_THAT(refusal(in(1, message(v1::SEND, 0, 1))), HasSubstr("there is no communicator 1"));
  EXPECT_THAT(refusal(wait_after(0)), HasSubstr("there is no such request"));
}

// Collectives of any kind and size become messages that fit together.
RC_GTEST_PROP(ExpandedTraceProperty, MessagesOfCollectivesMatch, ()) {
  const uint32_t ranks = *rc::gen::inRange<uint32_t>(1, 12);
  Program program(ranks);
  // The same ranks in another order.
  std::vector<uint64_t> members(ranks);
  for (uint32_t i = 0; i < ranks; ++i) members[i] = (i + 1) % ranks;
  for (auto& events : program) events.push_back(make_communicator(5, members));
  const std::vector<v1::TraceAction> actions = {v1::BARRIER, v1::BCAST,     v1::REDUCE,   v1::ALLREDUCE, v1::SCAN,
                                                v1::EXSCAN,  v1::ALLGATHER, v1::ALLTOALL, v1::GATHER,    v1::SCATTER};
  for (int i = 0; i < 4; ++i) {
    const v1::TraceAction action = *rc::gen::elementOf(actions);
    const uint64_t count = action == v1::BARRIER ? 0 : *rc::gen::inRange<uint64_t>(0, 100'000);
    const int32_t root =
        trace::format::action_shape(action).peers == 1 ? *rc::gen::inRange(0, static_cast<int>(ranks)) : 0;
    const uint32_t communicator = *rc::gen::element(0u, 5u);
    for (auto& events : program) events.push_back(in(communicator, collective(action, count, v1::INT, root)));
  }
  RC_ASSERT(faults(*mpi::expand_collectives(source(program))) == 0);
}

TEST(TraceCompare, SaysWhereTracesDiffer) {
  const Program one = {{compute_for(Time::from_ns(1)), message(v1::SEND, 0, 1, 8)}, {event_of(v1::BARRIER)}};
  Program other = {{message(v1::SEND, 0, 1, 9)}, {event_of(v1::BARRIER), event_of(v1::FINALIZE)}};
  const auto difference = trace::tools::compare_traces(ProgramSource(one), ProgramSource(other));
  ASSERT_TRUE(difference.ok());
  EXPECT_EQ(difference->differing_events, 2);
  EXPECT_EQ(difference->same_shape_ranks, 1);
  ASSERT_EQ(difference->first_differences.size(), 2);
  EXPECT_EQ(
      difference->first_differences[0],
      "rank 0, event 0 (computations not counted): send peer 0 tag 1 count 8 byte against send peer 0 tag 1 count "
      "9 byte");
  EXPECT_THAT(difference->first_differences[1], HasSubstr("its end against finalize"));
  other.pop_back();
  EXPECT_FALSE(trace::tools::compare_traces(ProgramSource(one), ProgramSource(other)).ok());
}

TEST(TraceCompare, OnlyCountsOfElementsAreSizes) {
  const auto same_shape = [](const trace::format::Event& one, const trace::format::Event& other) {
    const auto difference = trace::tools::compare_traces(ProgramSource({{one}}), ProgramSource({{other}}));
    EXPECT_TRUE(difference.ok());
    EXPECT_EQ(difference->differing_events, 1);
    return difference->same_shape_ranks == 1;
  };
  EXPECT_TRUE(same_shape(message(v1::SEND, 0, 1, 8), message(v1::SEND, 0, 1, 9)));
  EXPECT_TRUE(same_shape(collective(v1::ALLREDUCE, 1), collective(v1::ALLREDUCE, 2)));
  EXPECT_FALSE(same_shape(wait_after(0), wait_after(1)));
  EXPECT_FALSE(same_shape(make_communicator(1, {0}), make_communicator(2, {0})));
  EXPECT_FALSE(same_shape(make_communicator(1, {0, 1}), make_communicator(1, {1, 0})));
}

// The hash sees every field that an action carries, and nothing else.
RC_GTEST_PROP(TraceCompareProperty, HashesAreEqualWhereEventsAre, ()) {
  const uint32_t ranks = *rc::gen::inRange<uint32_t>(1, 4);
  trace::format::Event a = random_event(ranks);
  trace::format::Event b = *rc::gen::arbitrary<bool>() ? a : random_event(ranks);
  const Program one = {{a}};
  const Program other = {{b}};
  const auto hash = [](const Program& program) {
    return *trace::tools::communication_hash(*ProgramSource(program).rank(0));
  };
  a.duration = b.duration = Time::zero();
  const bool both_compute = a.action == v1::COMPUTE && b.action == v1::COMPUTE;
  RC_ASSERT((hash(one) == hash(other)) == (a == b || both_compute));
}

}  // namespace
}  // namespace fabrictwin
