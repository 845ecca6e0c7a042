// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/dumpi/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/workloads/trace/dumpi/dumpi_text.h"
#include "tests/workloads/trace_helpers.h"

namespace fabrictwin {
namespace {

using testing::HasSubstr;

constexpr std::string_view kDouble = "14 (MPI_DOUBLE)";
constexpr std::string_view kInt = "9 (MPI_INT)";
constexpr std::string_view kByte = "5 (MPI_BYTE)";
const std::string kWorldComm = "MPI_Comm comm=2 (MPI_COMM_WORLD)\n";

absl::StatusOr<Program> imported(const TestFolder& folder, const std::vector<std::string>& texts) {
  for (size_t rank = 0; rank < texts.size(); ++rank) folder.write(fmt::format("d/run-{:04}.txt", rank), texts[rank]);
  if (absl::Status status = trace::dumpi::import_dumpi(folder.file("d"), folder.file("x.fttrace")); !status.ok())
    return status;
  return read_trace_bytes(read_file(folder.file("x.fttrace")));
}

// One rank does what is given, the other nothing.
std::string refused(const std::string& text) {
  TestFolder folder;
  const absl::StatusOr<Program> program = imported(folder, {text, DumpiText().finish()});
  EXPECT_FALSE(program.ok());
  EXPECT_FALSE(std::filesystem::exists(folder.file("x.fttrace")));
  EXPECT_FALSE(std::filesystem::exists(folder.file("x.fttrace.part")));
  return std::string(program.status().message());
}
std::string refused_call(std::string_view name, std::string_view arguments) {
  return refused(DumpiText().call(name, arguments).finish());
}

trace::format::Event typed(trace::format::Event event, v1::TraceDatatype datatype) {
  event.datatype = datatype;
  return event;
}
trace::format::Event wait_for(uint64_t started_later) {
  trace::format::Event event = event_of(v1::WAIT);
  event.count = started_later;
  return event;
}
trace::format::Event on(uint32_t communicator, trace::format::Event event) {
  event.communicator = communicator;
  return event;
}
trace::format::Event create(uint32_t number, std::vector<uint64_t> members) {
  trace::format::Event event = event_of(v1::COMM_CREATE);
  event.count = number;
  event.send_counts = std::move(members);
  return event;
}

// The form that the documentation of SST prints, shortened times included.
TEST(DumpiImport, ReadsWhatDumpi2asciiPrints) {
  TestFolder folder;
  const std::string text =
      "MPI_Initialized entering at walltime 8153.0493, cputime 0.0043 seconds in thread 0.\n"
      "int result=0\n"
      "MPI_Initialized returning at walltime 8153.0493, cputime 0.0043 seconds in thread 0.\n"
      "MPI_Init entering at walltime 8153.0493, cputime 0.0044 seconds in thread 0.\n"
      "int argc=0\n"
      "string argv[0]=<IGNORED>\n"
      "MPI_Init returning at walltime 8153.0493, cputime 0.0044 seconds in thread 0.\n"
      "MPI_Recv entering at walltime 8153.049301250, cputime 0.0045 seconds in thread 0.\n"
      "Perfcounters: [PAPI_TOT_CYC=12]\n"
      "int count=7\n"
      "MPI_Datatype datatype=14 (MPI_DOUBLE)\n"
      "int source=-1 (MPI_ANY_SOURCE)\n"
      "int tag=-1 (MPI_ANY_TAG)\n"
      "MPI_Comm comm=2 (MPI_COMM_WORLD)\n"
      "MPI_Status status=[{bytes=56, cancelled=0, source=0, tag=3, error=0}]\n"
      "MPI_Recv returning at walltime 8153.049400000, cputime 0.0045 seconds in thread 0.\n"
      "Perfcounters: [PAPI_TOT_CYC=99]\n"
      "MPI_Finalize entering at walltime 8153.0495, cputime 0.0046 seconds in thread 0.\n"
      "MPI_Finalize returning at walltime 8153.0498, cputime 0.0049 seconds in thread 0.\n";
  const auto program = imported(folder, {text});
  ASSERT_TRUE(program.ok()) << program.status();
  trace::format::Event receive =
      typed(message(v1::RECV, trace::format::kAnySource, trace::format::kAnyTag, 7), v1::DOUBLE);
  EXPECT_EQ((*program)[0],
            (std::vector<trace::format::Event>{event_of(v1::INIT), compute_for(Time::from_ns(1250)), receive,
                                               compute_for(Time::from_ns(100'000)), event_of(v1::FINALIZE)}));
}

TEST(DumpiImport, PointToPointOfAllModes) {
  TestFolder folder;
  DumpiText first;
  first.call("MPI_Comm_rank", kWorldComm + "int rank=0\n", 40)
      .call("MPI_Send", DumpiText::message(3, kDouble, "dest", 1, 9), 60)
      .call("MPI_Ssend", DumpiText::message(3, kInt, "dest", 1, 9))
      .call("MPI_Bsend", DumpiText::message(3, kByte, "dest", 1, 9))
      .call("MPI_Rsend", DumpiText::message(0, kByte, "dest", 1, 9))
      .call("MPI_Send", DumpiText::message(5, kByte, "dest", -1, 9))
      .call("MPI_Iprobe", "int source=1\nint tag=4\n" + kWorldComm + "int flag=0\nMPI_Status status=<IGNORED>\n")
      .call("MPI_Iprobe", "int source=1\nint tag=4\n" + kWorldComm + "int flag=1\nMPI_Status status=<IGNORED>\n")
      .call("MPI_Sendrecv",
            "int sendcount=2\nMPI_Datatype sendtype=9 (MPI_INT)\nint dest=1\nint sendtag=1\nint recvcount=4\n"
            "MPI_Datatype recvtype=14 (MPI_DOUBLE)\nint source=1\nint recvtag=2\n" +
                kWorldComm + "MPI_Status status=<IGNORED>\n");
  const auto program = imported(folder, {first.finish(), DumpiText().finish()});
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ((*program)[0],
            (std::vector<trace::format::Event>{
                event_of(v1::INIT), compute_for(Time::from_ns(40)), compute_for(Time::from_ns(60)),
                typed(message(v1::SEND, 1, 9, 3), v1::DOUBLE), typed(message(v1::SSEND, 1, 9, 3), v1::INT),
                message(v1::BSEND, 1, 9, 3), message(v1::SEND, 1, 9, 0), message(v1::PROBE, 1, 4),
                typed(message(v1::ISEND, 1, 1, 2), v1::INT), typed(message(v1::RECV, 1, 2, 4), v1::DOUBLE), wait_for(0),
                event_of(v1::FINALIZE)}));
}

TEST(DumpiImport, CompletionCallsWaitForWhatTheyCompleted) {
  TestFolder folder;
  DumpiText text;
  const auto request = [](int number) { return fmt::format("MPI_Request request=[{}]\n", number); };
  for (int i = 0; i < 6; ++i)
    text.call("MPI_Irecv", DumpiText::message(i + 1, kByte, "source", 1, i) + request(10 + i));
  text.call("MPI_Isend", DumpiText::message(1, kByte, "dest", 1, 0) + request(20));
  const std::string none = "MPI_Status status=<IGNORED>\n";
  text.call("MPI_Test", request(10) + "int flag=0\n" + none)
      .call("MPI_Test", request(10) + "int flag=1\n" + none)
      .call("MPI_Waitany", "int count=3\nMPI_Request requests[3]=[11, 12, 13]\nint index=1\n" + none)
      .call("MPI_Waitsome",
            "int count=3\nMPI_Request requests[3]=[11, 1, 13]\nint outcount=2\nint indices[2]=[2, 0]\n"
            "MPI_Status statuses[2]=<IGNORED>\n")
      .call("MPI_Testsome",
            "int count=1\nMPI_Request requests[1]=[14]\nint outcount=0\nint indices[0]=<IGNORED>\nMPI_Status "
            "statuses[0]=<IGNORED>\n")
      .call("MPI_Testall", "int count=1\nMPI_Request requests[1]=[14]\nint flag=0\nMPI_Status statuses[1]=<IGNORED>\n")
      .call("MPI_Testany", "int count=1\nMPI_Request requests[1]=[14]\nint index=0\nint flag=0\n" + none)
      .call("MPI_Waitall", "int count=4\nMPI_Request requests[4]=[20, 14, 1, 15]\nMPI_Status statuses[4]=<IGNORED>\n")
      .call("MPI_Wait", request(1) + none);
  const auto program = imported(folder, {text.finish(), DumpiText().finish()});
  ASSERT_TRUE(program.ok()) << program.status();
  std::vector<trace::format::Event> expected = {event_of(v1::INIT)};
  for (int i = 0; i < 6; ++i) expected.push_back(message(v1::IRECV, 1, i, i + 1));
  expected.push_back(message(v1::ISEND, 1, 0, 1));
  for (const uint64_t later : {6, 4, 3, 5, 0, 2, 1}) expected.push_back(wait_for(later));
  expected.push_back(event_of(v1::FINALIZE));
  EXPECT_EQ((*program)[0], expected);
}

TEST(DumpiImport, PersistentRequestsAreStartedAgainAndAgain) {
  TestFolder folder;
  DumpiText text;
  text.call("MPI_Send_init", DumpiText::message(2, kInt, "dest", 1, 3) + "MPI_Request request=[5]\n")
      .call("MPI_Recv_init", DumpiText::message(4, kInt, "source", 1, 3) + "MPI_Request request=[6]\n");
  for (int i = 0; i < 2; ++i) {
    text.call("MPI_Startall", "int count=2\nMPI_Request requests[2]=[5, 6]\n")
        .call("MPI_Waitall", "int count=2\nMPI_Request requests[2]=[5, 6]\nMPI_Status statuses[2]=<IGNORED>\n");
  }
  text.call("MPI_Request_free", "MPI_Request request=[5]\n");
  const auto program = imported(folder, {text.finish(), DumpiText().finish()});
  ASSERT_TRUE(program.ok()) << program.status();
  const trace::format::Event send = typed(message(v1::ISEND, 1, 3, 2), v1::INT);
  const trace::format::Event receive = typed(message(v1::IRECV, 1, 3, 4), v1::INT);
  EXPECT_EQ((*program)[0],
            (std::vector<trace::format::Event>{event_of(v1::INIT), send, receive, wait_for(1), wait_for(0), send,
                                               receive, wait_for(1), wait_for(0), event_of(v1::FINALIZE)}));
}

TEST(DumpiImport, Collectives) {
  TestFolder folder;
  const std::string one = "int count=5\nMPI_Datatype datatype=14 (MPI_DOUBLE)\n";
  const std::string two =
      "int sendcount=2\nMPI_Datatype sendtype=9 (MPI_INT)\nint recvcount=1\nMPI_Datatype recvtype=14 (MPI_DOUBLE)\n";
  const std::string sum = "MPI_Op op=3 (MPI_SUM)\n";
  const std::string root = "int root=1\n";
  const auto text = [&](int rank) {
    const bool is_root = rank == 1;
    const std::string rank_line = fmt::format("int commrank={}\n", rank);
    // What only the root gives is not recorded elsewhere.
    const std::string counts = is_root ? "[3, 4]" : "<IGNORED>";
    return DumpiText()
        .call("MPI_Barrier", kWorldComm)
        .call("MPI_Bcast", one + root + kWorldComm)
        .call("MPI_Reduce", one + sum + root + kWorldComm)
        .call("MPI_Allreduce", one + sum + kWorldComm)
        .call("MPI_Scan", one + sum + kWorldComm)
        .call("MPI_Allgather", two + kWorldComm)
        .call("MPI_Alltoall", two + kWorldComm)
        .call("MPI_Gather", rank_line + two + root + kWorldComm)
        .call("MPI_Scatter", rank_line + two + root + kWorldComm)
        .call("MPI_Gatherv", rank_line + "int commsize=2\nint sendcount=" + (is_root ? "4" : "3") +
                                 "\nMPI_Datatype sendtype=9 (MPI_INT)\nint recvcounts[2]=" + counts +
                                 "\nint displs[2]=" + counts + "\nMPI_Datatype recvtype=9 (MPI_INT)\n" + root +
                                 kWorldComm)
        .call("MPI_Scatterv", rank_line + "int commsize=2\nint sendcounts[2]=" + counts + "\nint displs[2]=" + counts +
                                  "\nMPI_Datatype sendtype=9 (MPI_INT)\nint recvcount=" + (is_root ? "4" : "3") +
                                  "\nMPI_Datatype recvtype=9 (MPI_INT)\n" + root + kWorldComm)
        .call("MPI_Allgatherv",
              "int commsize=2\nint sendcount=4\nMPI_Datatype sendtype=9 (MPI_INT)\nint recvcounts[2]=[4, 4]\n"
              "int displs[2]=[0, 4]\nMPI_Datatype recvtype=9 (MPI_INT)\n" +
                  kWorldComm)
        .call("MPI_Alltoallv",
              "int commsize=2\nint sendcounts[2]=[1, 2]\nint senddispls[2]=[0, 1]\nMPI_Datatype sendtype=9 (MPI_INT)\n"
              "int recvcounts[2]=[2, 1]\nint recvdispls[2]=[0, 2]\nMPI_Datatype recvtype=9 (MPI_INT)\n" +
                  kWorldComm)
        .call("MPI_Reduce_scatter",
              "int commsize=2\nint recvcounts[2]=[6, 7]\nMPI_Datatype datatype=14 (MPI_DOUBLE)\n" + sum + kWorldComm)
        .finish();
  };
  const auto program = imported(folder, {text(0), text(1)});
  ASSERT_TRUE(program.ok()) << program.status();
  const auto vector_of = [](v1::TraceAction action, int32_t peer = 0) {
    trace::format::Event event = event_of(action);
    event.peer = peer;
    event.count = 5;
    event.datatype = v1::DOUBLE;
    return event;
  };
  trace::format::Event exchange = event_of(v1::ALLGATHER);
  exchange.count = 2;
  exchange.datatype = v1::INT;
  exchange.receive_count = 1;
  exchange.receive_datatype = v1::DOUBLE;
  for (uint32_t rank = 0; rank < 2; ++rank) {
    const std::vector<trace::format::Event>& events = (*program)[rank];
    ASSERT_EQ(events.size(), 16u);
    EXPECT_EQ(events[1], event_of(v1::BARRIER));
    EXPECT_EQ(events[2], vector_of(v1::BCAST, 1));
    EXPECT_EQ(events[3], vector_of(v1::REDUCE, 1));
    EXPECT_EQ(events[4], vector_of(v1::ALLREDUCE));
    EXPECT_EQ(events[5], vector_of(v1::SCAN));
    EXPECT_EQ(events[6], exchange);
    EXPECT_EQ(events[7].action, v1::ALLTOALL);
    EXPECT_EQ(events[8].action, v1::GATHER);
    EXPECT_EQ(trace::format::event_bytes(events[8]), 8u);
    EXPECT_EQ(trace::format::event_receive_bytes(events[8]), 8u);
    EXPECT_EQ(events[9].action, v1::SCATTER);
    EXPECT_EQ(trace::format::event_bytes(events[9]), 8u);
    EXPECT_EQ(trace::format::event_receive_bytes(events[9]), 8u);
    const std::vector<uint64_t> each = rank == 1 ? std::vector<uint64_t>{3, 4} : std::vector<uint64_t>{0, 0};
    EXPECT_EQ(events[10].count, rank == 1 ? 4u : 3u);
    EXPECT_EQ(events[10].receive_counts, each);
    EXPECT_EQ(events[11].receive_count, rank == 1 ? 4u : 3u);
    EXPECT_EQ(events[11].send_counts, each);
    EXPECT_EQ(events[12].receive_counts, (std::vector<uint64_t>{4, 4}));
    EXPECT_EQ(events[13].send_counts, (std::vector<uint64_t>{1, 2}));
    EXPECT_EQ(events[13].receive_counts, (std::vector<uint64_t>{2, 1}));
    EXPECT_EQ(events[14].send_counts, (std::vector<uint64_t>{6, 7}));
    EXPECT_EQ(events[14].datatype, v1::DOUBLE);
  }
}

TEST(DumpiImport, CommunicatorsFollowFromColorsAndKeysOfAllRanks) {
  TestFolder folder;
  std::vector<std::string> texts;
  for (int rank = 0; rank < 4; ++rank) {
    // Odd ranks in reverse order; rank 2 in none. Numbers are each rank's own.
    const bool odd = rank % 2 == 1;
    DumpiText text;
    const std::string made = rank == 2 ? "1 (MPI_COMM_NULL)" : fmt::format("{} (user-defined-comm)", 4 + rank);
    text.call("MPI_Comm_split",
              fmt::format("MPI_Comm oldcomm=2 (MPI_COMM_WORLD)\nint color={}\nint key={}\nMPI_Comm newcomm={}\n",
                          rank == 2 ? -32766 : rank % 2, -rank, made));
    if (odd) {
      text.call("MPI_Comm_dup", fmt::format("MPI_Comm oldcomm={}\nMPI_Comm newcomm=9 (user-defined-comm)\n", made));
      text.call(rank == 1 ? "MPI_Send" : "MPI_Recv", DumpiText::message(1, kByte, rank == 1 ? "dest" : "source",
                                                                        rank == 1 ? 0 : 1, 2, "9 (user-defined-comm)"));
      text.call("MPI_Comm_free", fmt::format("MPI_Comm comm={}\n", made));
    }
    text.call("MPI_Barrier", "MPI_Comm comm=3 (MPI_COMM_SELF)\n");
    texts.push_back(text.finish());
  }
  const auto program = imported(folder, texts);
  ASSERT_TRUE(program.ok()) << program.status();
  trace::format::Event freed = event_of(v1::COMM_FREE);
  // As they were met: that of even ranks, oneself, that of odd ranks, its duplicate.
  freed.count = 3;
  EXPECT_EQ((*program)[0], (std::vector<trace::format::Event>{event_of(v1::INIT), create(1, {0}), create(2, {0}),
                                                              on(2, event_of(v1::BARRIER)), event_of(v1::FINALIZE)}));
  EXPECT_EQ((*program)[1], (std::vector<trace::format::Event>{event_of(v1::INIT), create(3, {3, 1}), create(4, {3, 1}),
                                                              on(4, message(v1::SEND, 3, 2, 1)), freed, create(2, {1}),
                                                              on(2, event_of(v1::BARRIER)), event_of(v1::FINALIZE)}));
  EXPECT_EQ((*program)[2], (std::vector<trace::format::Event>{event_of(v1::INIT), create(2, {2}),
                                                              on(2, event_of(v1::BARRIER)), event_of(v1::FINALIZE)}));
  EXPECT_EQ((*program)[3][3], on(4, message(v1::RECV, 1, 2, 1)));
}

TEST(DumpiImport, DatatypesOfTheProgramHaveTheSizesOfWhatTheyAreMadeOf) {
  TestFolder folder;
  DumpiText text;
  text.call("MPI_Type_contiguous",
            "int count=3\nMPI_Datatype oldtype=14 (MPI_DOUBLE)\nMPI_Datatype newtype=28 (user-defined-datatype)\n")
      .call("MPI_Type_vector",
            "int count=2\nint blocklength=5\nint stride=9\nMPI_Datatype oldtype=28 (user-defined-datatype)\n"
            "MPI_Datatype newtype=29 (user-defined-datatype)\n")
      .call("MPI_Type_indexed",
            "int count=2\nint lengths[2]=[1, 2]\nint indices[2]=[0, 7]\nMPI_Datatype oldtype=9 (MPI_INT)\n"
            "MPI_Datatype newtype=30 (user-defined-datatype)\n")
      .call("MPI_Type_commit", "MPI_Datatype datatype=29 (user-defined-datatype)\n")
      .call("MPI_Send", DumpiText::message(2, "29 (user-defined-datatype)", "dest", 1, 0))
      .call("MPI_Send", DumpiText::message(2, "30 (user-defined-datatype)", "dest", 1, 0))
      .call("MPI_Send", DumpiText::message(2, "15 (MPI_LONG_DOUBLE)", "dest", 1, 0));
  const auto program = imported(folder, {text.finish(), DumpiText().finish()});
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ((*program)[0], (std::vector<trace::format::Event>{
                               event_of(v1::INIT), message(v1::SEND, 1, 0, 480), message(v1::SEND, 1, 0, 24),
                               typed(message(v1::SEND, 1, 0, 4), v1::DOUBLE), event_of(v1::FINALIZE)}));
}

// What MPI_Type_size gives on 64-bit Linux.
TEST(DumpiImport, DatatypesOfMpiHaveTheirSizes) {
  const std::vector<std::pair<std::string, uint64_t>> types = {{"MPI_CHAR", 1},
                                                               {"MPI_SIGNED_CHAR", 1},
                                                               {"MPI_UNSIGNED_CHAR", 1},
                                                               {"MPI_BYTE", 1},
                                                               {"MPI_PACKED", 1},
                                                               {"MPI_WCHAR", 4},
                                                               {"MPI_SHORT", 2},
                                                               {"MPI_UNSIGNED_SHORT", 2},
                                                               {"MPI_INT", 4},
                                                               {"MPI_UNSIGNED", 4},
                                                               {"MPI_LONG", 8},
                                                               {"MPI_UNSIGNED_LONG", 8},
                                                               {"MPI_FLOAT", 4},
                                                               {"MPI_DOUBLE", 8},
                                                               {"MPI_LONG_DOUBLE", 16},
                                                               {"MPI_LONG_LONG_INT", 8},
                                                               {"MPI_LONG_LONG", 8},
                                                               {"MPI_UNSIGNED_LONG_LONG", 8},
                                                               {"MPI_LB", 0},
                                                               {"MPI_UB", 0},
                                                               {"MPI_FLOAT_INT", 8},
                                                               {"MPI_DOUBLE_INT", 12},
                                                               {"MPI_LONG_INT", 12},
                                                               {"MPI_SHORT_INT", 6},
                                                               {"MPI_2INT", 8},
                                                               {"MPI_LONG_DOUBLE_INT", 20}};
  TestFolder folder;
  DumpiText text;
  for (const auto& [name, bytes] : types)
    text.call("MPI_Send", DumpiText::message(1, fmt::format("7 ({})", name), "dest", 1, 0));
  const auto program = imported(folder, {text.finish(), DumpiText().finish()});
  ASSERT_TRUE(program.ok()) << program.status();
  ASSERT_EQ((*program)[0].size(), types.size() + 2);
  for (size_t i = 0; i < types.size(); ++i)
    EXPECT_EQ(trace::format::event_bytes((*program)[0][i + 1]), types[i].second) << types[i].first;
}

TEST(DumpiImport, MistakesAreNamedAtTheirPlace) {
  EXPECT_THAT(refused_call("MPI_Put", "int origincount=1\n"),
              HasSubstr("run-0000.txt:5:1: error: MPI_Put: this call is not supported"));
  EXPECT_THAT(refused_call("MPI_Cart_create", "int ndims=1\n"),
              HasSubstr("MPI_Cart_create: this call is not supported"));
  EXPECT_THAT(refused_call("MPI_Send", "int count=1\n"), HasSubstr("the argument 'comm' is missing"));
  EXPECT_THAT(refused_call("MPI_Send", DumpiText::message(1, kByte, "dest", 2, 0)),
              HasSubstr("run-0000.txt:8:1: error: MPI_Send: the communicator has 2 ranks"));
  EXPECT_THAT(refused_call("MPI_Send", DumpiText::message(1, kByte, "dest", 1, -7)),
              HasSubstr("tags are not negative"));
  EXPECT_THAT(refused_call("MPI_Send", DumpiText::message(1, "31 (user-defined-datatype)", "dest", 1, 0)),
              HasSubstr("the size of datatype '31 (user-defined-datatype)' is not known"));
  EXPECT_THAT(refused_call("MPI_Send", DumpiText::message(1, kByte, "dest", 1, 0, "7 (user-defined-comm)")),
              HasSubstr("this communicator does not exist"));
  EXPECT_THAT(refused_call("MPI_Wait", "MPI_Request request=[4]\nMPI_Status status=<IGNORED>\n"),
              HasSubstr("request 4 does not exist"));
  EXPECT_THAT(refused_call("MPI_Wait", "MPI_Request request=<IGNORED>\n"),
              HasSubstr("this was not recorded, but is needed"));
  EXPECT_THAT(refused_call("MPI_Waitany", "int count=1\nMPI_Request requests[1]=[4]\nint index=1\n"),
              HasSubstr("it completes request number 1 of 1"));
  EXPECT_THAT(refused_call("MPI_Bcast", "int count=1\nMPI_Datatype datatype=5 (MPI_BYTE)\nint root=2\n" + kWorldComm),
              HasSubstr("MPI_Bcast: the communicator has 2 ranks"));
  EXPECT_THAT(refused_call("MPI_Alltoallv",
                           "int commsize=1\nint sendcounts[1]=[1]\nMPI_Datatype sendtype=9 (MPI_INT)\n" + kWorldComm),
              HasSubstr("here are 1 numbers, but the communicator has 2 ranks"));
  EXPECT_THAT(
      refused_call("MPI_Send", "int count=x\nMPI_Datatype datatype=5 (MPI_BYTE)\nint dest=1\nint tag=0\n" + kWorldComm),
      HasSubstr("run-0000.txt:6:1: error: MPI_Send: this is not a whole number"));
  EXPECT_THAT(refused_call("MPI_Send",
                           "int count=-5\nMPI_Datatype datatype=5 (MPI_BYTE)\nint dest=1\nint tag=0\n" + kWorldComm),
              HasSubstr("run-0000.txt:6:1: error: MPI_Send: the count -5 is negative\nint count=-5\n^"));
  EXPECT_THAT(
      refused_call("MPI_Alltoallv",
                   "int commsize=2\nint sendcounts[2]=[1, -2]\nMPI_Datatype sendtype=9 (MPI_INT)\n" + kWorldComm),
      HasSubstr("run-0000.txt:7:1: error: MPI_Alltoallv: the count -2 is negative\nint sendcounts[2]=[1, -2]\n^"));
}

TEST(DumpiImport, TextThatIsNoTraceIsRefused) {
  EXPECT_THAT(refused("version=1\n"), HasSubstr("run-0000.txt:1:1: error: here a call as in"));
  EXPECT_THAT(refused(DumpiText().text()), HasSubstr("ends without MPI_Finalize; is it cut off?"));
  EXPECT_THAT(refused(""), HasSubstr("ends without MPI_Finalize"));
  const std::string whole = DumpiText().call("MPI_Barrier", kWorldComm).finish();
  EXPECT_THAT(refused(whole.substr(0, whole.find("MPI_Barrier returning"))),
              HasSubstr("the file ends inside of MPI_Barrier"));
  EXPECT_THAT(refused(whole + whole), HasSubstr("nothing can follow MPI_Finalize"));
  EXPECT_THAT(refused(whole.substr(whole.find("MPI_Barrier entering"))), HasSubstr("it is called before MPI_Init"));
  std::string thread = whole;
  thread.replace(thread.find("thread 0"), 8, "thread 1");
  EXPECT_THAT(refused(thread), HasSubstr("only calls of thread 0 are supported"));
  std::string time = whole;
  time.replace(time.find("walltime 8153"), 13, "walltime 9999");
  EXPECT_THAT(refused(time), HasSubstr("it returns before it was entered"));
}

TEST(DumpiImport, FilesAreFoundByTheNumberOfTheirRank) {
  TestFolder folder;
  const std::string text = DumpiText().finish();
  EXPECT_THAT(trace::dumpi::import_dumpi(folder.file("none"), folder.file("x.fttrace")).message(),
              HasSubstr("is not a folder"));
  folder.write("d/readme.txt", "notes");
  EXPECT_THAT(trace::dumpi::import_dumpi(folder.file("d"), folder.file("x.fttrace")).message(),
              HasSubstr("holds no file whose name"));
  folder.write("d/run-1.txt", text);
  EXPECT_THAT(trace::dumpi::import_dumpi(folder.file("d"), folder.file("x.fttrace")).message(),
              HasSubstr("the file of rank 0 is missing"));
  folder.write("d/run-0.txt", text);
  EXPECT_TRUE(trace::dumpi::import_dumpi(folder.file("d"), folder.file("x.fttrace")).ok());
  folder.write("d/other-0001.txt", text);
  EXPECT_THAT(trace::dumpi::import_dumpi(folder.file("d"), folder.file("y.fttrace")).message(),
              HasSubstr("is of rank 1, too"));
  folder.write("d/dumpi-0002.bin", "");
  EXPECT_THAT(trace::dumpi::import_dumpi(folder.file("d"), folder.file("y.fttrace")).message(), HasSubstr(""));
}

}  // namespace
}  // namespace fabrictwin
