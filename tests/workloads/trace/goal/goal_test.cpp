// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <tuple>

#include "fmt/format.h"
#include "tests/workloads/mpi/test_network.h"
#include "tests/workloads/program_source.h"
#include "workloads/mpi/expanded_trace.h"
#include "workloads/skeleton/hpcg.h"
#include "workloads/trace/check/trace_match_check.h"
#include "workloads/trace/format/file_trace.h"
#include "workloads/trace/goal/export.h"
#include "workloads/trace/goal/import.h"

namespace fabrictwin {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// What each rank sends and receives: action, peer, tag, bytes.
using Messages = std::map<std::tuple<size_t, bool, int32_t, int32_t, uint64_t>, int>;

Messages messages_of(const trace::format::Source& trace) {
  Messages messages;
  const Program program = program_of(trace);
  for (size_t rank = 0; rank < program.size(); ++rank) {
    for (const trace::format::Event& event : program[rank]) {
      const bool send = event.action == v1::SEND || event.action == v1::ISEND;
      if (send || event.action == v1::RECV || event.action == v1::IRECV)
        ++messages[{rank, send, event.peer, event.tag, trace::format::event_bytes(event)}];
    }
  }
  return messages;
}

std::string import_error(const std::string& text) {
  TestFolder folder;
  const absl::Status status = trace::goal::import_goal(folder.write("x.goal", text), folder.file("x.fttrace"));
  EXPECT_FALSE(status.ok());
  EXPECT_FALSE(std::filesystem::exists(folder.file("x.fttrace")));
  EXPECT_FALSE(std::filesystem::exists(folder.file("x.fttrace.part")));
  return std::string(status.message());
}

TEST(Goal, ExportSaysWhatWaitsForWhat) {
  TestFolder folder;
  const ProgramSource trace(
      {{event_of(v1::INIT), compute_for(Time::from_ns(7)), message(v1::IRECV, 1, 5, 8), message(v1::SEND, 1, 6, 16),
        message(v1::WAIT_RECV, 1, 5), compute_for(Time::from_ns(3)), event_of(v1::FINALIZE)},
       {message(v1::ISEND, 0, 5, 8), message(v1::RECV, 0, 6, 16), event_of(v1::WAITALL)}});
  ASSERT_TRUE(trace::goal::export_goal(trace, folder.file("goal")).ok());
  EXPECT_EQ(read_file(folder.file("goal/trace.goal")),
            "num_ranks 2\n"
            "rank 0 {\n"
            "l1: calc 7\n"
            "l2: recv 8b from 1 tag 5\n"
            "l2 requires l1\n"
            "l3: send 16b to 1 tag 6\n"
            "l3 irequires l2\n"
            "l4: calc 3\n"
            "l4 requires l3\n"
            "l4 requires l2\n"
            "}\n"
            "rank 1 {\n"
            "l1: send 8b to 0 tag 5\n"
            "l2: recv 16b from 0 tag 6\n"
            "l2 irequires l1\n"
            "l3: calc 0\n"
            "l3 requires l2\n"
            "l3 requires l1\n"
            "}\n");
}

TEST(Goal, MessagesAndComputationComeBack) {
  skeleton::HpcgOptions options;
  options.ranks = 4;
  options.local = {8, 8, 8};
  options.reference_iterations = 1;
  options.host = *skeleton::find_host_profile("x86");
  const auto trace = mpi::expand_collectives(*skeleton::Hpcg::create(options));
  TestFolder folder;
  ASSERT_TRUE(trace::goal::export_goal(*trace, folder.file("goal")).ok());
  const absl::Status imported = trace::goal::import_goal(folder.file("goal"), folder.file("back.fttrace"));
  ASSERT_TRUE(imported.ok()) << imported;
  const auto back = trace::format::FileTrace::open(folder.file("back.fttrace"));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(messages_of(**back), messages_of(*trace));
  const auto report = trace::check::check_matching(**back, {.synchronous = true});
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report->ok()) << report->faults[0].text;
  const auto time = [](const trace::format::Source& source) {
    Time sum;
    const Program program = program_of(source);
    for (const trace::format::Event& event : program[1]) sum += event.duration;
    return sum;
  };
  EXPECT_EQ(time(**back), time(*trace));
}

