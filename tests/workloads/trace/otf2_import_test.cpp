// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/otf2_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tests/workloads/trace/otf2_writer.h"
#include "tests/workloads/trace_helpers.h"
#include "workloads/trace/file_trace.h"
#include "workloads/trace/trace_match_check.h"

namespace fabrictwin {
namespace {

using testing::HasSubstr;
using Record = std::function<void(uint32_t rank, Otf2Location& location)>;

absl::StatusOr<Program> imported(const TestFolder& folder, const Otf2Layout& layout, const Record& record) {
  const std::string anchor = write_otf2(folder.file("archive"), layout, record);
  if (absl::Status status = import_otf2(anchor, folder.file("x.fttrace")); !status.ok()) return status;
  return read_trace_bytes(read_file(folder.file("x.fttrace")));
}

// Of what is refused: nothing is written.
std::string refused(const Otf2Layout& layout, const Record& record) {
  TestFolder folder;
  const absl::StatusOr<Program> program = imported(folder, layout, record);
  EXPECT_FALSE(program.ok());
  EXPECT_FALSE(std::filesystem::exists(folder.file("x.fttrace")));
  EXPECT_FALSE(std::filesystem::exists(folder.file("x.fttrace.part")));
  return std::string(program.status().message());
}
std::string refused(const Record& record) { return refused({}, record); }

TraceEvent wait_for(uint64_t started_later) {
  TraceEvent event = event_of(v1::WAIT);
  event.count = started_later;
  return event;
}

TraceEvent on(uint32_t communicator, TraceEvent event) {
  event.communicator = communicator;
  return event;
}

TraceEvent create(uint32_t number, std::vector<uint64_t> members) {
  TraceEvent event = event_of(v1::COMM_CREATE);
  event.count = number;
  event.send_counts = std::move(members);
  return event;
}

TEST(Otf2Import, BlockingCallsKeepOrderAndTheTimeOutsideOfMpi) {
  TestFolder folder;
  const auto program = imported(folder, {}, [](uint32_t rank, Otf2Location& at) {
    at.enter("main");
    at.now += 250;
    at.in("MPI_Init", [] {});
    at.now += 3000;
    if (rank == 0) {
      at.in("MPI_Send", [&] { at.send(1, 7, 4096); });
      at.now += 40;
      at.in("MPI_Ssend", [&] { at.send(1, 8, 0); });
      at.in("MPI_Bsend", [&] { at.send(1, 9, 1); });
    } else {
      at.in("MPI_Recv", [&] { at.receive(0, 7, 4096); });
      at.in("MPI_Recv", [&] { at.receive(0, 8, 0); });
      at.in("MPI_Recv", [&] { at.receive(0, 9, 1); });
    }
    at.in("MPI_Finalize", [] {});
    at.now += 500;
    at.leave("main");
  });
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ((*program)[0], (std::vector<TraceEvent>{event_of(v1::INIT), compute_for(Time::from_ns(250)),
                                                    compute_for(Time::from_ns(3000)), message(v1::SEND, 1, 7, 4096),
                                                    compute_for(Time::from_ns(40)), message(v1::SSEND, 1, 8, 0),
                                                    message(v1::BSEND, 1, 9, 1), event_of(v1::FINALIZE)}));
  EXPECT_EQ((*program)[1],
            (std::vector<TraceEvent>{event_of(v1::INIT), compute_for(Time::from_ns(250)),
                                     compute_for(Time::from_ns(3000)), message(v1::RECV, 0, 7, 4096),
                                     message(v1::RECV, 0, 8, 0), message(v1::RECV, 0, 9, 1), event_of(v1::FINALIZE)}));
}

TEST(Otf2Import, AReceiveStandsWhereItWasPostedAndKnowsWhatItTook) {
  TestFolder folder;
  const auto program = imported(folder, {}, [](uint32_t rank, Otf2Location& at) {
    const uint32_t peer = 1 - rank;
    at.in("MPI_Irecv", [&] { at.irecv_request(10); });
    at.in("MPI_Irecv", [&] { at.irecv_request(11); });
    at.in("MPI_Isend", [&] { at.isend(12, peer, 1, 100); });
    at.in("MPI_Issend", [&] { at.isend(13, peer, 2, 200); });
    at.in("MPI_Test", [&] { OTF2_EvtWriter_MpiRequestTest(at.writer(), nullptr, at.now, 11); });
    at.in("MPI_Wait", [&] { at.irecv(11, peer, 2, 200); });
    at.now += 7;
    at.in("MPI_Waitall", [&] {
      at.irecv(10, peer, 1, 100);
      at.isend_complete(12);
      at.isend_complete(13);
    });
    at.in("MPI_Ibsend", [&] { at.isend(12, peer, 3, 1); });
    at.in("MPI_Irecv", [&] { at.irecv_request(10); });
    at.in("MPI_Wait", [&] { at.irecv(10, peer, 3, 1); });
  });
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ((*program)[0],
            (std::vector<TraceEvent>{event_of(v1::INIT), message(v1::IRECV, 1, 1, 100), message(v1::IRECV, 1, 2, 200),
                                     message(v1::ISEND, 1, 1, 100), message(v1::ISSEND, 1, 2, 200), wait_for(2),
                                     compute_for(Time::from_ns(7)), wait_for(3), wait_for(1), wait_for(0),
                                     message(v1::IBSEND, 1, 3, 1), message(v1::IRECV, 1, 3, 1), wait_for(0),
                                     event_of(v1::FINALIZE)}));
}

TEST(Otf2Import, ACancelledReceiveLeavesNoTrace) {
  TestFolder folder;
  const auto program = imported(folder, {}, [](uint32_t rank, Otf2Location& at) {
    at.in("MPI_Isend", [&] { at.isend(1, 1 - rank, 5, 8); });
    at.in("MPI_Irecv", [&] { at.irecv_request(2); });
    at.in("MPI_Irecv", [&] { at.irecv_request(3); });
    at.in("MPI_Cancel", [] {});
    at.in("MPI_Wait", [&] { OTF2_EvtWriter_MpiRequestCancelled(at.writer(), nullptr, at.now, 2); });
    at.in("MPI_Wait", [&] { at.irecv(3, 1 - rank, 5, 8); });
    at.in("MPI_Wait", [&] { at.isend_complete(1); });
  });
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ((*program)[0],
            (std::vector<TraceEvent>{event_of(v1::INIT), message(v1::ISEND, 1, 5, 8), message(v1::IRECV, 1, 5, 8),
                                     wait_for(0), wait_for(1), event_of(v1::FINALIZE)}));
}

TEST(Otf2Import, SendrecvDoesNotWaitForItsSendFirst) {
  TestFolder folder;
  const auto program = imported(folder, {}, [](uint32_t rank, Otf2Location& at) {
    at.in("MPI_Sendrecv", [&] {
      at.send(1 - rank, 3, 1 << 20);
      at.receive(1 - rank, 3, 1 << 20);
    });
  });
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ((*program)[1],
            (std::vector<TraceEvent>{event_of(v1::INIT), message(v1::ISEND, 0, 3, 1 << 20),
                                     message(v1::RECV, 0, 3, 1 << 20), wait_for(0), event_of(v1::FINALIZE)}));
}

// Bytes as Score-P counts them on 4 ranks, 24 bytes for each member.
TEST(Otf2Import, CollectivesHaveTheSizesOfTheirCalls) {
  constexpr uint32_t kRanks = 4;
  constexpr uint64_t kBytes = 24;
  constexpr uint64_t kAll = kRanks * kBytes;
  TestFolder folder;
  const auto program = imported(folder, {.ranks = kRanks}, [](uint32_t rank, Otf2Location& at) {
    const bool root = rank == 2;
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_BARRIER, 0, 0);
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_BCAST, root ? kAll : 0, kBytes, 2);
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_REDUCE, kBytes, root ? kAll : 0, 2);
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_ALLREDUCE, kAll, kAll);
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_SCAN, (kRanks - rank) * kBytes, (rank + 1) * kBytes);
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_EXSCAN, (kRanks - rank - 1) * kBytes, rank * kBytes);
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_GATHER, kBytes, root ? kAll : 0, 2);
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_SCATTER, root ? kAll : 0, kBytes, 2);
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_ALLGATHER, kAll, kAll);
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_ALLTOALL, kAll, kAll);
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, kAll, kAll);
  });
  ASSERT_TRUE(program.ok()) << program.status();
  const auto one_way = [&](v1::TraceAction action, int32_t root = 0) {
    TraceEvent event = event_of(action);
    event.count = kBytes;
    event.peer = root;
    return event;
  };
  TraceEvent blocks = event_of(v1::REDUCE_SCATTER);
  blocks.send_counts.assign(kRanks, kBytes);
  for (const std::vector<TraceEvent>& rank : *program) {
    EXPECT_EQ(rank,
              (std::vector<TraceEvent>{event_of(v1::INIT), event_of(v1::BARRIER), one_way(v1::BCAST, 2),
                                       one_way(v1::REDUCE, 2), one_way(v1::ALLREDUCE), one_way(v1::SCAN),
                                       one_way(v1::EXSCAN), collective(v1::GATHER, kBytes, v1::BYTE, 2),
                                       collective(v1::SCATTER, kBytes, v1::BYTE, 2), collective(v1::ALLGATHER, kBytes),
                                       collective(v1::ALLTOALL, kBytes), blocks, event_of(v1::FINALIZE)}));
  }
}

