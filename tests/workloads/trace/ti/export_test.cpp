// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/ti/export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "tests/workloads/random_event.h"
#include "tests/workloads/trace_helpers.h"
#include "workloads/trace/format/file_trace.h"
#include "workloads/trace/ti/import.h"
#include "workloads/trace/ti/line.h"

namespace fabrictwin {
namespace {

using testing::HasSubstr;

std::shared_ptr<const trace::format::Source> open(const std::string& path) {
  auto trace = trace::format::FileTrace::open(path);
  EXPECT_TRUE(trace.ok()) << trace.status();
  return *trace;
}

RC_GTEST_PROP(TiExportProperty, LineReadsBackAsTheSameEvent, ()) {
  const uint32_t ranks = *rc::gen::inRange<uint32_t>(1, 6);
  const uint32_t rank = *rc::gen::inRange<uint32_t>(0, ranks);
  const trace::format::Event event = random_event(ranks);
  const absl::StatusOr<std::string> line = trace::ti::ti_line(event, rank);
  const bool modes = event.action >= v1::COMM_CREATE;
  if (modes || event.communicator != 0) {
    RC_ASSERT(line.status().code() == absl::StatusCode::kUnimplemented);
    return;
  }
  RC_ASSERT(line.ok());
  trace::format::Event back;
  const std::optional<trace::ti::Error> error = trace::ti::parse_ti_line(*line, rank, ranks, back);
  if (error) RC_FAIL(*line + ": " + error->message);
  // Whether a wait for a message to oneself is for the send or the receive follows from what was started.
  trace::format::Event expected = event;
  if (event.action == v1::WAIT_SEND && event.peer == static_cast<int32_t>(rank)) expected.action = v1::WAIT_RECV;
  RC_ASSERT(back == expected);
}

// What comes back when a program is exported and imported.
absl::StatusOr<Program> round_trip(const TestFolder& folder, const Program& program) {
  if (absl::Status status = write_trace(folder.file("x.fttrace"), program); !status.ok()) return status;
  if (absl::Status status = trace::ti::export_ti(*open(folder.file("x.fttrace")), folder.file("ti")); !status.ok())
    return status;
  if (absl::Status status = trace::ti::import_ti(folder.file("ti"), folder.file("y.fttrace")); !status.ok())
    return status;
  return read_trace(*trace::format::Reader::open(folder.file("y.fttrace")));
}

TEST(TiExport, WaitsForMessagesToOneselfKeepTheirSide) {
  TestFolder folder;
  const Program program = {{event_of(v1::INIT), message(v1::IRECV, 0, 1, 8), message(v1::ISEND, 0, 1, 8),
                            message(v1::WAIT_RECV, 0, 1), message(v1::WAIT_SEND, 0, 1), message(v1::ISEND, 0, 1, 8),
                            message(v1::RECV, trace::format::kAnySource, trace::format::kAnyTag, 8),
                            message(v1::WAIT_SEND, 0, 1), event_of(v1::FINALIZE)}};
  const auto back = round_trip(folder, program);
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(*back, program);
}

TEST(TiExport, AnySourceIsTheOneThatTheReplayOfSimGridKnows) {
  EXPECT_EQ(*trace::ti::ti_line(message(v1::IRECV, trace::format::kAnySource, trace::format::kAnyTag, 8), 1),
            "1 irecv -555 -444 8 6");
  EXPECT_EQ(*trace::ti::ti_line(message(v1::WAIT_RECV, trace::format::kAnySource, 3), 1), "1 wait -555 1 3");
}

TEST(TiExport, WaitsForOneRequestAreNamedAfterIt) {
  TestFolder folder;
  const auto back = round_trip(
      folder, {{event_of(v1::INIT), message(v1::IRECV, 1, 1, 8), message(v1::IRECV, -1, 1, 8),
                message(v1::ISEND, 1, 1, 8), wait_after(1), wait_after(0), wait_after(2), event_of(v1::FINALIZE)},
               {event_of(v1::INIT), event_of(v1::FINALIZE)}});
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ((*back)[0], (std::vector<trace::format::Event>{event_of(v1::INIT), message(v1::IRECV, 1, 1, 8),
                                                           message(v1::IRECV, -1, 1, 8), message(v1::ISEND, 1, 1, 8),
                                                           message(v1::WAIT_RECV, -1, 1), message(v1::WAIT_SEND, 1, 1),
                                                           message(v1::WAIT_RECV, 1, 1), event_of(v1::FINALIZE)}));
}

// SMPI records and replays such waits.
TEST(TiExport, WaitsForReceivesOfAnyTagComeBack) {
  EXPECT_EQ(*trace::ti::ti_line(message(v1::WAIT_RECV, 0, trace::format::kAnyTag), 1), "1 wait 0 1 -444");
  TestFolder folder;
  const Program program = {
      {event_of(v1::INIT), message(v1::IRECV, trace::format::kAnySource, trace::format::kAnyTag, 8),
       message(v1::IRECV, 1, trace::format::kAnyTag, 8), wait_after(0), wait_after(1), event_of(v1::FINALIZE)},
      {event_of(v1::INIT), event_of(v1::FINALIZE)}};
  const auto back = round_trip(folder, program);
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(*back, program);
  EXPECT_THAT(read_file(folder.file("ti/rank-0000.ti")), HasSubstr("0 wait 1 0 -444\n0 wait -555 0 -444\n"));
}

TEST(TiExport, WhatHasNoLineIsRefusedByNameRankAndEvent) {
  const auto refused = [](std::vector<trace::format::Event> events) {
    TestFolder folder;
    const auto back = round_trip(folder, {std::move(events)});
    EXPECT_FALSE(std::filesystem::exists(folder.file("ti")));
    return std::string(back.status().message());
  };
  EXPECT_THAT(refused({message(v1::PROBE, 0, 1)}),
              HasSubstr("rank 0, event 0: a time-independent trace has no form for probe"));
  EXPECT_THAT(refused({event_of(v1::IBARRIER)}), HasSubstr("no form for ibarrier"));
  EXPECT_THAT(refused({message(v1::SSEND, 0, 1)}), HasSubstr("no form for ssend"));
  trace::format::Event elsewhere = event_of(v1::BARRIER);
  elsewhere.communicator = 3;
  EXPECT_THAT(refused({elsewhere}), HasSubstr("has no communicators but that of all ranks"));
  EXPECT_THAT(refused({message(v1::IRECV, 0, 1), message(v1::IRECV, 0, 1), wait_after(0)}),
              HasSubstr("rank 0, event 2: waits for the request of event 1 before the one of event 0"));
  EXPECT_THAT(refused({wait_after(0)}), HasSubstr("there is no such request"));
  EXPECT_THAT(refused({message(v1::IRECV, 0, 1), message(v1::ISEND, 0, 1), message(v1::WAIT_SEND, 0, 1)}),
              HasSubstr("in the order in which they were started"));
}

TEST(TiExport, RecordedTraceComesBackTheSame) {
  TestFolder folder;
  const auto trace = open("workloads/experiments/data/minife-8.fttrace");
  ASSERT_TRUE(trace::ti::export_ti(*trace, folder.file("ti")).ok());
  ASSERT_TRUE(trace::ti::import_ti(folder.file("ti"), folder.file("back.fttrace")).ok());
  const auto one = read_trace(*trace::format::Reader::open("workloads/experiments/data/minife-8.fttrace"));
  const auto back = read_trace(*trace::format::Reader::open(folder.file("back.fttrace")));
  ASSERT_TRUE(one.ok() && back.ok());
  EXPECT_EQ(*one, *back);
  EXPECT_FALSE(std::filesystem::exists(folder.file("ti.part")));
}

TEST(TiExport, LeavesNothingWhenItCannotGoOn) {
  TestFolder folder;
  ASSERT_TRUE(write_trace(folder.file("x.fttrace"), {{message(v1::ISEND, 0, 1), message(v1::PROBE, 0, 1)}}).ok());
  const absl::Status status = trace::ti::export_ti(*open(folder.file("x.fttrace")), folder.file("ti"));
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("rank 0, event 1"));
  EXPECT_FALSE(std::filesystem::exists(folder.file("ti")));
  EXPECT_FALSE(std::filesystem::exists(folder.file("ti.part")));
}

TEST(TiExport, DoesNotTouchAFolderWithContent) {
  TestFolder folder;
  folder.write("ti/mine", "keep");
  const auto trace = open("workloads/experiments/data/minife-8.fttrace");
  const absl::Status status = trace::ti::export_ti(*trace, folder.file("ti"));
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("not an empty folder"));
  EXPECT_EQ(read_file(folder.file("ti/mine")), "keep");
  EXPECT_EQ(trace::ti::export_ti(*trace, folder.file("ti/mine/deep")).code(), absl::StatusCode::kFailedPrecondition);
  std::filesystem::create_directory(folder.file("empty"));
  EXPECT_TRUE(trace::ti::export_ti(*trace, folder.file("empty") + "/").ok());
  EXPECT_TRUE(std::filesystem::exists(folder.file("empty/trace.index")));
}

}  // namespace
}  // namespace fabrictwin
