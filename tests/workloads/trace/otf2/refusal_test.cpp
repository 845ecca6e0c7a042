// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the import of OTF2 archives refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/workloads/trace/otf2/import_helpers.h"
#include "workloads/trace/otf2/calls.h"
#include "workloads/trace/otf2/definitions.h"

namespace fabrictwin {
namespace {

using testing::HasSubstr;
TEST(Otf2Import, WhatHasNoFormIsRefusedByNameRankAndRecord) {
  const auto nothing = [](uint32_t rank) { return rank == 0; };
  EXPECT_THAT(refused_otf2([&](uint32_t rank, Otf2Location& at) {
                if (nothing(rank)) return;
                at.enter("main");
                OTF2_EvtWriter_RmaWinCreate(at.writer(), nullptr, at.now, 0);
              }),
              HasSubstr("rank 1, record 1 (RmaWinCreate): is not supported"));
  EXPECT_THAT(refused_otf2([](uint32_t, Otf2Location& at) {
                OTF2_EvtWriter_MeasurementOnOff(at.writer(), nullptr, at.now, OTF2_MEASUREMENT_OFF);
              }),
              HasSubstr("rank 0, record 0 (MeasurementOnOff: off)"));
  EXPECT_THAT(refused_otf2([](uint32_t, Otf2Location& at) {
                at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_ALLTOALLV, 5, 5);
              }),
              HasSubstr("rank 0, record 2 (MpiCollectiveEnd): MPI_Alltoallv is not supported"));
  EXPECT_THAT(refused_otf2([](uint32_t, Otf2Location& at) { at.in("MPI_Ssend_init", [] {}); }),
              HasSubstr("rank 0, record 0 (Enter): MPI_Ssend_init is not supported: records of MPI_Start do not tell"));
  for (const std::string call : {"MPI_Ineighbor_alltoall", "MPI_Neighbor_alltoall_init", "MPI_Bcast_init",
                                 "MPI_Allreduce_init", "MPI_Psend_init", "MPI_Precv_init"}) {
    EXPECT_EQ(trace::otf2::why_unsupported(call, false), call + " is not supported: traces have no form for it");
  }
  for (const std::string call : {"MPI_Init", "MPI_Send_init", "MPI_Rsend_init", "MPI_Recv_init", "MPI_Session_init"})
    EXPECT_EQ(trace::otf2::why_unsupported(call, false), "") << call;
  EXPECT_THAT(refused_otf2([](uint32_t, Otf2Location& at) { at.in("MPI_File_write", [] {}); }),
              HasSubstr("rank 0, record 0 (Enter): MPI_File_write is not supported"));
  EXPECT_THAT(refused_otf2([](uint32_t, Otf2Location& at) {
                OTF2_EvtWriter_CallingContextEnter(at.writer(), nullptr, at.now, 0, 0);
              }),
              HasSubstr("CallingContextEnter"));
  EXPECT_THAT(refused_otf2({.threads = 1},
                           [](uint32_t location, Otf2Location& at) {
                             if (location == 2) at.in("MPI_Send", [&] { at.send(1, 0, 1); });
                           }),
              HasSubstr("location 100, record 1 (MpiSend): only the thread that is a rank may communicate"));
}

TEST(Otf2Import, RecordsThatCannotBeRightAreRefused) {
  EXPECT_THAT(refused_otf2([](uint32_t, Otf2Location& at) { at.send(2, 0, 1); }),
              HasSubstr("rank 0, record 0 (MpiSend): rank 2 is not one of the 2 of communicator MPI_COMM_WORLD"));
  EXPECT_THAT(refused_otf2([](uint32_t, Otf2Location& at) { OTF2_EvtWriter_Enter(at.writer(), nullptr, at.now, 999); }),
              HasSubstr("rank 0, record 0 (Enter): region 999 is not defined"));
  EXPECT_THAT(refused_otf2([](uint32_t, Otf2Location& at) { at.send(0, 0, 1, 17); }), HasSubstr("communicator 17"));
  EXPECT_THAT(refused_otf2([](uint32_t, Otf2Location& at) { at.send(0, 0, 1, kOtf2Between); }),
              HasSubstr("(between): it is between two groups"));
  EXPECT_THAT(refused_otf2([](uint32_t, Otf2Location& at) { at.send(0, 3'000'000'000, 1); }),
              HasSubstr("tag 3000000000"));
  EXPECT_THAT(refused_otf2([](uint32_t, Otf2Location& at) { at.send(0, 0, uint64_t{1} << 60); }),
              HasSubstr("more than a message may have"));
  EXPECT_THAT(refused_otf2([](uint32_t, Otf2Location& at) { at.irecv(4, 0, 0, 1); }),
              HasSubstr("(MpiIrecv): no such operation with request 4"));
  EXPECT_THAT(refused_otf2([](uint32_t, Otf2Location& at) { at.irecv_request(4); }),
              HasSubstr("rank 0, record 0 (MpiIrecvRequest): request 4 never completes"));
  EXPECT_THAT(refused_otf2([](uint32_t, Otf2Location& at) {
                at.irecv_request(4);
                at.irecv_request(4);
              }),
              HasSubstr("request 4 has not been completed yet"));
  EXPECT_THAT(refused_otf2([](uint32_t, Otf2Location& at) {
                at.isend(4, 0, 0, 0);
                OTF2_EvtWriter_MpiRequestCancelled(at.writer(), nullptr, at.now, 4);
              }),
              HasSubstr("only receives can be cancelled"));
  EXPECT_THAT(refused_otf2([](uint32_t, Otf2Location& at) {
                at.enter("main");
                at.leave("MPI_Send");
              }),
              HasSubstr("(Leave): it leaves MPI_Send, which is not the call entered last"));
  EXPECT_THAT(refused_otf2([](uint32_t, Otf2Location& at) {
                at.in("MPI_Finalize", [] {});
                at.send(0, 0, 0);
              }),
              HasSubstr("this is after MPI_Finalize"));
  EXPECT_THAT(refused_otf2([](uint32_t, Otf2Location& at) {
                at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_BCAST, 0, 8, OTF2_COLLECTIVE_ROOT_NONE);
              }),
              HasSubstr("it has no root"));
  EXPECT_THAT(refused_otf2({.ranks = 4},
                           [](uint32_t, Otf2Location& at) {
                             at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_ALLREDUCE, 7, 7);
                           }),
              HasSubstr("rank 0, record 2 (MPI_Allreduce): 7 bytes are not the same for each of 4 members"));
  EXPECT_THAT(refused_otf2([](uint32_t rank, Otf2Location& at) {
                if (rank == 0) at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_ALLGATHERV, 8, 8);
              }),
              HasSubstr("rank 0, record 2 (MPI_Allgatherv): only 1 of 2 members call it"));
  EXPECT_THAT(refused_otf2([](uint32_t rank, Otf2Location& at) {
                at.collective("MPI_Collective",
                              rank == 0 ? OTF2_COLLECTIVE_OP_ALLGATHERV : OTF2_COLLECTIVE_OP_REDUCE_SCATTER, 8, 8);
              }),
              HasSubstr("rank 1, record 2 (MPI_Reduce_scatter): rank 0 calls MPI_Allgatherv here"));
  EXPECT_THAT(refused_otf2([](uint32_t rank, Otf2Location& at) {
                if (rank == 0)
                  at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_ALLREDUCE, 8, 8, OTF2_COLLECTIVE_ROOT_NONE,
                                kOtf2Odd);
              }),
              HasSubstr("the rank is not a member of communicator odd ranks"));
}