TEST(Otf2Import, InPlaceARankExchangesNothingWithItself) {
  constexpr uint64_t kBytes = 16;
  TestFolder folder;
  const auto program = imported(folder, {.ranks = 4}, [](uint32_t rank, Otf2Location& at) {
    const bool root = rank == 0;
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_ALLREDUCE, 3 * kBytes + 3, 3 * kBytes + 3);
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_REDUCE, root ? 0 : kBytes, root ? 3 * kBytes : 0, 0);
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_SCAN, (4 - rank - 1) * kBytes, rank * kBytes);
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_GATHER, root ? 0 : kBytes, root ? 3 * kBytes : 0, 0);
  });
  ASSERT_TRUE(program.ok()) << program.status();
  for (const std::vector<TraceEvent>& rank : *program) {
    ASSERT_EQ(rank.size(), 6u);
    EXPECT_EQ(rank[1].count, kBytes + 1);
    EXPECT_EQ(rank[2].count, kBytes);
    EXPECT_EQ(rank[3].count, kBytes);
    EXPECT_EQ(rank[4].count, kBytes);
  }
}

TEST(Otf2Import, SizesOfEachMemberComeFromTheRecordsOfAll) {
  TestFolder folder;
  const auto program = imported(folder, {.ranks = 3}, [](uint32_t rank, Otf2Location& at) {
    const uint64_t own = 10 * (rank + 1);
    const bool root = rank == 1;
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_GATHERV, own, root ? 60 : 0, 1);
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_SCATTERV, root ? 60 : 0, own, 1);
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_ALLGATHERV, 3 * own, 60);
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_REDUCE_SCATTER, 60, 3 * own);
  });
  ASSERT_TRUE(program.ok()) << program.status();
  const std::vector<uint64_t> each = {10, 20, 30};
  for (uint32_t rank = 0; rank < 3; ++rank) {
    const std::vector<TraceEvent>& events = (*program)[rank];
    ASSERT_EQ(events.size(), 6u);
    EXPECT_EQ(events[1].action, v1::GATHERV);
    EXPECT_EQ(events[1].peer, 1);
    EXPECT_EQ(events[1].count, each[rank]);
    EXPECT_EQ(events[1].receive_counts, each);
    EXPECT_EQ(events[2].action, v1::SCATTERV);
    EXPECT_EQ(events[2].receive_count, each[rank]);
    EXPECT_EQ(events[2].send_counts, each);
    EXPECT_EQ(events[3].action, v1::ALLGATHERV);
    EXPECT_EQ(events[3].receive_counts, each);
    EXPECT_EQ(events[4].action, v1::REDUCE_SCATTER);
    EXPECT_EQ(events[4].send_counts, each);
  }
}

