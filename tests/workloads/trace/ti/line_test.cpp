// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/ti/line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/workloads/trace_helpers.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

constexpr uint32_t kRanks = 4;

trace::format::Event parse(std::string_view line, uint32_t rank = 1) {
  trace::format::Event event;
  const auto error = trace::ti::parse_ti_line(line, rank, kRanks, event);
  EXPECT_FALSE(error.has_value()) << line << ": " << error->column << ": " << error->message;
  return event;
}

std::string problem(std::string_view line, uint32_t rank = 1) {
  trace::format::Event event;
  const auto error = trace::ti::parse_ti_line(line, rank, kRanks, event);
  return error ? std::to_string(error->column) + ": " + error->message : "no error";
}

TEST(TiLine, ReadsPointToPoint) {
  EXPECT_EQ(parse("1 init"), event_of(v1::INIT));
  EXPECT_EQ(parse("1 init "), event_of(v1::INIT));
  EXPECT_EQ(parse("1 finalize"), event_of(v1::FINALIZE));
  trace::format::Event event = parse("1 irecv 3 99 256 0");
  EXPECT_EQ(event.action, v1::IRECV);
  EXPECT_EQ(event.peer, 3);
  EXPECT_EQ(event.tag, 99);
  EXPECT_EQ(trace::format::event_bytes(event), 2048u);
  EXPECT_EQ(parse("1 irecv -333 99 1 1 ").peer, trace::ti::kTiProcNull) << "or any source";
  EXPECT_EQ(parse("1 recv -333 99 1 1").peer, trace::format::kAnySource);
  // What its replay knows.
  EXPECT_EQ(parse("1 recv -555 99 1 1").peer, trace::format::kAnySource);
  EXPECT_EQ(parse("1 irecv -555 99 1 1").peer, trace::format::kAnySource);
  EXPECT_EQ(parse("1 recv -555 -444 1 1").tag, trace::format::kAnyTag);
  EXPECT_EQ(parse("1 send 0 5 0 6").count, 0u) << "messages of no bytes are real";
  EXPECT_EQ(parse("1 isend 0 5 1e+06 6").count, 1'000'000u) << "some recorders write counts so";
  EXPECT_EQ(parse("1 waitall 64").count, 64u);
}

TEST(TiLine, SendsHaveModes) {
  EXPECT_EQ(parse("1 Ssend 0 2 10 6"), message(v1::SSEND, 0, 2, 10));
  EXPECT_EQ(parse("1 ISsend 0 2 10 6"), message(v1::ISSEND, 0, 2, 10));
  EXPECT_EQ(parse("1 bsend 0 2 10 6"), message(v1::BSEND, 0, 2, 10));
  EXPECT_EQ(parse("1 ibsend 0 2 10 6"), message(v1::IBSEND, 0, 2, 10));
  EXPECT_EQ(parse("1 Ssend -333 2 10 6"), message(v1::SSEND, trace::ti::kTiProcNull, 2, 10));
  EXPECT_EQ(problem("1 Ssend 0 -444 10 6"), "11: tag -444 is not supported: tags are 0 to 2147483647");
}

TEST(TiLine, WaitsAreOfOneDirection) {
  EXPECT_EQ(parse("1 wait 2 1 99"), message(v1::WAIT_RECV, 2, 99));
  EXPECT_EQ(parse("1 wait 1 2 99"), message(v1::WAIT_SEND, 2, 99));
  EXPECT_EQ(parse("1 wait -333 1 99"), message(v1::WAIT_RECV, trace::format::kAnySource, 99));
  EXPECT_EQ(parse("1 wait 1 1 7"), message(v1::WAIT_RECV, 1, 7));
  EXPECT_EQ(parse("1 wait 2 1 -444"), message(v1::WAIT_RECV, 2, trace::format::kAnyTag));
  EXPECT_EQ(parse("1 wait -333 1 -444"), message(v1::WAIT_RECV, trace::format::kAnySource, trace::format::kAnyTag));
  EXPECT_EQ(problem("1 wait 1 2 -444"), "12: tag -444 is not supported: tags are 0 to 2147483647");
  EXPECT_EQ(problem("1 wait 2 3 99"), "10: rank 1 waits for a message from 2 to 3, which is not its own");
}

