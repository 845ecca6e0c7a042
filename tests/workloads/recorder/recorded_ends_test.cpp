// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Recordings of runs that end early, or do what a trace cannot hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/workloads/recorder/mpi_run.h"

namespace fabrictwin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

using RecordedEnds = RecorderTest;

std::vector<std::string> spelled(const std::vector<trace::format::Event>& events) {
  std::vector<std::string> lines;
  for (const trace::format::Event& event : events) {
    if (event.action != v1::COMPUTE) lines.push_back(spell(event));
  }
  return lines;
}

TEST_P(RecordedEnds, LoseNothingWhenARankEndsEarly) {
  for (const std::string how : {"abort", "exit", "kill"}) {
    const TestFolder folder;
    const std::string trace = folder.file("run.fttrace");
    const CliResult run = run_mpi(GetParam(), 2, {GetParam().program, "early_end", how}, GetParam().library, trace);
    EXPECT_NE(run.exit_code, 0) << how;
    EXPECT_FALSE(std::filesystem::exists(trace));

    const CliResult result = run_cli({"trace", "assemble", trace + ".parts", "--out", trace}, {"NO_COLOR=1"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("2 ranks"));
    EXPECT_THAT(result.err, HasSubstr("rank 0 ended without MPI_Finalize after"));
    EXPECT_THAT(result.err,
                HasSubstr(how == "abort" ? "rank 1 called MPI_Abort(3) after" : "rank 1 ended without MPI_Finalize"));
    EXPECT_THAT(result.err, HasSubstr("the last of them: recv peer 0 tag 5")) << how;
    const absl::StatusOr<Program> program = read_trace_bytes(read_file(trace));
    ASSERT_TRUE(program.ok()) << program.status();
    EXPECT_THAT(spelled((*program)[1]), ElementsAre("init", "recv 0 tag 5 1 int"));
    // Whether it came as far as its wait is up to when it was ended.
    std::vector<std::string> first = spelled((*program)[0]);
    if (first.size() == 4) {
      EXPECT_EQ(first.back(), "wait 0");
      first.pop_back();
    }
    EXPECT_THAT(first, ElementsAre("init", "irecv 1 tag 6 1 int", "send 1 tag 5 1 int"));
  }
}

TEST_P(RecordedEnds, RefuseByNameWhatATraceCannotHold) {
  for (const std::string call : {"MPI_Win_create", "MPI_Intercomm_create", "MPI_Neighbor_allgather", "MPI_Cancel",
                                 "MPI_Comm_idup", "MPI_Send"}) {
    const TestFolder folder;
    const std::string trace = folder.file("run.fttrace");
    const CliResult run = run_mpi(GetParam(), 2, {GetParam().program, "refused", call}, GetParam().library, trace);
    // The program itself is not disturbed.
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.err, HasSubstr("fabrictwin-record: rank 0: event "));
    EXPECT_THAT(run.err, HasSubstr(": " + call + ": "));
    EXPECT_THAT(run.err, HasSubstr("no trace is made"));
    EXPECT_FALSE(std::filesystem::exists(trace));

    const CliResult result = run_cli({"trace", "assemble", trace + ".parts", "--out", trace}, {"NO_COLOR=1"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr(call));
    EXPECT_THAT(result.err, HasSubstr("rank 0, event "));
    EXPECT_FALSE(std::filesystem::exists(trace));
  }
}

TEST_P(RecordedEnds, RefuseCallsAtTheSameTime) {
  const TestFolder folder;
  const std::string trace = folder.file("run.fttrace");
  const CliResult run = run_mpi(GetParam(), 2, {GetParam().program, "within"}, GetParam().library, trace);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("MPI_Iprobe: it was called during another call of MPI"));
  EXPECT_FALSE(std::filesystem::exists(trace));
}

// What a program, or a tool, does behind the back of the recorder.
TEST_P(RecordedEnds, SayThatCallsAreMissing) {
  const TestFolder folder;
  const std::string trace = folder.file("run.fttrace");
  const CliResult run = run_mpi(GetParam(), 2, {GetParam().program, "passed_by"}, GetParam().library, trace);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("rank 1 calls PMPI_Barrier itself"));
  EXPECT_THAT(run.err, Not(HasSubstr("PMPI_Bcast"))) << "the first remark stays";
  EXPECT_THAT(spell_trace(trace), ElementsAre(ElementsAre("barrier", "barrier"), ElementsAre("barrier", "barrier")));
  const CliResult quiet = run_mpi(GetParam(), 2, {GetParam().program, "persistent"}, GetParam().library, trace);
  EXPECT_EQ(quiet.exit_code, 0) << quiet.err;
  EXPECT_THAT(quiet.err, Not(HasSubstr("itself")));
}

TEST_P(RecordedEnds, LeaveTheProgramAloneWhenNothingCanBeWritten) {
  const TestFolder folder;
  const CliResult run = run_mpi(GetParam(), 2, {GetParam().program, "persistent"}, GetParam().library,
                                folder.file("missing/run.fttrace"));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("missing/run.fttrace.parts cannot be written: No such file or directory"));
}

TEST_P(RecordedEnds, SayThatTheRecorderIsForAnotherLibrary) {
  for (const MpiLibrary& other : mpi_libraries()) {
    if (other.name == GetParam().name) continue;
    const TestFolder folder;
    const CliResult run =
        run_mpi(GetParam(), 1, {GetParam().program, "persistent"}, other.library, folder.file("run.fttrace"));
    EXPECT_NE(run.exit_code, 0);
    EXPECT_THAT(run.err, HasSubstr("use the recorder of that library"));
  }
}

TEST_P(RecordedEnds, LetProgramsWithoutMpiBe) {
  const TestFolder folder;
  const CliResult run = run_process({"/bin/echo", "hello"}, {"LD_PRELOAD=" + GetParam().library});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, "hello\n");
  EXPECT_EQ(run.err, "");
}

INSTANTIATE_RECORDER_TESTS(RecordedEnds);

}  // namespace
}  // namespace fabrictwin