TEST(Goal, ImportOrdersOperationsByTheirDependencies) {
  TestFolder folder;
  const std::string file = folder.write("x.goal",
                                        "num_ranks 2\n"
                                        "rank 0 { // the first\n"
                                        "late: calc 5 cpu 0\n"
                                        "a: send 8b to 1 tag 3 nic 0\n"
                                        "b: recv 4b from 1\n"
                                        "late requires b\n"
                                        "b irequires a\n"
                                        "}\n"
                                        "\n"
                                        "rank 1 {\n"
                                        "a: recv 8b from 0 tag 3\n"
                                        "b: send 4b to 0\n"
                                        "}\n");
  const absl::Status status = trace::goal::import_goal(file, folder.file("x.fttrace"));
  ASSERT_TRUE(status.ok()) << status;
  const Program program = program_of(**trace::format::FileTrace::open(folder.file("x.fttrace")));
  EXPECT_EQ(program[0], (std::vector<trace::format::Event>{event_of(v1::INIT), message(v1::ISEND, 1, 3, 8),
                                                           message(v1::IRECV, 1, 0, 4), message(v1::WAIT_RECV, 1, 0),
                                                           compute_for(Time::from_ns(5)), message(v1::WAIT_SEND, 1, 3),
                                                           event_of(v1::FINALIZE)}));
}

// A wait for a message to oneself is for the oldest of both ends, so what began before is waited for too.
TEST(Goal, MessagesToOneselfAreWaitedForInTheirOrder) {
  TestFolder folder;
  const std::string file = folder.write("x.goal",
                                        "num_ranks 1\nrank 0 {\na: send 8b to 0 tag 3\nb: recv 8b from 0 tag 3\n"
                                        "c: calc 5\nb irequires a\nc requires b\n}\n");
  ASSERT_TRUE(trace::goal::import_goal(file, folder.file("x.fttrace")).ok());
  const auto trace = trace::format::FileTrace::open(folder.file("x.fttrace"));
  ASSERT_TRUE(trace.ok()) << trace.status();
  EXPECT_EQ(program_of(**trace)[0], (std::vector<trace::format::Event>{
                                        event_of(v1::INIT), message(v1::ISEND, 0, 3, 8), message(v1::IRECV, 0, 3, 8),
                                        message(v1::WAIT_RECV, 0, 3), message(v1::WAIT_RECV, 0, 3),
                                        compute_for(Time::from_ns(5)), event_of(v1::FINALIZE)}));
  ASSERT_TRUE(trace::goal::export_goal(**trace, folder.file("goal")).ok());
  EXPECT_THAT(read_file(folder.file("goal/trace.goal")),
              HasSubstr("l3: calc 5\nl3 irequires l2\nl3 requires l1\nl3 requires l2\n"));
}

TEST(Goal, RanksMayDoNothing) {
  TestFolder folder;
  const std::string file = folder.write("x.goal", "num_ranks 3\nrank 1 {\n}\nrank 0 {\n}\nrank 2 {\n}\n");
  ASSERT_TRUE(trace::goal::import_goal(file, folder.file("x.fttrace")).ok());
  const Program program = program_of(**trace::format::FileTrace::open(folder.file("x.fttrace")));
  for (const auto& events : program) EXPECT_EQ(events.size(), 2);
}

TEST(Goal, SchedulesThatEndBehindARankAreRefused) {
  EXPECT_THAT(import_error("num_ranks 4\nrank 0 {\ncalc 5\n}\n"),
              HasSubstr("x.goal:5:1: error: rank 1 has no schedule; is the file cut off?"));
  EXPECT_THAT(import_error("num_ranks 2\n"), HasSubstr("rank 0 has no schedule"));
}

