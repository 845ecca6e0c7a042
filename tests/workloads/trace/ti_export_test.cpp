// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/ti_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "tests/workloads/program_source.h"
#include "tests/workloads/random_event.h"
#include "tests/workloads/trace_helpers.h"
#include "workloads/trace/file_trace.h"
#include "workloads/trace/ti_import.h"
#include "workloads/trace/ti_line.h"

namespace fabrictwin {
namespace {

using testing::HasSubstr;

std::shared_ptr<const TraceSource> open(const std::string& path) {
  auto trace = FileTrace::open(path);
  EXPECT_TRUE(trace.ok()) << trace.status();
  return *trace;
}

RC_GTEST_PROP(TiExportProperty, LineReadsBackAsTheSameEvent, ()) {
  const uint32_t ranks = *rc::gen::inRange<uint32_t>(1, 6);
  const uint32_t rank = *rc::gen::inRange<uint32_t>(0, ranks);
  const TraceEvent event = random_event(ranks);
  const absl::StatusOr<std::string> line = ti_line(event, rank);
  const bool own_wait = event.action == v1::WAIT_SEND && event.peer == static_cast<int32_t>(rank);
  const bool any_tag = action_shape(event.action).tag && event.tag == kAnyTag;
  // The format knows the blocking collectives and what comes before them.
  if (own_wait || any_tag || event.communicator != 0 || event.action > v1::REDUCE_SCATTER) {
    RC_ASSERT(line.status().code() == absl::StatusCode::kUnimplemented);
    return;
  }
  RC_ASSERT(line.ok());
  TraceEvent back;
  const std::optional<TiError> error = parse_ti_line(*line, rank, ranks, back);
  if (error) RC_FAIL(*line + ": " + error->message);
  RC_ASSERT(back == event);
}

TEST(TiExport, RefusesByNameWhatHasNoLine) {
  const auto refusal = [](const TraceEvent& event) { return std::string(ti_line(event, 0).status().message()); };
  EXPECT_EQ(refusal(in(3, collective(v1::ALLREDUCE, 4))),
            "allreduce of communicator 3: a time-independent trace has no communicators");
  EXPECT_EQ(refusal(make_communicator(3, {0})),
            "comm_create of communicator 3: a time-independent trace has no communicators");
  EXPECT_EQ(refusal(message(v1::SSEND, 1, 5)), "a time-independent trace has no line for ssend");
  EXPECT_EQ(refusal(collective(v1::IBCAST, 4)), "a time-independent trace has no line for ibcast");
  EXPECT_EQ(refusal(message(v1::RECV, 1, kAnyTag)), "a time-independent trace has no line for a receive of any tag");
}

TEST(TiExport, WaitsByAgeNameWhatTheyWaitFor) {
  TestFolder folder;
  const Program program = {{message(v1::ISEND, 1, 7, 8), message(v1::IRECV, 1, 7, 8), wait_after(1), wait_after(0)},
                           {message(v1::IRECV, 0, 7, 8), message(v1::ISEND, 0, 7, 8), event_of(v1::WAITALL)}};
  ASSERT_TRUE(export_ti(ProgramSource(program), folder.file("ti")).ok());
  EXPECT_THAT(read_file(folder.file("ti/rank-0000.ti")), HasSubstr("0 wait 0 1 7\n0 wait 1 0 7\n"));
  const Program second = {{message(v1::ISEND, 1, 7, 8), message(v1::ISEND, 1, 7, 8), wait_after(0)}, {}};
  EXPECT_EQ(
      std::string(export_ti(ProgramSource(second), folder.file("no")).message()),
      "test: rank 0, event 2: waits for the request of event 1 before the one of event 0, which has the same peer "
      "and tag");
}

TEST(TiExport, RecordedTraceComesBackTheSame) {
  TestFolder folder;
  const auto trace = open("workloads/experiments/data/minife-8.fttrace");
  ASSERT_TRUE(export_ti(*trace, folder.file("ti")).ok());
  ASSERT_TRUE(import_ti(folder.file("ti"), folder.file("back.fttrace")).ok());
  const auto one = read_trace(*TraceReader::open("workloads/experiments/data/minife-8.fttrace"));
  const auto back = read_trace(*TraceReader::open(folder.file("back.fttrace")));
  ASSERT_TRUE(one.ok() && back.ok());
  EXPECT_EQ(*one, *back);
  EXPECT_FALSE(std::filesystem::exists(folder.file("ti.part")));
}

TEST(TiExport, LeavesNothingWhenItCannotGoOn) {
  TestFolder folder;
  ASSERT_TRUE(write_trace(folder.file("x.fttrace"), {{message(v1::ISEND, 0, 1), message(v1::WAIT_SEND, 0, 1)}}).ok());
  const absl::Status status = export_ti(*open(folder.file("x.fttrace")), folder.file("ti"));
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("rank 0, event 1"));
  EXPECT_FALSE(std::filesystem::exists(folder.file("ti")));
  EXPECT_FALSE(std::filesystem::exists(folder.file("ti.part")));
}

TEST(TiExport, DoesNotTouchAFolderWithContent) {
  TestFolder folder;
  folder.write("ti/mine", "keep");
  const auto trace = open("workloads/experiments/data/minife-8.fttrace");
  const absl::Status status = export_ti(*trace, folder.file("ti"));
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("not an empty folder"));
  EXPECT_EQ(read_file(folder.file("ti/mine")), "keep");
  EXPECT_EQ(export_ti(*trace, folder.file("ti/mine/deep")).code(), absl::StatusCode::kFailedPrecondition);
  std::filesystem::create_directory(folder.file("empty"));
  EXPECT_TRUE(export_ti(*trace, folder.file("empty") + "/").ok());
  EXPECT_TRUE(std::filesystem::exists(folder.file("empty/trace.index")));
}

}  // namespace
}  // namespace fabrictwin
