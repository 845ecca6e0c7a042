// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/ti/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/workloads/trace_helpers.h"
#include "workloads/trace/tools/stats.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string text_of(const absl::Status& status) { return std::string(status.message()); }

TEST(TiImport, ReadsAFolderOrItsIndex) {
  TestFolder folder;
  ASSERT_TRUE(trace::ti::import_ti("tests/workloads/data/calls-4", folder.file("a.fttrace")).ok());
  ASSERT_TRUE(trace::ti::import_ti("tests/workloads/data/calls-4/trace.index", folder.file("b.fttrace")).ok());
  EXPECT_EQ(read_file(folder.file("a.fttrace")), read_file(folder.file("b.fttrace")));
  const auto stats = trace::tools::trace_stats(folder.file("a.fttrace"));
  ASSERT_TRUE(stats.ok()) << stats.status();
  EXPECT_EQ(stats->application(), "calls-4");
  EXPECT_EQ(stats->ranks(), 4u);
  std::map<std::string, uint64_t> counts;
  for (const auto& action : stats->actions()) counts[action.action()] = action.count();
  const std::map<std::string, uint64_t> expected = {
      {"init", 4},     {"finalize", 4},  {"compute", 8},   {"send", 4},      {"isend", 5},
      {"recv", 4},     {"irecv", 5},     {"wait_recv", 1}, {"wait_send", 1}, {"waitall", 4},
      {"sendrecv", 4}, {"barrier", 4},   {"bcast", 4},     {"reduce", 4},    {"allreduce", 4},
      {"scan", 4},     {"allgather", 8}, {"alltoall", 4},  {"alltoallv", 4}};
  for (const auto& [action, count] : expected) EXPECT_EQ(counts[action], count) << action;
  EXPECT_EQ(stats->point_to_point().wildcard_receives(), 1u);
}

TEST(TiImport, MistakesNameFileLineAndColumn) {
  TestFolder folder;
  folder.write("t/trace.index", "r0.ti\nr1.ti\n");
  folder.write("t/r0.ti", "0 init\n0 finalize\n");
  const std::string bad = folder.write("t/r1.ti", "1 init\n1 compute 5\n1 send 9 1 1 1\n1 finalize\n");
  const absl::Status status = trace::ti::import_ti(folder.file("t"), folder.file("out.fttrace"));
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_THAT(text_of(status),
              StartsWith(bad + ":3:8: error: the other end is rank 9, but the trace has ranks 0 to 1"));
  EXPECT_THAT(text_of(status), HasSubstr("1 send 9 1 1 1"));
  EXPECT_FALSE(std::filesystem::exists(folder.file("out.fttrace")));
  EXPECT_FALSE(std::filesystem::exists(folder.file("out.fttrace.part")));
}

TEST(TiImport, UnsupportedCallsAreNamed) {
  TestFolder folder;
  folder.write("t/trace.index", "r0.ti\n");
  const std::string bad = folder.write("t/r0.ti", "0 init\n0 waitAny 3\n0 finalize\n");
  const absl::Status status = trace::ti::import_ti(folder.file("t"), folder.file("out.fttrace"));
  EXPECT_TRUE(absl::IsUnimplemented(status));
  EXPECT_THAT(text_of(status), StartsWith(bad + ":2:3: error: 'waitAny' is not supported"));
}

TEST(TiImport, ACutOffFileIsNoticed) {
  TestFolder folder;
  folder.write("t/trace.index", "r0.ti\n");
  const std::string bad = folder.write("t/r0.ti", "0 init\n0 compute 1234\n0 compute 12");
  EXPECT_THAT(text_of(trace::ti::import_ti(folder.file("t"), folder.file("out.fttrace"))),
              HasSubstr(bad + ":4:1: error: the trace of rank 0 ends without finalize"));
  folder.write("t/r0.ti", "0 init\n0 finalize\n0 compute 5\n");
  EXPECT_THAT(text_of(trace::ti::import_ti(folder.file("t"), folder.file("out.fttrace"))),
              HasSubstr(":3:1: error: nothing can follow finalize"));
}