TEST(Goal, MistakesHaveAPlace) {
  EXPECT_THAT(import_error("ranks 3\n"), HasSubstr("x.goal:1:1: error: the file must begin with 'num_ranks N'"));
  EXPECT_THAT(import_error(""), HasSubstr("no num_ranks"));
  EXPECT_THAT(import_error("num_ranks 0\n"), HasSubstr(":1:11: error: the number of ranks"));
  EXPECT_THAT(import_error("num_ranks 1\nrank 1 {\n"), HasSubstr(":2:6: error: the schedule has ranks 0 to 0"));
  EXPECT_THAT(import_error("num_ranks 1\nrank 0 {\n}\nrank 0 {\n"), HasSubstr("rank 0 is there twice"));
  EXPECT_THAT(import_error("num_ranks 1\nrank 0 {\na: calc 1\n"), HasSubstr("rank 0 does not end"));
  const auto line = [](const std::string& text) { return import_error("num_ranks 1\nrank 0 {\n" + text + "\n}\n"); };
  EXPECT_THAT(line("a: jump 3"), HasSubstr(":3:4: error: an operation is calc, send or recv"));
  EXPECT_THAT(line("a: calc -3"), HasSubstr(":3:9: error: this is not a time"));
  EXPECT_THAT(line("a: calc 3x"), HasSubstr(":3:9: error: this is not a time"));
  EXPECT_THAT(line("a: calc"), HasSubstr(":3:8: error: this is not a time"));
  for (const std::string ns : {"9223372036854", "99999999999999999", "99999999999999999999999"})
    EXPECT_THAT(line("a: calc " + ns), HasSubstr(":3:9: error: this is longer than simulated time can be"));
  EXPECT_THAT(line("a: send 8b to 1"), HasSubstr(":3:15: error: this is not one of the ranks 0 to 0"));
  EXPECT_THAT(line("a: send 8b from 0"), HasSubstr("here 'to' is expected"));
  EXPECT_THAT(line("a: send xb to 0"), HasSubstr("not a size"));
  EXPECT_THAT(line("a: calc 1 cpu 1"), HasSubstr("only processor 0"));
  EXPECT_THAT(line("a: calc 1\na: calc 1"), HasSubstr(":4:1: error: label a is there twice"));
  EXPECT_THAT(line("a: calc 1\na requires b"), HasSubstr("must be labels"));
  EXPECT_THAT(line("a: calc 1\nb: calc 1\na requires b\nb requires a"), HasSubstr("wait for each other"));
  EXPECT_THAT(line("a: send 8b to 0 tag 99999999999"), HasSubstr(":3:21: error: tag is a number from 0 to 2147483647"));
  EXPECT_THAT(line("a: calc 1 cpu"), HasSubstr("cpu is a number from 0 to"));
  EXPECT_THAT(line("a: calc 1 tag 3"), HasSubstr("here cpu or nic"));
  EXPECT_THAT(line("nonsense"), HasSubstr("is expected"));
}

TEST(Goal, CommunicatorsAreWrittenAsMessages) {
  const trace::format::Event make = make_communicator(2, {1, 0});
  const Program program = {
      {make, in(2, message(v1::IRECV, 1, 3, 8)), in(2, collective(v1::BCAST, 4)), wait_after(0),
       in(2, message(v1::BSEND, 1, 4, 8))},
      {make, in(2, message(v1::SEND, 0, 3, 8)), in(2, collective(v1::BCAST, 4)), in(2, message(v1::RECV, 0, 4, 8))}};
  const auto trace = mpi::expand_collectives(std::make_shared<const ProgramSource>(program));
  TestFolder folder;
  const absl::Status status = trace::goal::export_goal(*trace, folder.file("goal"));
  ASSERT_TRUE(status.ok()) << status;
  const int collective_tag = mpi::kCommunicatorCollectiveTag + 2 * mpi::kTagsOfCommunicator;
  const int tag = mpi::kCommunicatorTag + 2 * mpi::kTagsOfCommunicator;
  EXPECT_EQ(read_file(folder.file("goal/trace.goal")), fmt::format("num_ranks 2\n"
                                                                   "rank 0 {{\n"
                                                                   "l1: recv 8b from 1 tag {1}\n"
                                                                   "l2: send 4b to 1 tag {0}\n"
                                                                   "l2 irequires l1\n"
                                                                   "l3: send 8b to 1 tag {2}\n"
                                                                   "l3 irequires l2\n"
                                                                   "l3 requires l2\n"
                                                                   "l3 requires l1\n"
                                                                   "}}\n"
                                                                   "rank 1 {{\n"
                                                                   "l1: send 8b to 0 tag {1}\n"
                                                                   "l2: recv 4b from 0 tag {0}\n"
                                                                   "l2 requires l1\n"
                                                                   "l3: recv 8b from 0 tag {2}\n"
                                                                   "l3 irequires l2\n"
                                                                   "l3 requires l2\n"
                                                                   "l4: calc 0\n"
                                                                   "l4 requires l3\n"
                                                                   "}}\n",
                                                                   collective_tag, tag + 3, tag + 4));
}

