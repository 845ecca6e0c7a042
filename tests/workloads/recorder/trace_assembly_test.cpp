// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/recorder/trace_assembly.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "cosim/base/text.h"
#include "tests/workloads/trace_helpers.h"
#include "workloads/recorder/event_encoder.h"
#include "workloads/recorder/part_file.h"

namespace fabrictwin {
namespace {

using recorder::Action;
using recorder::Datatype;
using recorder::EventEncoder;
using recorder::PartFile;
using recorder::PartState;
using testing::ElementsAre;
using testing::HasSubstr;

// The part of a rank, as a recorder writes it.
class Part {
 public:
  Part(const TestFolder& folder, uint32_t rank, uint32_t ranks) {
    EXPECT_TRUE(file_.open(path(folder, rank).c_str()));
    file_.header().run = 7;
    file_.header().rank = rank;
    file_.header().ranks = ranks;
    std::snprintf(file_.header().application, sizeof file_.header().application, "solver");
    std::snprintf(file_.header().library, sizeof file_.header().library, "MPI 5");
  }
  static std::string path(const TestFolder& folder, uint32_t rank) {
    return folder.file("rank-" + std::to_string(rank) + ".part");
  }
  template <typename Encode>
  Part& add(recorder::Action action, const Encode& encode) {
    uint8_t* const space = file_.reserve(1000);
    EXPECT_NE(space, nullptr);
    recorder::EventEncoder event(space, action);
    encode(event);
    file_.commit(event.end());
    return *this;
  }
  Part& add(recorder::Action action) {
    return add(action, [](recorder::EventEncoder&) {});
  }
  void finish() {
    file_.header().state = recorder::PartState::kFinalized;
    file_.trim();
  }
  recorder::PartHeader& header() { return file_.header(); }