TEST(Otf2Import, CommunicatorsBeginWithTheirFirstUseAndRanksAreThoseOfTheWorld) {
  TestFolder folder;
  const auto program = imported(folder, {.ranks = 4}, [](uint32_t rank, Otf2Location& at) {
    at.in("MPI_Comm_dup", [&] {
      OTF2_EvtWriter_MpiCollectiveBegin(at.writer(), nullptr, at.now);
      OTF2_EvtWriter_CommCreate(at.writer(), nullptr, at.now, kOtf2Duplicate);
      OTF2_EvtWriter_MpiCollectiveEnd(at.writer(), nullptr, at.now, OTF2_COLLECTIVE_OP_CREATE_HANDLE, kOtf2World,
                                      OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
    });
    if (rank == 1) at.in("MPI_Send", [&] { at.send(1, 4, 8, kOtf2Odd); });
    if (rank == 3) at.in("MPI_Recv", [&] { at.receive(0, 4, 8, kOtf2Odd); });
    if (rank % 2 == 1) at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_BCAST, rank == 3 ? 16 : 0, 8, 1, kOtf2Odd);
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_BARRIER, 0, 0, OTF2_COLLECTIVE_ROOT_NONE, kOtf2Duplicate);
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_ALLREDUCE, 4, 4, OTF2_COLLECTIVE_ROOT_NONE, kOtf2Self);
    at.in("MPI_Comm_free", [&] { OTF2_EvtWriter_CommDestroy(at.writer(), nullptr, at.now, kOtf2Duplicate); });
  });
  ASSERT_TRUE(program.ok()) << program.status();
  TraceEvent broadcast = event_of(v1::BCAST);
  broadcast.count = 8;
  broadcast.peer = 3;
  TraceEvent sum = event_of(v1::ALLREDUCE);
  sum.count = 4;
  TraceEvent freed = event_of(v1::COMM_FREE);
  // In the order of their first use: the duplicate, oneself, the odd ranks.
  freed.count = 1;
  EXPECT_EQ((*program)[0],
            (std::vector<TraceEvent>{event_of(v1::INIT), create(1, {0, 1, 2, 3}), on(1, event_of(v1::BARRIER)),
                                     create(2, {0}), on(2, sum), freed, event_of(v1::FINALIZE)}));
  EXPECT_EQ((*program)[1],
            (std::vector<TraceEvent>{event_of(v1::INIT), create(3, {1, 3}), on(3, message(v1::SEND, 3, 4, 8)),
                                     on(3, broadcast), create(1, {0, 1, 2, 3}), on(1, event_of(v1::BARRIER)),
                                     create(2, {1}), on(2, sum), freed, event_of(v1::FINALIZE)}));
}