TEST(Otf2Import, OnlyCallsOfMpiNeedNames) {
  trace::otf2::Definitions definitions;
  definitions.add_region(1, OTF2_UNDEFINED_STRING, false);
  ASSERT_NE(definitions.mpi_call(1), nullptr);
  EXPECT_EQ(*definitions.mpi_call(1), "");
  definitions.add_region(2, OTF2_UNDEFINED_STRING, true);
  EXPECT_EQ(definitions.mpi_call(2), nullptr);
  definitions.add_region(3, 17, false);
  EXPECT_EQ(definitions.mpi_call(3), nullptr) << "there is no string 17";
}

TEST(Otf2Import, ArchivesThatAreNoneOrDamagedAreRefused) {
  const RecordOtf2 barrier = [](uint32_t, Otf2Location& at) {
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_BARRIER, 0, 0);
  };
  EXPECT_THAT(refused_otf2({.mpi = false}, barrier), HasSubstr("traces.otf2: the definitions list no ranks"));
  EXPECT_THAT(refused_otf2({.clock = false}, barrier), HasSubstr("the definitions say nothing of the clock"));
  EXPECT_THAT(refused_otf2({.extra_events = 2}, barrier), HasSubstr("rank 0 ends after 4 of 6 records"));
  EXPECT_THAT(refused_otf2({.extra_events = -1}, barrier),
              HasSubstr("rank 0, record 3: the definitions say that there are only 3 records, but there are 4"));
  TestFolder folder;
  EXPECT_THAT(trace::otf2::import_otf2(folder.file("no.otf2"), folder.file("x.fttrace")).message(),
              HasSubstr("is not a file"));
  const std::string text = folder.write("text.otf2", "this is no archive\n");
  EXPECT_THAT(trace::otf2::import_otf2(text, folder.file("x.fttrace")).message(),
              HasSubstr("this is not an OTF2 archive"));
}

TEST(Otf2Import, DamagedDefinitionsOfALocationAreRefused) {
  TestFolder folder;
  const std::string anchor = write_otf2(folder.file("archive"), {.own_numbers = true}, [](uint32_t, Otf2Location& at) {
    at.collective("MPI_Collective", OTF2_COLLECTIVE_OP_BARRIER, 0, 0);
  });
  const std::string definitions = folder.file("archive/traces/1.def");
  const std::string whole = read_file(definitions);
  const auto refused = [&](std::string_view text) {
    std::filesystem::remove(definitions);
    folder.write("archive/traces/1.def", text);
    const absl::Status status = trace::otf2::import_otf2(anchor, folder.file("x.fttrace"));
    EXPECT_FALSE(std::filesystem::exists(folder.file("x.fttrace")));
    return std::string(status.message());
  };
  for (const std::string_view text : {std::string_view(), std::string_view("no chunk, but 20 B..")})
    EXPECT_THAT(refused(text), HasSubstr("location 1 cannot be read: " + definitions + " is damaged"));
  for (size_t size = 1; size + 2 < whole.size(); ++size)
    EXPECT_THAT(refused(std::string_view(whole).substr(0, size)), HasSubstr("location 1 cannot be read")) << size;
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
  ASSERT_TRUE(trace::otf2::import_otf2(anchor, folder.file("x.fttrace")).ok());
  std::filesystem::remove(folder.file("x.fttrace"));
  for (size_t size = 0; size + 1 < whole.size(); size += 13) {
    std::filesystem::remove(events);
    folder.write("archive/traces/1.evt", std::string_view(whole).substr(0, size));
    EXPECT_FALSE(trace::otf2::import_otf2(anchor, folder.file("x.fttrace")).ok()) << size;
    EXPECT_FALSE(std::filesystem::exists(folder.file("x.fttrace")));
  }
}
}  // namespace
}  // namespace fabrictwin
