// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the recorder writes of Fortran.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "tests/workloads/recorder/mpi_run.h"

namespace fabrictwin {
namespace {

using testing::ElementsAreArray;

std::vector<std::string> expected(int rank) {
  const std::string other = std::to_string(1 - rank);
  std::vector<std::string> lines;
  if (rank == 0) {
    lines = {"send 1 tag 7 3 double", "ssend 1 tag 8 2 int"};
  } else {
    lines = {"recv -1 tag -1 4 double", "recv 0 tag 8 2 int"};
  }
  for (const std::string& line : {"irecv " + other + " tag 9 1 float",
                                  "isend " + other + " tag 9 1 float",
                                  std::string("wait 1"),
                                  std::string("wait 0"),
                                  "irecv " + other + " tag 10 4 double",
                                  "isend " + other + " tag 10 4 double",
                                  std::string("waitall 2"),
                                  "irecv " + other + " tag 11 1 int",
                                  "isend " + other + " tag 11 1 int",
                                  std::string("wait 1"),
                                  std::string("wait 0"),
                                  "irecv " + other + " tag 12 1 char",
                                  "send " + other + " tag 12 1 char",
                                  std::string("wait 0"),
                                  std::string("barrier"),
                                  std::string("bcast 1 5 int"),
                                  std::string("allreduce 2 double"),
                                  std::string("gather 0 2 int 2 int"),
                                  std::string("alltoallv 1,1 float 1,1 float"),
                                  std::string("iallreduce 1 int"),
                                  std::string("wait 0"),
                                  std::string("comm_create 1: 0,1"),
                                  std::string("comm_create 2: 0,1"),
                                  std::string("barrier @2"),
                                  std::string("comm_free 2"),
                                  std::string("comm_free 1")}) {
    lines.push_back(line);
  }
  return lines;
}

using RecordedFortran = RecorderTest;

TEST_P(RecordedFortran, IsRecordedAsCIs) {
  if (GetParam().fortran.empty()) GTEST_SKIP() << "there is no mpifort." << GetParam().name;
  for (const std::string& program : GetParam().fortran) {
    SCOPED_TRACE(program);
    MpiLibrary mpi = GetParam();
    mpi.program = program;
    const SpelledTrace trace = record_program(mpi, 2, {});
    ASSERT_EQ(trace.size(), 2u);
    for (int rank = 0; rank < 2; ++rank) EXPECT_THAT(trace[rank], ElementsAreArray(expected(rank)));
  }
}

// Open MPI's bindings call PMPI_... only, so a wrapper without one would be passed by.
TEST_P(RecordedFortran, ReachesEachWrapper) {
  if (GetParam().name != "openmpi") GTEST_SKIP() << "bindings of " << GetParam().name << " call MPI_...";
  const CliResult symbols = run_process({"nm", "-D", "--defined-only", GetParam().library}, {});
  ASSERT_EQ(symbols.exit_code, 0) << symbols.err;
  std::istringstream lines(symbols.out);
  std::string address;
  std::string type;
  std::string name;
  std::set<std::string> direct;
  std::set<std::string> profiled;
  while (lines >> address >> type >> name) {
    if (name.starts_with("MPI_")) direct.insert(name);
    if (name.starts_with("PMPI_")) profiled.insert(name.substr(1));
  }
  EXPECT_GT(direct.size(), 100u);
  EXPECT_EQ(direct, profiled);
}

INSTANTIATE_RECORDER_TESTS(RecordedFortran);

}  // namespace
}  // namespace fabrictwin