TEST(Goal, ExportRefusesWhatHasNoForm) {
  TestFolder folder;
  const auto refused = [&](trace::format::Event event) {
    return std::string(trace::goal::export_goal(ProgramSource({{std::move(event)}}), folder.file("a")).message());
  };
  EXPECT_THAT(refused(message(v1::PROBE, 0, 0)), AllOf(HasSubstr("rank 0, event 0"), HasSubstr("no form for probe")));
  EXPECT_THAT(refused(message(v1::SSEND, 0, 0)), HasSubstr("no form for ssend"));
  EXPECT_THAT(refused(event_of(v1::WAIT)), HasSubstr("there is no such request"));
  trace::format::Event elsewhere = message(v1::SEND, 0, 0);
  elsewhere.communicator = 2;
  EXPECT_THAT(refused(elsewhere), HasSubstr("a GOAL schedule has no communicators"));
  const absl::Status barrier = trace::goal::export_goal(ProgramSource({{event_of(v1::BARRIER)}}), folder.file("a"));
  EXPECT_EQ(barrier.code(), absl::StatusCode::kUnimplemented);
  for (const trace::format::Event& event : {message(v1::SSEND, 0, 1, 8), message(v1::PROBE, 0, 1)}) {
    const absl::Status status = trace::goal::export_goal(ProgramSource({{event}}), folder.file("a"));
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("no form for " + std::string(trace::format::action_name(event.action))));
  }
  EXPECT_FALSE(std::filesystem::exists(folder.file("a")));
}

// What the grammar of LogGOPSim's txt2bin allows besides: no labels, "-1" for any source and tag, and long comments.
TEST(Goal, ReceivesOfAnySourceAndTagGoBothWays) {
  TestFolder folder;
  trace::format::Event wait = event_of(v1::WAIT);
  wait.count = 1;
  const ProgramSource trace(
      {{event_of(v1::INIT), message(v1::IRECV, trace::format::kAnySource, trace::format::kAnyTag, 8),
        message(v1::IRECV, 1, 6, 16), wait, message(v1::WAIT_RECV, 1, 6), compute_for(Time::from_ns(3)),
        event_of(v1::FINALIZE)},
       {message(v1::SEND, 0, 5, 8), message(v1::SEND, 0, 6, 16)}});
  ASSERT_TRUE(trace::goal::export_goal(trace, folder.file("goal")).ok());
  const std::string text = read_file(folder.file("goal/trace.goal"));
  EXPECT_THAT(text, HasSubstr("l1: recv 8b from -1 tag -1\nl2: recv 16b from 1 tag 6\nl2 irequires l1\n"
                              "l3: calc 3\nl3 irequires l2\nl3 requires l1\nl3 requires l2\n"));
  ASSERT_TRUE(trace::goal::import_goal(folder.file("goal"), folder.file("x.fttrace")).ok());
  const auto back = read_trace_bytes(read_file(folder.file("x.fttrace")));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ((*back)[0],
            (std::vector<trace::format::Event>{event_of(v1::INIT),
                                               message(v1::IRECV, trace::format::kAnySource, trace::format::kAnyTag, 8),
                                               message(v1::IRECV, 1, 6, 16), wait, message(v1::WAIT_RECV, 1, 6),
                                               compute_for(Time::from_ns(3)), event_of(v1::FINALIZE)}));
}

TEST(Goal, LabelsMayBeLeftOutAndCommentsBeLong) {
  TestFolder folder;
  const std::string file =
      folder.write("x.goal",
                   "num_ranks 2\n/* two\nranks */ rank 0 { // first\ncalc 5\n/* x */ send 8b to 1 tag 3\n}\n"
                   "rank 1 {\nl1: recv 8b from 0 tag 3 cpu 0 nic 1\n}\n");
  ASSERT_TRUE(trace::goal::import_goal(file, folder.file("x.fttrace")).ok());
  const auto program = read_trace_bytes(read_file(folder.file("x.fttrace")));
  ASSERT_TRUE(program.ok());
  EXPECT_EQ((*program)[0], (std::vector<trace::format::Event>{event_of(v1::INIT), compute_for(Time::from_ns(5)),
                                                              message(v1::ISEND, 1, 3, 8), message(v1::WAIT_SEND, 1, 3),
                                                              event_of(v1::FINALIZE)}));
}

// LogGOPSim takes newlines for spaces.
TEST(Goal, BracesMayShareALine) {
  TestFolder folder;
  const std::string file = folder.write("x.goal", "num_ranks 2\nrank 0 { l1: calc 5\n} rank 1 { l1: calc 6 }\n");
  ASSERT_TRUE(trace::goal::import_goal(file, folder.file("ok.fttrace")).ok());
  const Program program = program_of(**trace::format::FileTrace::open(folder.file("ok.fttrace")));
  EXPECT_EQ(program[0][1], compute_for(Time::from_ns(5)));
  EXPECT_EQ(program[1][1], compute_for(Time::from_ns(6)));
  EXPECT_THAT(import_error("num_ranks 1\nrank 0 { a: calc 5 b: calc 6\n}\n"),
              HasSubstr("x.goal:2:20: error: here cpu or nic is expected; write each operation in a line"));
  EXPECT_THAT(import_error("num_ranks 1\nrank 0 {\n} }\n"),
              HasSubstr("x.goal:3:3: error: here 'rank N {' is expected"));
}