 private:
  recorder::PartFile file_;
};

void write_pair(const TestFolder& folder) {
  Part(folder, 0, 2)
      .add(recorder::Action::kInit)
      .add(recorder::Action::kCompute, [](recorder::EventEncoder& event) { event.number(1234); })
      .add(recorder::Action::kSend,
           [](recorder::EventEncoder& event) {
             event.number(0).signed_number(1).signed_number(3).number(300).datatype(recorder::Datatype::kInt);
           })
      .add(recorder::Action::kFinalize)
      .finish();
  Part(folder, 1, 2)
      .add(recorder::Action::kInit)
      .add(recorder::Action::kRecv,
           [](recorder::EventEncoder& event) {
             event.number(0).signed_number(-1).signed_number(-1).number(300).datatype(recorder::Datatype::kInt);
           })
      .add(recorder::Action::kFinalize)
      .finish();
}

TEST(TraceAssembly, PutsPartsTogether) {
  const TestFolder folder;
  write_pair(folder);
  const std::string out = folder.file("out.fttrace");
  const absl::StatusOr<recorder::TraceAssembly> assembly = recorder::assemble_trace(folder.path(), out);
  ASSERT_TRUE(assembly.ok()) << assembly.status();
  EXPECT_EQ(assembly->ranks, 2u);
  EXPECT_EQ(assembly->events, 7u);
  EXPECT_TRUE(assembly->warnings.empty());
  const absl::StatusOr<Program> program = read_trace_bytes(read_file(out));
  ASSERT_TRUE(program.ok()) << program.status();
  trace::format::Event send = message(v1::SEND, 1, 3, 300);
  send.datatype = v1::INT;
  EXPECT_THAT((*program)[0],
              ElementsAre(event_of(v1::INIT), compute_for(Time::from_ns(1234)), send, event_of(v1::FINALIZE)));
  trace::format::Event receive = message(v1::RECV, -1, -1, 300);
  receive.datatype = v1::INT;
  EXPECT_THAT((*program)[1], ElementsAre(event_of(v1::INIT), receive, event_of(v1::FINALIZE)));
}

// Windows of the mapping, and events across their ends.
TEST(TraceAssembly, PartsMayBeLong) {
  const TestFolder folder;
  constexpr uint64_t kEvents = 400'000;
  {
    Part part(folder, 0, 1);
    for (uint64_t i = 0; i < kEvents; ++i) {
      part.add(recorder::Action::kCompute, [i](recorder::EventEncoder& event) { event.number(i * i); });
    }
    part.finish();
  }
  EXPECT_GT(std::filesystem::file_size(Part::path(folder, 0)), 2u << 20);
  const std::string out = folder.file("out.fttrace");
  const absl::StatusOr<recorder::TraceAssembly> assembly = recorder::assemble_trace(folder.path(), out);
  ASSERT_TRUE(assembly.ok()) << assembly.status();
  const absl::StatusOr<Program> program = read_trace_bytes(read_file(out));
  ASSERT_TRUE(program.ok()) << program.status();
  ASSERT_EQ((*program)[0].size(), kEvents);
  for (uint64_t i = 0; i < kEvents; ++i) {
    ASSERT_EQ((*program)[0][i].duration, Time::from_ns(static_cast<int64_t>(i * i))) << i;
  }
}

TEST(TraceAssembly, TellsOfRanksThatEndedEarly) {
  const TestFolder folder;
  write_pair(folder);
  {
    Part part(folder, 1, 2);
    part.add(recorder::Action::kInit).add(recorder::Action::kBarrier, [](recorder::EventEncoder& event) {
      event.number(0);
    });
    std::snprintf(part.header().remark, sizeof part.header().remark, "reads files");
  }
  const absl::StatusOr<recorder::TraceAssembly> assembly =
      recorder::assemble_trace(folder.path(), folder.file("out.fttrace"));
  ASSERT_TRUE(assembly.ok()) << assembly.status();
  EXPECT_THAT(
      assembly->warnings,
      ElementsAre("rank 1 ended without MPI_Finalize after 2 events, the last of them: barrier", "rank 1 reads files"));
}

std::string failure(const TestFolder& folder) {
  const std::string out = folder.file("out.fttrace");
  const absl::StatusOr<recorder::TraceAssembly> assembly = recorder::assemble_trace(folder.path(), out);
  EXPECT_FALSE(assembly.ok());
  EXPECT_TRUE(absl::IsInvalidArgument(assembly.status()));
  EXPECT_FALSE(std::filesystem::exists(out));
  return std::string(message_of(assembly.status()));
}

TEST(TraceAssembly, RefusesWhatIsNoWholeRun) {
  const TestFolder folder;
  EXPECT_THAT(failure(folder), HasSubstr("rank-0.part: cannot be read: No such file"));
  write_pair(folder);
  std::filesystem::remove(Part::path(folder, 1));
  EXPECT_THAT(failure(folder), HasSubstr("rank-1.part: cannot be read: No such file"));
  {
    Part other(folder, 1, 2);
    other.header().run = 8;
    other.finish();
  }
  EXPECT_THAT(failure(folder), HasSubstr("rank-1.part: is of another run than rank-0.part"));
  {
    Part refused(folder, 1, 2);
    refused.add(recorder::Action::kInit);
    std::snprintf(refused.header().reason, sizeof refused.header().reason, "MPI_Put: no");
    refused.header().state = recorder::PartState::kRefused;
  }
  EXPECT_THAT(failure(folder), HasSubstr("rank 1, event 1: MPI_Put: no"));
  folder.write("rank-1.part", "short");
  EXPECT_THAT(failure(folder), HasSubstr("rank-1.part: is not the part of a recording: too short"));
  folder.write("rank-1.part", std::string(5000, 'x'));
  EXPECT_THAT(failure(folder), HasSubstr("rank-1.part: is not the part of a recording"));
}

TEST(TraceAssembly, RefusesDamagedEvents) {
  const TestFolder folder;
  Part(folder, 0, 1).add(recorder::Action::kInit).add(static_cast<recorder::Action>(77)).finish();
  EXPECT_THAT(failure(folder), HasSubstr("rank-0.part: event 1: 77 is not an action"));
  Part(folder, 0, 1).add(recorder::Action::kInit).add(recorder::Action::kSend).finish();
  EXPECT_THAT(failure(folder), HasSubstr("rank-0.part: event 1: is damaged"));
  Part(folder, 0, 1)
      .add(recorder::Action::kSend,
           [](recorder::EventEncoder& event) {
             event.number(0).signed_number(5).signed_number(0).number(1).datatype(recorder::Datatype::kInt);
           })
      .finish();
  EXPECT_THAT(failure(folder), HasSubstr("rank 0, event 0: rank 5 does not exist"));
}

}  // namespace
}  // namespace fabrictwin