TEST(Otf2Import, CollectivesThatDoNotBlockAreRequests) {
  TestFolder folder;
  const auto program = imported(folder, {}, [](uint32_t, Otf2Location& at) {
    const auto request = [&](uint64_t id) {
      OTF2_EvtWriter_NonBlockingCollectiveRequest(at.writer(), nullptr, at.now, id);
    };
    at.in("MPI_Icollective", [&] { request(1); });
    at.in("MPI_Icollective", [&] { request(2); });
    at.now += 9;
    at.in("MPI_Wait", [&] {
      OTF2_EvtWriter_NonBlockingCollectiveComplete(at.writer(), nullptr, at.now, OTF2_COLLECTIVE_OP_ALLGATHERV,
                                                   kOtf2World, OTF2_COLLECTIVE_ROOT_NONE, 16, 16, 2);
      OTF2_EvtWriter_NonBlockingCollectiveComplete(at.writer(), nullptr, at.now, OTF2_COLLECTIVE_OP_ALLREDUCE,
                                                   kOtf2World, OTF2_COLLECTIVE_ROOT_NONE, 64, 64, 1);
    });
  });
  ASSERT_TRUE(program.ok()) << program.status();
  TraceEvent sum = event_of(v1::IALLREDUCE);
  sum.count = 32;
  TraceEvent gather = event_of(v1::IALLGATHERV);
  gather.count = 8;
  gather.receive_counts = {8, 8};
  EXPECT_EQ((*program)[0], (std::vector<TraceEvent>{event_of(v1::INIT), sum, gather, compute_for(Time::from_ns(9)),
                                                    wait_for(0), wait_for(1), event_of(v1::FINALIZE)}));
}