// The order in which a rank waits says when its receives cost it time; also of what it waits for last.
TEST(Goal, WhatIsWaitedForLastComesBackInItsOrder) {
  const Program program = {{event_of(v1::INIT), message(v1::ISEND, 1, 3, 8), message(v1::IRECV, 1, 4, 8),
                            message(v1::IRECV, 1, 5, 8), message(v1::WAIT_RECV, 1, 5), message(v1::WAIT_RECV, 1, 4),
                            message(v1::WAIT_SEND, 1, 3), compute_for(Time::zero()), event_of(v1::FINALIZE)},
                           {event_of(v1::INIT), message(v1::ISEND, 0, 4, 8), message(v1::ISEND, 0, 5, 8),
                            message(v1::IRECV, 0, 3, 8), message(v1::WAIT_SEND, 0, 5), message(v1::WAIT_SEND, 0, 4),
                            message(v1::WAIT_RECV, 0, 3), compute_for(Time::zero()), event_of(v1::FINALIZE)}};
  TestFolder folder;
  ASSERT_TRUE(trace::goal::export_goal(ProgramSource(program), folder.file("goal")).ok());
  ASSERT_TRUE(trace::goal::import_goal(folder.file("goal"), folder.file("back.fttrace")).ok());
  EXPECT_EQ(program_of(**trace::format::FileTrace::open(folder.file("back.fttrace"))), program);
}

// Exchanges in rounds, waited for one by one in any order, at the end of a round or later, and computations.
Program random_exchanges(int32_t ranks) {
  Program program(ranks);
  std::vector<std::vector<trace::format::Event>> waits(ranks);
  int32_t tag = 0;
  const int rounds = *rc::gen::inRange(1, 6);
  for (int round = 0; round < rounds; ++round) {
    const int messages = *rc::gen::inRange(1, 6);
    for (int i = 0; i < messages; ++i, ++tag) {
      const int32_t from = *rc::gen::inRange(0, ranks);
      const int32_t to = (from + *rc::gen::inRange(1, ranks)) % ranks;
      const uint64_t bytes = *rc::gen::element<uint64_t>(0, 8, 100, 20'000);
      program[to].push_back(message(v1::IRECV, from, tag, bytes));
      waits[to].push_back(message(v1::WAIT_RECV, from, tag));
      program[from].push_back(message(v1::ISEND, to, tag, bytes));
      waits[from].push_back(message(v1::WAIT_SEND, to, tag));
    }
    for (int32_t rank = 0; rank < ranks; ++rank) {
      const int waited = *rc::gen::inRange(0, static_cast<int>(waits[rank].size()) + 1);
      for (int i = 0; i < waited; ++i) {
        const auto next = waits[rank].begin() + *rc::gen::inRange(0, static_cast<int>(waits[rank].size()));
        program[rank].push_back(*next);
        waits[rank].erase(next);
      }
      if (*rc::gen::arbitrary<bool>()) program[rank].push_back(compute_for(Time::from_ns(*rc::gen::inRange(1, 2000))));
    }
  }
  for (auto& events : program) events.push_back(event_of(v1::WAITALL));
  for (auto& events : program) events.push_back(event_of(v1::FINALIZE));
  return program;
}

RC_GTEST_PROP(GoalProperty, ARoundTripKeepsTheTimes, ()) {
  const int32_t ranks = *rc::gen::inRange(2, 5);
  const Program program = random_exchanges(ranks);
  TestFolder folder;
  RC_ASSERT(trace::goal::export_goal(ProgramSource(program), folder.file("goal")).ok());
  RC_ASSERT(trace::goal::import_goal(folder.file("goal"), folder.file("back.fttrace")).ok());
  TestNetwork before(program, {});
  TestNetwork after(program_of(**trace::format::FileTrace::open(folder.file("back.fttrace"))), {});
  RC_ASSERT(before.run() && after.run());
  for (int32_t rank = 0; rank < ranks; ++rank)
    RC_ASSERT(after.engine(rank).finish_time() == before.engine(rank).finish_time());
}

TEST(Goal, MoreRanksThanTheFileCouldMentionAreRefused) {
  EXPECT_THAT(import_error("num_ranks 16000000\n"), HasSubstr("x.goal:1:11: error: the file has 19 bytes, too few"));
}

TEST(Goal, OnlyReceivesMayBeOfAnyone) {
  EXPECT_THAT(import_error("num_ranks 1\nrank 0 {\nsend 8b to -1\n}\n"), HasSubstr("x.goal:3:12"));
}

}  // namespace
}  // namespace fabrictwin