// What SMPI records of MPI_Irecv(..., MPI_ANY_TAG) and MPI_Wait: the wait is for the oldest receive of that triple.
TEST(TiImport, WaitsForReceivesOfAnyTagAreByAge) {
  TestFolder folder;
  folder.write("t/trace.index", "r0.ti\nr1.ti\n");
  folder.write(
      "t/r0.ti",
      "0 init\n0 irecv -333 -444 10 6\n0 irecv 1 -444 9 6\n0 irecv 1 5 8 6\n0 irecv 1 -444 7 6\n0 wait 1 0 -444\n"
      "0 wait 1 0 5\n0 wait -333 0 -444\n0 wait 1 0 -444\n0 finalize\n");
  folder.write("t/r1.ti", "1 init\n1 finalize\n");
  const absl::Status status = trace::ti::import_ti(folder.file("t"), folder.file("out.fttrace"));
  ASSERT_TRUE(status.ok()) << status;
  const auto program = read_trace(*trace::format::Reader::open(folder.file("out.fttrace")));
  ASSERT_TRUE(program.ok());
  EXPECT_EQ((*program)[0],
            (std::vector<trace::format::Event>{
                event_of(v1::INIT), message(v1::IRECV, trace::format::kAnySource, trace::format::kAnyTag, 10),
                message(v1::IRECV, 1, trace::format::kAnyTag, 9), message(v1::IRECV, 1, 5, 8),
                message(v1::IRECV, 1, trace::format::kAnyTag, 7), wait_after(2), message(v1::WAIT_RECV, 1, 5),
                wait_after(3), wait_after(0), event_of(v1::FINALIZE)}));
  const std::string bad = folder.write("t/r1.ti", "1 init\n1 wait 0 1 -444\n1 finalize\n");
  EXPECT_THAT(
      text_of(trace::ti::import_ti(folder.file("t"), folder.file("bad.fttrace"))),
      StartsWith(bad + ":2:1: error: waits for a receive from rank 0 with any tag, but there is no such request"));
}

// Nothing is sent, and the request is complete at once.
TEST(TiImport, SendsToProcNullLeaveNothing) {
  TestFolder folder;
  folder.write("t/trace.index", "r0.ti\n");
  folder.write("t/r0.ti",
               "0 init\n0 send -333 5 10 6\n0 isend -333 6 10 6\n0 isend -333 6 10 6\n0 irecv 0 -444 1 6\n"
               "0 isend -333 7 10 6\n0 wait 0 -333 6\n0 wait 0 0 -444\n0 waitall 2\n0 recv -333 1 4 6\n0 finalize\n");
  const absl::Status status = trace::ti::import_ti(folder.file("t"), folder.file("out.fttrace"));
  ASSERT_TRUE(status.ok()) << status;
  trace::format::Event waitall = event_of(v1::WAITALL);
  waitall.count = 2;
  const auto program = read_trace(*trace::format::Reader::open(folder.file("out.fttrace")));
  ASSERT_TRUE(program.ok());
  EXPECT_EQ((*program)[0], (std::vector<trace::format::Event>{
                               event_of(v1::INIT), message(v1::IRECV, 0, trace::format::kAnyTag, 1), wait_after(0),
                               waitall, message(v1::RECV, trace::format::kAnySource, 1, 4), event_of(v1::FINALIZE)}));
}

TEST(TiImport, WaitsForSendsToProcNullNeedOne) {
  TestFolder folder;
  folder.write("t/trace.index", "r0.ti\n");
  const std::string bad =
      folder.write("t/r0.ti", "0 init\n0 isend -333 6 10 6\n0 wait 0 -333 6\n0 wait 0 -333 6\n0 finalize\n");
  EXPECT_THAT(
      text_of(trace::ti::import_ti(folder.file("t"), folder.file("out.fttrace"))),
      StartsWith(bad + ":4:1: error: waits for a send to MPI_PROC_NULL (-333) with tag 6, but there is no such"));
}