TEST(Otf2Import, FlushesAreNotComputationAndOtherThreadsArePassedOver) {
  TestFolder folder;
  const auto program = imported(folder, {.threads = 1}, [](uint32_t location, Otf2Location& at) {
    at.enter("main");
    if (location == 2) {
      at.now += 77;
      OTF2_EvtWriter_ThreadTeamBegin(at.writer(), nullptr, at.now, kOtf2World);
      at.leave("main");
      return;
    }
    at.now += 100;
    OTF2_EvtWriter_BufferFlush(at.writer(), nullptr, at.now, at.now + 5000);
    at.now += 5020;
    OTF2_EvtWriter_ThreadFork(at.writer(), nullptr, at.now, OTF2_PARADIGM_OPENMP, 4);
    at.now += 3;
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_BARRIER, 0, 0);
    at.leave("main");
  });
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(program->size(), 2u);
  EXPECT_EQ((*program)[0], (std::vector<TraceEvent>{event_of(v1::INIT), compute_for(Time::from_ns(100)),
                                                    compute_for(Time::from_ns(20)), compute_for(Time::from_ns(3)),
                                                    event_of(v1::BARRIER), event_of(v1::FINALIZE)}));
}

TEST(Otf2Import, WhatHasNoFormIsRefusedByNameRankAndRecord) {
  const auto nothing = [](uint32_t rank) { return rank == 0; };
  EXPECT_THAT(refused([&](uint32_t rank, Otf2Location& at) {
                if (nothing(rank)) return;
                at.enter("main");
                OTF2_EvtWriter_RmaWinCreate(at.writer(), nullptr, at.now, 0);
              }),
              HasSubstr("rank 1, record 1 (RmaWinCreate): is not supported"));
  EXPECT_THAT(refused([](uint32_t, Otf2Location& at) {
                OTF2_EvtWriter_MeasurementOnOff(at.writer(), nullptr, at.now, OTF2_MEASUREMENT_OFF);
              }),
              HasSubstr("rank 0, record 0 (MeasurementOnOff: off)"));
  EXPECT_THAT(
      refused([](uint32_t, Otf2Location& at) { at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_ALLTOALLV, 5, 5); }),
      HasSubstr("rank 0, record 2 (MpiCollectiveEnd): MPI_Alltoallv is not supported"));
  EXPECT_THAT(refused([](uint32_t, Otf2Location& at) { at.in("MPI_File_write", [] {}); }),
              HasSubstr("rank 0, record 0 (Enter): MPI_File_write is not supported"));
  EXPECT_THAT(refused([](uint32_t, Otf2Location& at) {
                OTF2_EvtWriter_CallingContextEnter(at.writer(), nullptr, at.now, 0, 0);
              }),
              HasSubstr("CallingContextEnter"));
  EXPECT_THAT(refused({.threads = 1},
                      [](uint32_t location, Otf2Location& at) {
                        if (location == 2) at.in("MPI_Send", [&] { at.send(1, 0, 1); });
                      }),
              HasSubstr("location 100, record 1 (MpiSend): only the thread that is a rank may communicate"));
}

