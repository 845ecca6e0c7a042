// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How collectives and communicators of OTF2 archives are imported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/workloads/trace/otf2/import_helpers.h"

namespace fabrictwin {
namespace {

// Bytes as Score-P counts them on 4 ranks, 24 bytes for each member.
TEST(Otf2Import, CollectivesHaveTheSizesOfTheirCalls) {
  constexpr uint32_t kRanks = 4;
  constexpr uint64_t kBytes = 24;
  constexpr uint64_t kAll = kRanks * kBytes;
  TestFolder folder;
  const auto program = imported_otf2(folder, {.ranks = kRanks}, [](uint32_t rank, Otf2Location& at) {
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
    trace::format::Event event = event_of(action);
    event.count = kBytes;
    event.peer = root;
    return event;
  };
  trace::format::Event blocks = event_of(v1::REDUCE_SCATTER);
  blocks.send_counts.assign(kRanks, kBytes);
  for (const std::vector<trace::format::Event>& rank : *program) {
    EXPECT_EQ(rank, (std::vector<trace::format::Event>{
                        event_of(v1::INIT), event_of(v1::BARRIER), one_way(v1::BCAST, 2), one_way(v1::REDUCE, 2),
                        one_way(v1::ALLREDUCE), one_way(v1::SCAN), one_way(v1::EXSCAN),
                        collective(v1::GATHER, kBytes, v1::BYTE, 2), collective(v1::SCATTER, kBytes, v1::BYTE, 2),
                        collective(v1::ALLGATHER, kBytes), collective(v1::ALLTOALL, kBytes), blocks,
                        event_of(v1::FINALIZE)}));
  }
}

TEST(Otf2Import, InPlaceARankExchangesNothingWithItself) {
  constexpr uint64_t kBytes = 16;
  TestFolder folder;
  const auto program = imported_otf2(folder, {.ranks = 4}, [](uint32_t rank, Otf2Location& at) {
    const bool root = rank == 0;
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_ALLREDUCE, 3 * kBytes + 3, 3 * kBytes + 3);
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_REDUCE, root ? 0 : kBytes, root ? 3 * kBytes : 0, 0);
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_SCAN, (4 - rank - 1) * kBytes, rank * kBytes);
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_GATHER, root ? 0 : kBytes, root ? 3 * kBytes : 0, 0);
  });
  ASSERT_TRUE(program.ok()) << program.status();
  for (const std::vector<trace::format::Event>& rank : *program) {
    ASSERT_EQ(rank.size(), 6u);
    EXPECT_EQ(rank[1].count, kBytes + 1);
    EXPECT_EQ(rank[2].count, kBytes);
    EXPECT_EQ(rank[3].count, kBytes);
    EXPECT_EQ(rank[4].count, kBytes);
  }
}

TEST(Otf2Import, SizesOfEachMemberComeFromTheRecordsOfAll) {
  TestFolder folder;
  const auto program = imported_otf2(folder, {.ranks = 3}, [](uint32_t rank, Otf2Location& at) {
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
    const std::vector<trace::format::Event>& events = (*program)[rank];
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
  const auto program = imported_otf2(folder, {.ranks = 4}, [](uint32_t rank, Otf2Location& at) {
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
  trace::format::Event broadcast = event_of(v1::BCAST);
  broadcast.count = 8;
  broadcast.peer = 3;
  trace::format::Event sum = event_of(v1::ALLREDUCE);
  sum.count = 4;
  trace::format::Event freed = event_of(v1::COMM_FREE);
  // In the order of their first use: the duplicate, oneself, the odd ranks.
  freed.count = 1;
  EXPECT_EQ((*program)[0], (std::vector<trace::format::Event>{event_of(v1::INIT), make_communicator(1, {0, 1, 2, 3}),
                                                              in(1, event_of(v1::BARRIER)), make_communicator(2, {0}),
                                                              in(2, sum), freed, event_of(v1::FINALIZE)}));
  EXPECT_EQ((*program)[1], (std::vector<trace::format::Event>{
                               event_of(v1::INIT), make_communicator(3, {1, 3}), in(3, message(v1::SEND, 3, 4, 8)),
                               in(3, broadcast), make_communicator(1, {0, 1, 2, 3}), in(1, event_of(v1::BARRIER)),
                               make_communicator(2, {1}), in(2, sum), freed, event_of(v1::FINALIZE)}));
}

TEST(Otf2Import, CollectivesThatDoNotBlockAreRequests) {
  TestFolder folder;
  const auto program = imported_otf2(folder, {}, [](uint32_t, Otf2Location& at) {
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
  trace::format::Event sum = event_of(v1::IALLREDUCE);
  sum.count = 32;
  trace::format::Event gather = event_of(v1::IALLGATHERV);
  gather.count = 8;
  gather.receive_counts = {8, 8};
  EXPECT_EQ((*program)[0],
            (std::vector<trace::format::Event>{event_of(v1::INIT), sum, gather, compute_for(Time::from_ns(9)),
                                               wait_after(0), wait_after(1), event_of(v1::FINALIZE)}));
}

}  // namespace
}  // namespace fabrictwin
