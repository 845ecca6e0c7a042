// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the recorder writes of sends, receives, waits and datatypes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/workloads/recorder/mpi_run.h"

namespace fabrictwin {
namespace {

using testing::ElementsAre;

using RecordedMessages = RecorderTest;

TEST_P(RecordedMessages, HaveTheirModes) {
  const SpelledTrace trace = record_program(GetParam(), 2, {"modes"});
  ASSERT_EQ(trace.size(), 2u);
  EXPECT_THAT(trace[0], ElementsAre("send 1 tag 1 10 int", "ssend 1 tag 2 3 double", "barrier", "send 1 tag 3 1 byte",
                                    "bsend 1 tag 4 5 char", "isend 1 tag 5 0 int", "issend 1 tag 6 1 double",
                                    "ibsend 1 tag 7 2 char", "isend 1 tag 8 3 char", "waitall 4",
                                    // MPI_Sendrecv
                                    "irecv 1 tag 9 2 short", "isend 1 tag 9 1 float", "wait 1", "wait 0",
                                    // MPI_Sendrecv_replace
                                    "irecv 1 tag 10 2 int", "isend 1 tag 10 2 int", "wait 1", "wait 0",
                                    // MPI_Sendrecv from nobody
                                    "send 1 tag 11 1 int"));
  EXPECT_THAT(
      trace[1],
      ElementsAre("irecv 0 tag 3 1 byte", "irecv 0 tag 8 3 char", "recv 0 tag 1 10 int", "recv 0 tag 2 3 double",
                  "barrier", "wait 1", "recv 0 tag 4 40 byte", "recv 0 tag 5 40 byte", "recv 0 tag 6 40 byte",
                  "recv 0 tag 7 40 byte", "wait 0", "irecv 0 tag 9 2 short", "isend 0 tag 9 0 float", "wait 1",
                  "wait 0", "irecv 0 tag 10 2 int", "isend 0 tag 10 2 int", "wait 1", "wait 0", "recv 0 tag 11 1 int"));
}

TEST_P(RecordedMessages, AreWaitedForHoweverThatIsDone) {
  const SpelledTrace trace = record_program(GetParam(), 2, {"completion"});
  ASSERT_EQ(trace.size(), 2u);
  std::vector<std::string> sender;
  std::vector<std::string> receiver;
  for (int tag = 0; tag < 15; ++tag) {
    sender.push_back((tag < 14 ? "send 1 tag " : "isend 1 tag ") + std::to_string(tag) + " 1 char");
    receiver.push_back("irecv 0 tag " + std::to_string(tag) + " 1 char");
  }
  sender.push_back("barrier");
  receiver.push_back("barrier");
  // By age: the last that was started is 0.
  for (const int age : {13, 14, 12, 11, 10, 9, 8, 7, 6, 5, 4}) receiver.push_back("wait " + std::to_string(age));
  receiver.push_back("waitall 4");
  EXPECT_EQ(trace[0], sender);
  EXPECT_EQ(trace[1], receiver);
}

TEST_P(RecordedMessages, MayBePersistent) {
  const SpelledTrace trace = record_program(GetParam(), 2, {"persistent"});
  ASSERT_EQ(trace.size(), 2u);
  for (int rank = 0; rank < 2; ++rank) {
    const std::string other = std::to_string(1 - rank);
    const std::string send = "isend " + other + " tag 1 2 int";
    const std::string receive = "irecv " + other + " tag 1 2 int";
    EXPECT_THAT(trace[rank],
                ElementsAre(send, receive, "waitall 2", send, receive, "waitall 2", receive, send, "wait 1", "wait 0",
                            "irecv " + other + " tag 2 1 int", "irecv " + other + " tag 3 1 int",
                            "irecv " + other + " tag 4 1 int", "barrier", "issend " + other + " tag 2 1 int",
                            "ibsend " + other + " tag 3 1 int", "isend " + other + " tag 4 1 int", "wait 5", "wait 4",
                            "wait 3", "waitall 3"));
  }
}

TEST_P(RecordedMessages, KeepWildcardsAndProbes) {
  const SpelledTrace trace = record_program(GetParam(), 2, {"probes"});
  ASSERT_EQ(trace.size(), 2u);
  EXPECT_THAT(trace[0], ElementsAre("recv -1 tag -1 1 int", "probe -1 tag 2", "recv 1 tag 2 1 int", "probe 1 tag -1",
                                    "irecv -1 tag 3 1 int", "wait 0", "probe -1 tag -1", "recv 1 tag 4 1 int",
                                    "probe 1 tag 5", "irecv 1 tag 5 1 int", "wait 0"));
}

TEST_P(RecordedMessages, AreCountedInWhatTheyHold) {
  const SpelledTrace trace = record_program(GetParam(), 2, {"datatypes"});
  ASSERT_EQ(trace.size(), 2u);
  EXPECT_THAT(trace[0],
              ElementsAre("send 1 tag 0 32 byte", "send 1 tag 1 48 byte", "send 1 tag 2 2 char", "send 1 tag 3 2 short",
                          "send 1 tag 4 2 int", "send 1 tag 5 2 unsigned", "send 1 tag 6 2 long",
                          "send 1 tag 7 2 unsigned_long", "send 1 tag 8 2 long_long", "send 1 tag 9 2 float",
                          "send 1 tag 10 2 double", "send 1 tag 11 2 byte", "send 1 tag 12 2 long",
                          "send 1 tag 13 2 unsigned", "send 1 tag 14 16 byte", "allreduce 12 byte"));
  EXPECT_EQ(trace[1][1], "recv 0 tag 1 48 byte");
}

INSTANTIATE_RECORDER_TESTS(RecordedMessages);

}  // namespace
}  // namespace fabrictwin