TEST(Otf2Import, RecordsThatCannotBeRightAreRefused) {
  EXPECT_THAT(refused([](uint32_t, Otf2Location& at) { at.send(2, 0, 1); }),
              HasSubstr("rank 0, record 0 (MpiSend): rank 2 is not one of the 2 of communicator MPI_COMM_WORLD"));
  EXPECT_THAT(refused([](uint32_t, Otf2Location& at) { at.send(0, 0, 1, 17); }), HasSubstr("communicator 17"));
  EXPECT_THAT(refused([](uint32_t, Otf2Location& at) { at.send(0, 0, 1, kOtf2Between); }),
              HasSubstr("(between): it is between two groups"));
  EXPECT_THAT(refused([](uint32_t, Otf2Location& at) { at.send(0, 3'000'000'000, 1); }), HasSubstr("tag 3000000000"));
  EXPECT_THAT(refused([](uint32_t, Otf2Location& at) { at.send(0, 0, uint64_t{1} << 60); }),
              HasSubstr("more than a message may have"));
  EXPECT_THAT(refused([](uint32_t, Otf2Location& at) { at.irecv(4, 0, 0, 1); }),
              HasSubstr("(MpiIrecv): no such operation with request 4"));
  EXPECT_THAT(refused([](uint32_t, Otf2Location& at) { at.irecv_request(4); }),
              HasSubstr("rank 0, record 0 (MpiIrecvRequest): request 4 never completes"));
  EXPECT_THAT(refused([](uint32_t, Otf2Location& at) {
                at.irecv_request(4);
                at.irecv_request(4);
              }),
              HasSubstr("request 4 has not been completed yet"));
  EXPECT_THAT(refused([](uint32_t, Otf2Location& at) {
                at.isend(4, 0, 0, 0);
                OTF2_EvtWriter_MpiRequestCancelled(at.writer(), nullptr, at.now, 4);
              }),
              HasSubstr("only receives can be cancelled"));
  EXPECT_THAT(refused([](uint32_t, Otf2Location& at) {
                at.enter("main");
                at.leave("MPI_Send");
              }),
              HasSubstr("(Leave): it leaves region 4"));
  EXPECT_THAT(refused([](uint32_t, Otf2Location& at) {
                at.in("MPI_Finalize", [] {});
                at.send(0, 0, 0);
              }),
              HasSubstr("this is after MPI_Finalize"));
  EXPECT_THAT(refused([](uint32_t, Otf2Location& at) {
                at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_BCAST, 0, 8, OTF2_COLLECTIVE_ROOT_NONE);
              }),
              HasSubstr("it has no root"));
  EXPECT_THAT(
      refused({.ranks = 4},
              [](uint32_t, Otf2Location& at) { at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_ALLREDUCE, 7, 7); }),
      HasSubstr("rank 0, record 2 (MPI_Allreduce): 7 bytes are not the same for each of 4 members"));
  EXPECT_THAT(refused([](uint32_t rank, Otf2Location& at) {
                if (rank == 0) at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_ALLGATHERV, 8, 8);
              }),
              HasSubstr("rank 0, record 2 (MPI_Allgatherv): only 1 of 2 members call it"));
  EXPECT_THAT(refused([](uint32_t rank, Otf2Location& at) {
                at.collective("MPI_Collective",
                              rank == 0 ? OTF2_COLLECTIVE_OP_ALLGATHERV : OTF2_COLLECTIVE_OP_REDUCE_SCATTER, 8, 8);
              }),
              HasSubstr("rank 1, record 2 (MPI_Reduce_scatter): rank 0 calls MPI_Allgatherv here"));
  EXPECT_THAT(refused([](uint32_t rank, Otf2Location& at) {
                if (rank == 0)
                  at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_ALLREDUCE, 8, 8, OTF2_COLLECTIVE_ROOT_NONE,
                                kOtf2Odd);
              }),
              HasSubstr("the rank is not a member of communicator odd ranks"));
}

TEST(Otf2Import, ArchivesThatAreNoneOrDamagedAreRefused) {
  const Record barrier = [](uint32_t, Otf2Location& at) {
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_BARRIER, 0, 0);
  };
  EXPECT_THAT(refused({.mpi = false}, barrier), HasSubstr("traces.otf2: the definitions list no ranks"));
  EXPECT_THAT(refused({.clock = false}, barrier), HasSubstr("the definitions say nothing of the clock"));
  EXPECT_THAT(refused({.extra_events = 2}, barrier), HasSubstr("location 0 ends after 4 of 6 records"));
  TestFolder folder;
  EXPECT_THAT(import_otf2(folder.file("no.otf2"), folder.file("x.fttrace")).message(), HasSubstr("is not a file"));
  const std::string text = folder.write("text.otf2", "this is no archive\n");
  EXPECT_THAT(import_otf2(text, folder.file("x.fttrace")).message(), HasSubstr("this is not an OTF2 archive"));
}

TEST(Otf2Import, CutOffEventsAreRefusedWhereverTheyEnd) {
  TestFolder folder;
  const std::string anchor = write_otf2(folder.file("archive"), {}, [](uint32_t rank, Otf2Location& at) {
    for (uint32_t i = 0; i < 20; ++i) {
      at.now += 100;
      at.in("MPI_Isend", [&] { at.isend(i, 1 - rank, i, 1000); });
    }
  });
  const std::string events = folder.file("archive/traces/1.evt");
  const std::string whole = read_file(events);
  ASSERT_GT(whole.size(), 200u);
  ASSERT_TRUE(import_otf2(anchor, folder.file("x.fttrace")).ok());
  std::filesystem::remove(folder.file("x.fttrace"));
  for (size_t size = 0; size + 1 < whole.size(); size += 13) {
    std::filesystem::remove(events);
    folder.write("archive/traces/1.evt", std::string_view(whole).substr(0, size));
    EXPECT_FALSE(import_otf2(anchor, folder.file("x.fttrace")).ok()) << size;
    EXPECT_FALSE(std::filesystem::exists(folder.file("x.fttrace")));
  }
}

}  // namespace
}  // namespace fabrictwin
