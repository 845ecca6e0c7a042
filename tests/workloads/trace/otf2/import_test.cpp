// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How messages of OTF2 archives are imported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/workloads/trace/otf2/import_helpers.h"

namespace fabrictwin {
namespace {

TEST(Otf2Import, BlockingCallsKeepOrderAndTheTimeOutsideOfMpi) {
  TestFolder folder;
  const auto program = imported_otf2(folder, {}, [](uint32_t rank, Otf2Location& at) {
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
  EXPECT_EQ((*program)[0], (std::vector<trace::format::Event>{
                               event_of(v1::INIT), compute_for(Time::from_ns(250)), compute_for(Time::from_ns(3000)),
                               message(v1::SEND, 1, 7, 4096), compute_for(Time::from_ns(40)),
                               message(v1::SSEND, 1, 8, 0), message(v1::BSEND, 1, 9, 1), event_of(v1::FINALIZE)}));
  EXPECT_EQ((*program)[1], (std::vector<trace::format::Event>{event_of(v1::INIT), compute_for(Time::from_ns(250)),
                                                              compute_for(Time::from_ns(3000)),
                                                              message(v1::RECV, 0, 7, 4096), message(v1::RECV, 0, 8, 0),
                                                              message(v1::RECV, 0, 9, 1), event_of(v1::FINALIZE)}));
}

// As Score-P has them: each location counts regions and communicators in the order of their first use.
TEST(Otf2Import, NumbersAndClocksOfALocationAreTranslated) {
  const TestFolder folder;
  const auto program = imported_otf2(folder, {.ranks = 4, .own_numbers = true}, [](uint32_t rank, Otf2Location& at) {
    at.in("MPI_Init", [] {});
    at.now += 300;
    if (rank == 1) at.in("MPI_Ssend", [&] { at.send(1, 4, 8, kOtf2Odd); });
    if (rank == 3) at.in("MPI_Recv", [&] { at.receive(0, 4, 8, kOtf2Odd); });
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_BARRIER, 0, 0);
    at.in("MPI_Finalize", [] {});
  });
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ((*program)[0], (std::vector<trace::format::Event>{event_of(v1::INIT), compute_for(Time::from_ns(300)),
                                                              event_of(v1::BARRIER), event_of(v1::FINALIZE)}));
  EXPECT_EQ((*program)[1], (std::vector<trace::format::Event>{
                               event_of(v1::INIT), compute_for(Time::from_ns(300)), make_communicator(1, {1, 3}),
                               in(1, message(v1::SSEND, 3, 4, 8)), event_of(v1::BARRIER), event_of(v1::FINALIZE)}));
}

TEST(Otf2Import, AReceiveStandsWhereItWasPostedAndKnowsWhatItTook) {
  TestFolder folder;
  const auto program = imported_otf2(folder, {}, [](uint32_t rank, Otf2Location& at) {
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
            (std::vector<trace::format::Event>{
                event_of(v1::INIT), message(v1::IRECV, 1, 1, 100), message(v1::IRECV, 1, 2, 200),
                message(v1::ISEND, 1, 1, 100), message(v1::ISSEND, 1, 2, 200), wait_after(2),
                compute_for(Time::from_ns(7)), wait_after(3), wait_after(1), wait_after(0),
                message(v1::IBSEND, 1, 3, 1), message(v1::IRECV, 1, 3, 1), wait_after(0), event_of(v1::FINALIZE)}));
}

TEST(Otf2Import, ACancelledReceiveLeavesNoTrace) {
  TestFolder folder;
  const auto program = imported_otf2(folder, {}, [](uint32_t rank, Otf2Location& at) {
    at.in("MPI_Isend", [&] { at.isend(1, 1 - rank, 5, 8); });
    at.in("MPI_Irecv", [&] { at.irecv_request(2); });
    at.in("MPI_Irecv", [&] { at.irecv_request(3); });
    at.in("MPI_Cancel", [] {});
    at.in("MPI_Wait", [&] { OTF2_EvtWriter_MpiRequestCancelled(at.writer(), nullptr, at.now, 2); });
    at.in("MPI_Wait", [&] { at.irecv(3, 1 - rank, 5, 8); });
    at.in("MPI_Wait", [&] { at.isend_complete(1); });
  });
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ((*program)[0], (std::vector<trace::format::Event>{event_of(v1::INIT), message(v1::ISEND, 1, 5, 8),
                                                              message(v1::IRECV, 1, 5, 8), wait_after(0), wait_after(1),
                                                              event_of(v1::FINALIZE)}));
}

TEST(Otf2Import, SendrecvDoesNotWaitForItsSendFirst) {
  TestFolder folder;
  const auto program = imported_otf2(folder, {}, [](uint32_t rank, Otf2Location& at) {
    at.in("MPI_Sendrecv", [&] {
      at.send(1 - rank, 3, 1 << 20);
      at.receive(1 - rank, 3, 1 << 20);
    });
  });
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ((*program)[1], (std::vector<trace::format::Event>{event_of(v1::INIT), message(v1::ISEND, 0, 3, 1 << 20),
                                                              message(v1::RECV, 0, 3, 1 << 20), wait_after(0),
                                                              event_of(v1::FINALIZE)}));
}

TEST(Otf2Import, FlushesAreNotComputationAndOtherThreadsArePassedOver) {
  TestFolder folder;
  const auto program = imported_otf2(folder, {.threads = 1}, [](uint32_t location, Otf2Location& at) {
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
  EXPECT_EQ((*program)[0], (std::vector<trace::format::Event>{
                               event_of(v1::INIT), compute_for(Time::from_ns(100)), compute_for(Time::from_ns(20)),
                               compute_for(Time::from_ns(3)), event_of(v1::BARRIER), event_of(v1::FINALIZE)}));
}

}  // namespace
}  // namespace fabrictwin