TEST(TiLine, SendsMayBeToProcNull) {
  EXPECT_EQ(parse("1 send -333 5 1 6"), message(v1::SEND, trace::ti::kTiProcNull, 5, 1));
  EXPECT_EQ(parse("1 isend -333 5 1 6"), message(v1::ISEND, trace::ti::kTiProcNull, 5, 1));
  EXPECT_EQ(parse("1 wait 1 -333 5"), message(v1::WAIT_SEND, trace::ti::kTiProcNull, 5));
  EXPECT_EQ(problem("1 bcast 1 -333 6"), "11: the root is rank -333, but the trace has ranks 0 to 3");
}

TEST(TiLine, ComputeIsNanosecondsAndExact) {
  EXPECT_EQ(parse("1 compute 1.34721e+06").duration, Time::from_ns(1'347'210));
  EXPECT_EQ(parse("1 compute 98.5").duration, Time::from_ps(98'500));
  EXPECT_EQ(parse("1 compute 0").duration, Time::zero());
  EXPECT_EQ(parse("1 compute 3600000000001").duration, Time::from_ns(3'600'000'000'001));
  EXPECT_EQ(problem("1 compute 1e13"), "11: the amount of computation is longer than simulated time can be");
  EXPECT_EQ(problem("1 compute -5"), "11: the amount of computation is negative");
  EXPECT_EQ(problem("1 compute nan"), "11: the amount of computation is not a number: 'nan'");
  EXPECT_EQ(problem("1 compute 12x"), "11: the amount of computation is not a number: '12x'");
}

TEST(TiLine, ReadsCollectives) {
  trace::format::Event event = parse("1 bcast 13 2 1");
  EXPECT_EQ(event.action, v1::BCAST);
  EXPECT_EQ(event.peer, 2);
  EXPECT_EQ(trace::format::event_bytes(event), 52u);
  event = parse("1 reduce 1 5 3 7");
  EXPECT_EQ(event.peer, 3);
  EXPECT_EQ(event.duration, Time::from_ns(5));
  EXPECT_EQ(event.datatype, v1::LONG_LONG);
  EXPECT_EQ(trace::format::event_bytes(parse("1 allreduce 6 0 0")), 48u);
  EXPECT_EQ(parse("1 scan 1 0 7").action, v1::SCAN);
  event = parse("1 allgather 36 9 6 1");
  EXPECT_EQ(trace::format::event_bytes(event), 36u);
  EXPECT_EQ(trace::format::event_receive_bytes(event), 36u);
  event = parse("1 alltoallv 10 1 2 3 4 14 2 3 4 5 6 6");
  EXPECT_EQ(event.send_counts, (std::vector<uint64_t>{1, 2, 3, 4}));
  EXPECT_EQ(event.receive_counts, (std::vector<uint64_t>{2, 3, 4, 5}));
  event = parse("1 sendRecv 7 0 8 2 1 1");
  EXPECT_EQ(event.peer, 0);
  EXPECT_EQ(event.receive_peer, 2);
  EXPECT_EQ(trace::format::event_bytes(event), 28u);
  EXPECT_EQ(trace::format::event_receive_bytes(event), 32u);
  event = parse("1 gather 68 68 2 0 0");
  EXPECT_EQ(event.action, v1::GATHER);
  EXPECT_EQ(event.peer, 2);
  event = parse("1 gatherv 68 68 10 10 10 0 0 0");
  EXPECT_EQ(event.receive_counts, (std::vector<uint64_t>{68, 10, 10, 10}));
  event = parse("1 scatterv 68 10 10 10 68 3 0 0");
  EXPECT_EQ(event.peer, 3);
  EXPECT_EQ(event.receive_count, 68u);
  event = parse("1 allgatherv 5 5 6 7 8 1 1");
  EXPECT_EQ(event.receive_counts, (std::vector<uint64_t>{5, 6, 7, 8}));
  event = parse("1 reducescatter 5 6 7 8 100 0");
  EXPECT_EQ(event.send_counts, (std::vector<uint64_t>{5, 6, 7, 8}));
  EXPECT_EQ(event.duration, Time::from_ns(100));
}

TEST(TiLine, AZeroReceiveCountIsLeftOut) {
  trace::format::Event event = parse("1 allgather 36 6 1");
  EXPECT_EQ(event.count, 36u);
  EXPECT_EQ(event.receive_count, 0u);
  EXPECT_EQ(event.datatype, v1::BYTE);
  EXPECT_EQ(event.receive_datatype, v1::INT);
  event = parse("1 scatter 36 3 6 1");
  EXPECT_EQ(event.receive_count, 0u);
  EXPECT_EQ(event.peer, 3);
}

// As smpirun of SimGrid 3.32 records them, with what MPI_Type_size says there.
TEST(TiLine, DatatypesHaveTheSizesOfSimGrid) {
  const std::vector<uint64_t> sizes = {8,  4,  1, 2, 8, 4,  1, 8,  1,  1,  2, 4, 8, 8,  16, 4, 1, 1,
                                       2,  4,  8, 1, 2, 4,  8, 8,  16, 32, 8, 8, 8, 16, 16, 8, 8, 8,
                                       16, 16, 4, 4, 8, 16, 8, 16, 32, 4,  2, 4, 8, 16, 32, 1};
  for (size_t id = 0; id < sizes.size(); ++id)
    EXPECT_EQ(trace::format::event_bytes(parse("1 send 0 1 3 " + std::to_string(id))), 3 * sizes[id]) << id;
  EXPECT_EQ(trace::format::event_bytes(parse("1 send 0 1 3 57")), 3u);
  EXPECT_EQ(trace::format::event_bytes(parse("1 send 0 1 3 59")), 24u);
  for (const int id : {52, 53, 54, 55, 56, 58, 60})
    EXPECT_NE(problem("1 send 0 1 3 " + std::to_string(id)), "no error");
  trace::format::Event event = parse("1 alltoallv 10 1 2 3 4 14 2 3 4 5 27 14");
  EXPECT_EQ(event.send_counts, (std::vector<uint64_t>{4, 8, 12, 16}));
  EXPECT_EQ(event.receive_counts, (std::vector<uint64_t>{4, 6, 8, 10}));
  event = parse("1 allgatherv 5 5 6 7 8 14");
  EXPECT_EQ(event.count, 10u);
  EXPECT_EQ(event.receive_counts, (std::vector<uint64_t>{10, 12, 14, 16}));
  event = parse("1 gather 68 3 2 24 32");
  EXPECT_EQ(trace::format::event_bytes(event), 544u);
  EXPECT_EQ(trace::format::event_receive_bytes(event), 48u);
}

TEST(TiLine, DatatypesOfTheProgramAreUnsupported) {
  trace::format::Event event;
  const auto error = trace::ti::parse_ti_line("1 bcast 5 0 -1", 1, kRanks, event);
  ASSERT_TRUE(error.has_value());
  EXPECT_TRUE(error->unsupported);
  EXPECT_EQ(error->message, "the datatype is one that the program made (-1): its size is not in the trace");
}

TEST(TiLine, MistakesHaveAPlace) {
  EXPECT_EQ(problem(""), "1: the rank is missing");
  EXPECT_EQ(problem("x init"), "1: the rank is not a whole number: 'x'");
  EXPECT_EQ(problem("2 init"), "1: a line of rank 2 in the file of rank 1");
  EXPECT_EQ(problem("1"), "2: the name of the call is missing");
  EXPECT_EQ(problem("1 frobnicate 3"), "3: 'frobnicate' is not a call of a time-independent trace");
  EXPECT_EQ(problem("1 send 4 0 1 1"), "8: the other end is rank 4, but the trace has ranks 0 to 3");
  EXPECT_EQ(problem("1 send -555 0 1 1"), "8: the other end is rank -555, but the trace has ranks 0 to 3");
  EXPECT_EQ(problem("1 send 0 -444 1 1"), "10: tag -444 is not supported: tags are 0 to 2147483647");
  EXPECT_EQ(problem("1 send 0 1 1.5 1"), "12: the count is not a number of elements");
  EXPECT_EQ(problem("1 send 0 1 1 52"), "14: datatype 52 is not known: 0 to 51, 57 and 59 are");
  EXPECT_EQ(problem("1 send 0 1 1 -2"), "14: datatype -2 is not known: 0 to 51, 57 and 59 are");
  EXPECT_EQ(problem("1 send 0 1 1"), "13: the datatype is missing");
  EXPECT_EQ(problem("1 send 0 1 1 1 1"), "16: nothing is expected here, but there is '1'");
  EXPECT_EQ(problem("1 barrier 5"), "11: nothing is expected here, but there is '5'");
  EXPECT_EQ(problem("1 alltoallv 10 1 2 3"), "21: the send counts must be 4 numbers, one for each rank");
  EXPECT_THAT(problem("1 send 0 1 9007199254740992 0"), HasSubstr("more than a message can have"));
  EXPECT_EQ(problem("99999999999999999999 init"), "1: the rank is not a whole number: '99999999999999999999'");
}

TEST(TiLine, SendRecvFromAnySourceIsNamed) {
  trace::format::Event event;
  const auto error = trace::ti::parse_ti_line("1 sendRecv 7 0 8 -333 1 1", 1, kRanks, event);
  ASSERT_TRUE(error.has_value());
  EXPECT_TRUE(error->unsupported);
  EXPECT_EQ(error->column, 18);
  EXPECT_THAT(error->message, HasSubstr("a sendRecv from any source is not supported"));
}

// SMPI writes as many zeros as a block has elements.
TEST(TiLine, ReduceScatterOfBlocksIsNamed) {
  for (const std::string_view line : {"1 reducescatter 0 0 1 ", "1 reducescatter 5 ", "1 reducescatter 0 0 0 0 0 6 ",
                                      "1 reducescatter 0 0 0 0 0 0 0 5"}) {
    trace::format::Event event;
    const auto error = trace::ti::parse_ti_line(line, 1, kRanks, event);
    ASSERT_TRUE(error.has_value()) << line;
    EXPECT_TRUE(error->unsupported);
    EXPECT_THAT(error->message, HasSubstr("MPI_Reduce_scatter_block is not supported"));
  }
  EXPECT_EQ(parse("1 reducescatter 0 0 0 0 0 6").send_counts, (std::vector<uint64_t>{0, 0, 0, 0}));
  EXPECT_EQ(problem("1 reducescatter 1 2 3 4 0"), "26: the datatype is missing");
}

TEST(TiLine, CallsWithoutAFormAreNamed) {
  for (const std::string call : {"waitAny", "test", "testall", "sleep", "comm_split", "comm_dup", "Start", "Startall",
                                 "rsend", "ibarrier", "iallreduce", "ireducescatter", "iprobe", "Win_fence"}) {
    trace::format::Event event;
    const auto error = trace::ti::parse_ti_line("1 " + call + " 3", 1, kRanks, event);
    ASSERT_TRUE(error.has_value());
    EXPECT_TRUE(error->unsupported);
    EXPECT_THAT(error->message, HasSubstr("'" + call + "' is not supported"));
  }
}

}  // namespace
}  // namespace fabrictwin