// -333 is both: a rank that sends to nobody may also receive from nobody.
TEST(TiImport, ReceivesThatCouldBeFromProcNullAreRefused) {
  TestFolder folder;
  folder.write("t/trace.index", "r0.ti\n");
  const std::string bad =
      folder.write("t/r0.ti", "0 init\n0 irecv -333 6 10 6\n0 isend -333 6 10 6\n0 waitall 2\n0 finalize\n");
  const absl::Status after = trace::ti::import_ti(folder.file("t"), folder.file("out.fttrace"));
  EXPECT_TRUE(absl::IsUnimplemented(after));
  EXPECT_THAT(text_of(after),
              StartsWith(bad + ":3:1: error: the receive from -333 in line 2 can be of any source or from "
                               "MPI_PROC_NULL, where this rank sends to in line 3"));
  folder.write("t/r0.ti", "0 init\n0 send -333 6 10 6\n\n0 irecv -333 6 10 6\n0 waitall 1\n0 finalize\n");
  const absl::Status before = trace::ti::import_ti(folder.file("t"), folder.file("out.fttrace"));
  EXPECT_TRUE(absl::IsUnimplemented(before));
  EXPECT_THAT(text_of(before),
              StartsWith(bad + ":4:1: error: the receive from -333 in line 4 can be of any source or from "
                               "MPI_PROC_NULL, where this rank sends to in line 2"));
  // This is any source, whatever is sent.
  folder.write("t/r0.ti", "0 init\n0 irecv -555 6 10 6\n0 isend -333 6 10 6\n0 waitall 2\n0 finalize\n");
  const absl::Status any = trace::ti::import_ti(folder.file("t"), folder.file("out.fttrace"));
  EXPECT_TRUE(any.ok()) << any;
}

TEST(TiImport, MissingFilesAreNamed) {
  TestFolder folder;
  EXPECT_THAT(text_of(trace::ti::import_ti(folder.file("nowhere"), folder.file("out"))),
              HasSubstr("nowhere: cannot be opened"));
  std::filesystem::create_directories(folder.file("empty"));
  EXPECT_THAT(text_of(trace::ti::import_ti(folder.file("empty"), folder.file("out"))),
              HasSubstr("empty/trace.index: cannot be opened"));
  folder.write("t/trace.index", "\n \n");
  EXPECT_THAT(text_of(trace::ti::import_ti(folder.file("t"), folder.file("out"))), HasSubstr("names no files"));
  folder.write("t/trace.index", "gone.ti\n");
  EXPECT_THAT(text_of(trace::ti::import_ti(folder.file("t"), folder.file("out"))),
              AllOf(HasSubstr("t/trace.index:1:1: error: there is no file "), HasSubstr("t/gone.ti; each line names")));
  std::filesystem::create_directories(folder.file("t/sub"));
  folder.write("t/trace.index", "sub\n");
  EXPECT_THAT(text_of(trace::ti::import_ti(folder.file("t"), folder.file("out"))),
              HasSubstr("t/sub is a folder; each line names"));
}

TEST(TiImport, OddLinesAreRead) {
  TestFolder folder;
  folder.write("t/trace.index", "  r0.ti \r\n\n");
  folder.write("t/r0.ti", "0 init\r\n\n0\tcompute   7 \n0 finalize");
  ASSERT_TRUE(trace::ti::import_ti(folder.file("t"), folder.file("out.fttrace")).ok());
  auto reader = trace::format::Reader::open(folder.file("out.fttrace"));
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ(*read_trace(*reader),
            Program({{event_of(v1::INIT), compute_for(Time::from_ns(7)), event_of(v1::FINALIZE)}}));
}

TEST(TiImport, BinaryRubbishIsAnErrorThatCanBePrinted) {
  TestFolder folder;
  folder.write("t/trace.index", "r0.ti\n");
  folder.write("t/r0.ti", std::string("\x00\x01\xff\x1b[31m", 8) + std::string(100'000, 'a'));
  const std::string text = text_of(trace::ti::import_ti(folder.file("t"), folder.file("out")));
  EXPECT_THAT(text, HasSubstr("r0.ti:1:1: error: "));
  EXPECT_LT(text.size(), 1000u);
  EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || (c >= 0x20 && c < 0x7f); }))
      << text;
}

}  // namespace
}  // namespace fabrictwin
