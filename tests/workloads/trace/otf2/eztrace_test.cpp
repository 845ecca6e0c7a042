// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Archives with the records that EZTrace 2.0 (Debian 12) writes, and those that it does not write.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/workloads/trace/otf2/import_helpers.h"

namespace fabrictwin {
namespace {

using testing::HasSubstr;

constexpr Otf2Layout kPair = {.ranks = 2, .eztrace = true};
constexpr uint32_t kNobody = static_cast<uint32_t>(-2);       // MPI_PROC_NULL of Open MPI.
constexpr uint32_t kMpichNobody = static_cast<uint32_t>(-1);  // MPI_PROC_NULL of MPICH.
constexpr uint32_t kMpiAnyTag = static_cast<uint32_t>(-1);

// Its own regions do not end in the order they begin in.
RecordOtf2 working(const RecordOtf2& record) {
  return [record](uint32_t rank, Otf2Location& at) {
    OTF2_EvtWriter_ThreadBegin(at.writer(), nullptr, at.now, OTF2_UNDEFINED_COMM, rank);
    at.enter("Working");
    record(rank, at);
    at.now += 50;
    at.enter("EZTrace finalize");
    at.leave("Working");
    OTF2_EvtWriter_ThreadEnd(at.writer(), nullptr, at.now, OTF2_UNDEFINED_COMM, rank);
    at.leave("EZTrace finalize");
  };
}

TEST(Otf2Eztrace, BlockingCallsAreImportedThoughTheirRegionsAreTheUsers) {
  const TestFolder folder;
  const auto program = imported_otf2(folder, kPair, working([](uint32_t rank, Otf2Location& at) {
                                       at.now += 100;
                                       if (rank == 0) {
                                         at.in("MPI_Ssend", [&] { at.send(1, 4, 40); });
                                       } else {
                                         at.in("MPI_Recv", [&] { at.receive(0, 4, 40); });
                                       }
                                       at.in("MPI_Send", [&] { at.send(kNobody, 0, 4); });
                                       at.in("MPI_Recv", [&] { at.receive(kNobody, kMpiAnyTag, 0); });
                                     }));
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ((*program)[0], (std::vector<trace::format::Event>{event_of(v1::INIT), compute_for(Time::from_ns(100)),
                                                              message(v1::SSEND, 1, 4, 40),
                                                              compute_for(Time::from_ns(50)), event_of(v1::FINALIZE)}));
  EXPECT_EQ((*program)[1], (std::vector<trace::format::Event>{event_of(v1::INIT), compute_for(Time::from_ns(100)),
                                                              message(v1::RECV, 0, 4, 40),
                                                              compute_for(Time::from_ns(50)), event_of(v1::FINALIZE)}));
}

// All ranks have what the call says, wherever the root is.
TEST(Otf2Eztrace, SizesOfCollectivesAreThoseOfTheArguments) {
  constexpr uint32_t kRanks = 4;
  constexpr uint64_t kBytes = 24;
  const TestFolder folder;
  const auto program =
      imported_otf2(folder, {.ranks = kRanks, .eztrace = true}, working([](uint32_t rank, Otf2Location& at) {
                      const uint64_t own = 8 * (rank + 1);
                      const auto call = [&](OTF2_CollectiveOp operation, uint64_t sent, uint64_t received,
                                            uint32_t root = OTF2_COLLECTIVE_ROOT_NONE) {
                        at.collective("MPI_Collective", operation, sent, received, root);
                      };
                      call(OTF2_COLLECTIVE_OP_BARRIER, 0, 0);
                      call(OTF2_COLLECTIVE_OP_BCAST, kBytes, kBytes, 2);
                      call(OTF2_COLLECTIVE_OP_REDUCE, kBytes, kBytes, 2);
                      call(OTF2_COLLECTIVE_OP_ALLREDUCE, kBytes, kBytes);
                      call(OTF2_COLLECTIVE_OP_GATHER, kBytes, kBytes, 2);
                      call(OTF2_COLLECTIVE_OP_SCATTER, kBytes, kBytes, 2);
                      call(OTF2_COLLECTIVE_OP_ALLGATHER, kBytes, kBytes);
                      call(OTF2_COLLECTIVE_OP_ALLTOALL, kBytes, kBytes);
                      call(OTF2_COLLECTIVE_OP_GATHERV, own, 80, 2);
                      call(OTF2_COLLECTIVE_OP_SCATTERV, 80, own, 2);
                      call(OTF2_COLLECTIVE_OP_ALLGATHERV, own, 80);
                    }));
  ASSERT_TRUE(program.ok()) << program.status();
  const auto one_way = [&](v1::TraceAction action, int32_t root = 0) {
    trace::format::Event event = event_of(action);
    event.count = kBytes;
    event.peer = root;
    return event;
  };
  const std::vector<uint64_t> each = {8, 16, 24, 32};
  for (uint32_t rank = 0; rank < kRanks; ++rank) {
    trace::format::Event gathered = event_of(v1::GATHERV);
    gathered.peer = 2;
    gathered.count = each[rank];
    gathered.receive_counts = each;
    trace::format::Event scattered = event_of(v1::SCATTERV);
    scattered.peer = 2;
    scattered.receive_count = each[rank];
    scattered.send_counts = each;
    trace::format::Event all_gathered = gathered;
    all_gathered.action = v1::ALLGATHERV;
    all_gathered.peer = 0;
    EXPECT_EQ((*program)[rank],
              (std::vector<trace::format::Event>{
                  event_of(v1::INIT), event_of(v1::BARRIER), one_way(v1::BCAST, 2), one_way(v1::REDUCE, 2),
                  one_way(v1::ALLREDUCE), collective(v1::GATHER, kBytes, v1::BYTE, 2),
                  collective(v1::SCATTER, kBytes, v1::BYTE, 2), collective(v1::ALLGATHER, kBytes),
                  collective(v1::ALLTOALL, kBytes), gathered, scattered, all_gathered, compute_for(Time::from_ns(50)),
                  event_of(v1::FINALIZE)}));
  }
}

TEST(Otf2Eztrace, PersistentRequestsAreImported) {
  const TestFolder folder;
  const auto program = imported_otf2(folder, kPair, working([](uint32_t rank, Otf2Location& at) {
                                       at.in("MPI_Start", [&] { at.irecv_request(140720922892600); });
                                       at.in("MPI_Start", [&] { at.isend(140720922892592, 1 - rank, 1, 8); });
                                       at.in("MPI_Wait", [&] { at.irecv(140720922892600, 1 - rank, 1, 8); });
                                       at.in("MPI_Wait", [&] { at.isend_complete(140720922892592); });
                                     }));
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ((*program)[0], (std::vector<trace::format::Event>{event_of(v1::INIT), message(v1::IRECV, 1, 1, 8),
                                                              message(v1::ISEND, 1, 1, 8), wait_after(1), wait_after(0),
                                                              compute_for(Time::from_ns(50)), event_of(v1::FINALIZE)}));
}

// To and from MPI_PROC_NULL. On completion MPICH, too, says -2.
TEST(Otf2Eztrace, PersistentRequestsToNobodyAreNoEvents) {
  for (const uint32_t nobody : {kNobody, kMpichNobody}) {
    const TestFolder folder;
    const auto program = imported_otf2(folder, kPair, working([nobody](uint32_t rank, Otf2Location& at) {
                                         at.in("MPI_Start", [&] { at.isend(1, nobody, 9, 4); });
                                         at.in("MPI_Start", [&] { at.irecv_request(2); });
                                         at.in("MPI_Start", [&] { at.isend(3, 1 - rank, 1, 8); });
                                         at.in("MPI_Start", [&] { at.irecv_request(4); });
                                         at.in("MPI_Wait", [&] { at.isend_complete(1); });
                                         at.in("MPI_Wait", [&] { at.irecv(2, kNobody, kMpiAnyTag, 0); });
                                         at.in("MPI_Wait", [&] { at.isend_complete(3); });
                                         at.in("MPI_Test", [&] { at.irecv(4, 1 - rank, 1, 8); });
                                         at.in("MPI_Start", [&] { at.isend(1, nobody, 9, 4); });
                                         at.in("MPI_Wait", [&] { at.isend_complete(1); });
                                       }));
    ASSERT_TRUE(program.ok()) << program.status();
    EXPECT_EQ((*program)[0],
              (std::vector<trace::format::Event>{event_of(v1::INIT), message(v1::ISEND, 1, 1, 8),
                                                 message(v1::IRECV, 1, 1, 8), wait_after(1), wait_after(0),
                                                 compute_for(Time::from_ns(50)), event_of(v1::FINALIZE)}));
  }
}

TEST(Otf2Eztrace, NegativeRanksThatAreNotNobodyAreRefused) {
  const auto why = [](const RecordOtf2& record) { return refused_otf2(kPair, working(record)); };
  EXPECT_THAT(
      why([](uint32_t, Otf2Location& at) { at.in("MPI_Send", [&] { at.send(static_cast<uint32_t>(-3), 0, 4); }); }),
      HasSubstr("rank 0, record 3 (MpiSend): rank -3 is neither one of the ranks nor MPI_PROC_NULL"));
  EXPECT_THAT(why([](uint32_t, Otf2Location& at) {
                at.in("MPI_Start", [&] { at.isend(1, static_cast<uint32_t>(-32766), 0, 4); });
              }),
              HasSubstr("(MpiIsend): rank -32766 is neither one of the ranks nor MPI_PROC_NULL"));
  // Wildcards do not stay: the source is that of what was received.
  EXPECT_THAT(why([](uint32_t, Otf2Location& at) { at.in("MPI_Recv", [&] { at.receive(kMpichNobody, 3, 4); }); }),
              HasSubstr("(MpiRecv): 4 bytes with tag 3 cannot come from rank -1"));
  EXPECT_THAT(why([](uint32_t, Otf2Location& at) {
                at.in("MPI_Start", [&] { at.irecv_request(2); });
                at.in("MPI_Wait", [&] { at.irecv(2, kNobody, 0, 0); });
              }),
              HasSubstr("(MpiIrecv): 0 bytes with tag 0 cannot come from rank -2"));
}

// Of a list of requests it does not find the right ones.
TEST(Otf2Eztrace, CompletionsOfListsOfRequestsAreRefused) {
  for (const std::string_view call : {"MPI_Waitall", "MPI_Waitsome"}) {
    EXPECT_THAT(refused_otf2(kPair, working([&](uint32_t rank, Otf2Location& at) {
                               at.in("MPI_Start", [&] { at.irecv_request(2); });
                               at.in(call, [&] { at.irecv(2, 1 - rank, 0, 0); });
                             })),
                HasSubstr("(MpiIrecv): EZTrace mixes up what " + std::string(call) + " completes; record the program"));
  }
}

TEST(Otf2Eztrace, WhatItDoesNotRecordIsRefusedByName) {
  const auto why = [](const RecordOtf2& record) { return refused_otf2(kPair, working(record)); };
  EXPECT_THAT(why([](uint32_t, Otf2Location& at) {
                at.in("MPI_Irecv", [&] { at.irecv_request(5); });
                at.in("MPI_Wait", [] {});
              }),
              HasSubstr("rank 0, record 3 (MpiIrecvRequest): EZTrace has not recorded when this completes"));
  EXPECT_THAT(why([](uint32_t rank, Otf2Location& at) {
                if (rank == 0) at.in("MPI_Isend", [&] { at.isend(5, 1, 2, 3); });
                if (rank == 1) at.in("MPI_Recv", [&] { at.receive(0, 2, 3); });
              }),
              HasSubstr("rank 0, record 3 (MpiIsend): EZTrace has not recorded when this completes"));
  EXPECT_THAT(why([](uint32_t, Otf2Location& at) { at.in("MPI_Irsend", [&] { at.send(1, 8, 3); }); }),
              HasSubstr("(MpiSend): MPI_Irsend has no request"));
  EXPECT_THAT(why([](uint32_t, Otf2Location& at) { at.in("MPI_Sendrecv", [] {}); }),
              HasSubstr("rank 0, record 2 (Enter): EZTrace does not record what MPI_Sendrecv sends and receives"));
  EXPECT_THAT(why([](uint32_t, Otf2Location& at) { at.in("MPI_Cancel", [] {}); }),
              HasSubstr("rank 0, record 2 (Enter): EZTrace does not record what MPI_Cancel cancels"));
  EXPECT_THAT(why([](uint32_t, Otf2Location& at) { at.in("mpi_recv_", [&] { at.receive(0, 4, 40); }); }),
              HasSubstr("(Enter): EZTrace does not record all of a program in Fortran (mpi_recv_)"));
  EXPECT_THAT(why([](uint32_t, Otf2Location& at) {
                at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_REDUCE_SCATTER, 40, 40);
              }),
              HasSubstr("(MPI_Reduce_scatter): EZTrace records only the sum of the counts"));
}

// Score-P before version 8 does not record collectives that do not block either.
TEST(Otf2Eztrace, CollectivesThatLeaveNoRecordAreRefusedWhoeverWroteThem) {
  for (const bool eztrace : {true, false}) {
    EXPECT_THAT(refused_otf2({.eztrace = eztrace}, [](uint32_t, Otf2Location& at) { at.in("MPI_Scan", [] {}); }),
                HasSubstr("rank 0, record 1 (Leave): MPI_Scan has left no record of what it did"));
    EXPECT_THAT(refused_otf2({.eztrace = eztrace},
                             [](uint32_t, Otf2Location& at) {
                               at.in("MPI_Iallreduce",
                                     [&] { OTF2_EvtWriter_MpiCollectiveBegin(at.writer(), nullptr, at.now); });
                             }),
                HasSubstr("rank 0, record 2 (Leave): MPI_Iallreduce has left no record of what it did"));
  }
}

// The negative ranks are those of EZTrace only.
TEST(Otf2Eztrace, PeersOfOthersMustBeRanks) {
  EXPECT_THAT(refused_otf2([](uint32_t, Otf2Location& at) { at.in("MPI_Send", [&] { at.send(kNobody, 0, 4); }); }),
              HasSubstr("rank 4294967294 is not one of the 2"));
}

}  // namespace
}  // namespace fabrictwin
