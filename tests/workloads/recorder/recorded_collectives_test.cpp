// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the recorder writes of collectives and communicators.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/workloads/recorder/mpi_run.h"

namespace fabrictwin {
namespace {

using RecordedCollectives = RecorderTest;

std::string repeated(int value) {
  const std::string one = std::to_string(value);
  return one + "," + one + "," + one + "," + one;
}

TEST_P(RecordedCollectives, HaveWhatEachRankMoves) {
  const SpelledTrace trace = record_program(GetParam(), 4, {"collectives"});
  ASSERT_EQ(trace.size(), 4u);
  for (int rank = 0; rank < 4; ++rank) {
    const std::string mine = std::to_string(rank + 1);
    const bool root = rank == 3;
    const std::vector<std::string> expected = {
        "barrier",
        "bcast 2 5 int",
        "reduce 1 3 int",
        "allreduce 4 int",
        "scan 2 int",
        "exscan 1 int",
        "allgather 8 byte 2 int",
        "allgatherv " + mine + " int 1,2,3,4 int",
        "alltoall 2 int 2 int",
        "alltoallv 1,2,3,4 int " + repeated(rank + 1) + " int",
        "alltoallv 4,4,4,4 byte 4,4,4,4 byte",
        root ? "gather 3 2 int 8 byte" : "gather 3 2 int 2 int",
        "gatherv 3 " + mine + " int " + (root ? "1,2,3,4 int" : "0,0,0,0 byte"),
        "scatter 3 2 int 2 int",
        std::string("scatterv 3 ") + (root ? "1,2,3,4 int " : "0,0,0,0 byte ") + mine + " int",
        "reduce_scatter 1,2,3,4 int",
        "reduce_scatter 3,3,3,3 int"};
    EXPECT_EQ(trace[rank], expected) << "rank " << rank;
  }
}

TEST_P(RecordedCollectives, MayWorkInPlace) {
  const SpelledTrace trace = record_program(GetParam(), 4, {"in_place"});
  ASSERT_EQ(trace.size(), 4u);
  for (int rank = 0; rank < 4; ++rank) {
    const std::string mine = std::to_string(rank + 1);
    const bool root = rank == 0;
    const std::vector<std::string> expected = {
        "reduce 0 3 int",
        "allreduce 2 int",
        "allgather 2 int 2 int",
        "allgatherv " + mine + " int 1,2,3,4 int",
        "alltoall 1 int 1 int",
        "alltoallv 1,1,1,1 int 1,1,1,1 int",
        "gather 0 2 int 2 int",
        "gatherv 0 " + mine + " int " + (root ? "1,2,3,4 int" : "0,0,0,0 byte"),
        "scatter 0 2 int 2 int",
        std::string("scatterv 0 ") + (root ? "1,2,3,4 int " : "0,0,0,0 byte ") + mine + " int"};
    EXPECT_EQ(trace[rank], expected) << "rank " << rank;
  }
}

TEST_P(RecordedCollectives, MayNotBlock) {
  const SpelledTrace trace = record_program(GetParam(), 4, {"nonblocking"});
  ASSERT_EQ(trace.size(), 4u);
  for (int rank = 0; rank < 4; ++rank) {
    const std::string mine = std::to_string(rank + 1);
    const bool root = rank == 0;
    const std::vector<std::string> expected = {
        "ibarrier",
        "ibcast 2 5 int",
        "ireduce 1 3 int",
        "iallreduce 4 int",
        "iscan 2 int",
        "iexscan 1 int",
        "iallgather 2 int 2 int",
        "iallgatherv " + mine + " int 1,2,3,4 int",
        "waitall 8",
        "ialltoall 2 int 2 int",
        "ialltoallv 1,2,3,4 int " + repeated(rank + 1) + " int",
        "igather 0 2 int 2 int",
        "igatherv 0 " + mine + " int " + (root ? "1,2,3,4 int" : "0,0,0,0 byte"),
        "iscatter 0 2 int 2 int",
        std::string("iscatterv 0 ") + (root ? "1,2,3,4 int " : "0,0,0,0 byte ") + mine + " int",
        "ireduce_scatter 1,2,3,4 int",
        "ireduce_scatter 3,3,3,3 int",
        "wait 0",
        "wait 1",
        "wait 2",
        "wait 3",
        "wait 4",
        "wait 5",
        "wait 6",
        "wait 7"};
    EXPECT_EQ(trace[rank], expected) << "rank " << rank;
  }
}

// Numbers are the lowest that no member uses, and come back when they are free.
TEST_P(RecordedCollectives, HaveCommunicators) {
  const SpelledTrace trace = record_program(GetParam(), 4, {"communicators"});
  ASSERT_EQ(trace.size(), 4u);
  for (int rank = 0; rank < 4; ++rank) {
    const std::string first = rank % 2 == 0 ? "2" : "3";
    const std::string second = rank % 2 == 0 ? "0" : "1";
    const std::string own = std::to_string(rank);
    std::vector<std::string> expected = {
        "comm_create 1: " + first + "," + second,
        "bcast " + first + " 1 int @1",
        rank >= 2 ? "send " + second + " tag 7 1 int @1" : "recv " + first + " tag 7 1 int @1",
        "alltoallv 1,1 int 1,1 int @1",
        "comm_create 2: 0,1,2,3",
        "barrier @2",
        "comm_free 1",
        "comm_create 1: 0,1,2,3",
        "comm_free 2"};
    const bool middle = rank == 1 || rank == 2;
    if (middle) expected.insert(expected.end(), {"comm_create 2: 2,1", "comm_create 3: 2,1"});
    // Number 2 and 3 are taken on some members of the grid. Each of its rows has a middle one.
    const std::string row = rank < 2 ? "0,1" : "2,3";
    expected.insert(expected.end(), {"comm_create 4: 0,1,2,3", "comm_create 5: " + row, "allreduce 1 int @5",
                                     "comm_create 2047: " + own, "allreduce 1 int @2047"});
    if (middle) expected.insert(expected.end(), {"comm_free 2", "comm_free 3"});
    expected.insert(expected.end(), {"comm_free 5", "comm_free 4", "comm_free 1"});
    EXPECT_EQ(trace[rank], expected) << "rank " << rank;
  }
}

INSTANTIATE_RECORDER_TESTS(RecordedCollectives);

}  // namespace
}  // namespace fabrictwin
