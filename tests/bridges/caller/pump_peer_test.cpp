// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The caller's end of a stream, against a place that answers what the test says.
#include "bridges/caller/pump_peer.h"

#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "bridges/caller/grpc_calls.h"
#include "bridges/protocol/plan_config.h"
#include "tests/bridges/token_system.h"
#include "tests/experiments.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;
using SystemClock = std::chrono::system_clock;

constexpr const char* kFarRouter = R"(
topology { torus { dims: 4 } }
workload { traffic { pattern: UNIFORM load: 0.1 } }
use { select: "router[1]" implementation: RTL place: "worker:unix" }
)";

/// Gives each message to `answer`, which says what goes back at once.
class ScriptedPlace final : public v1::Bridge::Service {
 public:
  std::function<std::vector<v1::RunResponse>(const v1::RunRequest&)> answer;

  grpc::Status Run(grpc::ServerContext*, grpc::ServerReaderWriter<v1::RunResponse, v1::RunRequest>* stream) override {
    v1::RunRequest request;
    while (stream->Read(&request)) {
      for (const v1::RunResponse& response : answer(request)) stream->Write(response);
    }
    return grpc::Status::OK;
  }
};

class PumpPeerTest : public ::testing::Test {
 protected:
  PumpPeerTest() {
    const experiment::Overrides overrides;
    const absl::StatusOr<experiment::Experiment> experiment =
        test::parse_experiment(kFarRouter, "pump.textproto", overrides);
    EXPECT_TRUE(experiment.ok()) << experiment.status();
    plan_ = *system::make_plan(*experiment, *build_token_ring(*experiment));
    memory_ = *run::RunMemory::create_heap(plan_);
    lookahead_ = std::make_unique<engine::Lookahead>(memory_->table());
    partition_ = bridges::protocol::partitions_at(plan_, 1).at(0);
    for (const bridges::protocol::BlobChannel& channel : bridges::protocol::channels_into(plan_, 1, *memory_).channels)
      producers_.emplace_back(channel.id, link::RingProducer(channel.ring));
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(&place_);
    server_ = builder.BuildAndStart();
    stub_ = v1::Bridge::NewStub(
        grpc::CreateChannel("127.0.0.1:" + std::to_string(port), grpc::InsecureChannelCredentials()));
    peer_ = std::make_unique<bridges::caller::PumpPeer>("far", plan_, 1, *memory_,
                                                        bridges::caller::make_grpc_stream(*stub_), "run");
  }
  ~PumpPeerTest() override {
    peer_->cancel();
    while (!peer_->quiet()) (void)next();
    server_->Shutdown();
    queue_.Shutdown();
    void* tag = nullptr;
    bool ok = false;
    while (queue_.Next(&tag, &ok)) {
    }
  }

  /// Waits for what comes next and lets the peer see it.
  absl::StatusOr<bool> next() {
    constexpr auto kPatience = std::chrono::seconds(60);
    void* tag = nullptr;
    bool ok = false;
    if (queue_.AsyncNext(&tag, &ok, SystemClock::now() + kPatience) != grpc::CompletionQueue::GOT_EVENT)
      return absl::DeadlineExceededError("nothing comes");
    return peer_->on_event(static_cast<bridges::caller::PumpPeer::Tag*>(tag)->operation, ok);
  }
  void start() {
    peer_->start(queue_);
    ASSERT_TRUE(next().ok());
  }
  /// Lets the peer send, if it wants to, and waits until that is out. What comes back meanwhile is taken.
  bool sends() {
    const uint64_t before = messages();
    const absl::StatusOr<bool> moved = peer_->advance(*lookahead_);
    EXPECT_TRUE(moved.ok()) << moved.status();
    return messages() > before;
  }
  uint64_t messages() const { return peer_->counters().messages.get(); }
  /// A credit on each channel into the place, so that each of its partitions could go on.
  void give_records(Time time) {
    for (auto& [channel, producer] : producers_) {
      link::Record record;
      record.channel = channel;
      record.kind = link::RecordKind::kCredit;
      record.count = 1;
      record.set_time(time);
      ASSERT_TRUE(producer.try_push(record));
    }
  }
  v1::RunResponse response(uint64_t consumed) const {
    v1::RunResponse made;
    made.set_consumed(consumed);
    return made;
  }

  ScriptedPlace place_;
  system::Plan plan_;
  std::unique_ptr<run::RunMemory> memory_;
  std::unique_ptr<engine::Lookahead> lookahead_;
  int32_t partition_ = 0;
  std::vector<std::pair<uint32_t, link::RingProducer>> producers_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<v1::Bridge::Stub> stub_;
  grpc::CompletionQueue queue_;
  std::unique_ptr<bridges::caller::PumpPeer> peer_;
};

// Or a place that is slow would be given more and more, which it and its caller have to keep.
TEST_F(PumpPeerTest, NoMoreThanAFewMessagesWithRecordsAreUnanswered) {
  std::promise<void> go;
  const std::shared_future<void> gone = go.get_future().share();
  place_.answer = [this, gone](const v1::RunRequest& request) {
    if (request.number() != bridges::caller::kMaxUnanswered) return std::vector<v1::RunResponse>();
    gone.wait();
    return std::vector{response(bridges::caller::kMaxUnanswered)};
  };
  start();
  uint64_t sent = 0;
  for (int i = 1; i <= 20; ++i) {
    give_records(Time::from_us(i));
    if (!sends()) continue;
    ++sent;
    ASSERT_TRUE(next().ok()) << "the end of the write";
  }
  ASSERT_EQ(sent, bridges::caller::kMaxUnanswered);
  go.set_value();
  ASSERT_TRUE(next().ok()) << "the answer";
  ASSERT_TRUE(sends()) << "what was held back";
  ASSERT_TRUE(next().ok());
}

TEST_F(PumpPeerTest, PromisesAloneWaitForAnAnswer) {
  std::promise<void> go;
  const std::shared_future<void> gone = go.get_future().share();
  place_.answer = [this, gone](const v1::RunRequest&) {
    gone.wait();
    return std::vector{response(1)};
  };
  start();
  ASSERT_TRUE(sends());
  ASSERT_TRUE(next().ok());
  const std::vector<uint64_t> consumed(memory_->table().inbound(0).size());
  const std::vector<uint64_t> given(memory_->table().outbound(0).size());
  memory_->table().publish(0, Time::from_us(5), Time::from_us(5), consumed, given);
  ASSERT_TRUE(lookahead_->update());
  EXPECT_FALSE(sends()) << "the first message is not answered";
  go.set_value();
  ASSERT_TRUE(next().ok()) << "the answer";
  ASSERT_TRUE(sends());
  ASSERT_TRUE(next().ok());
}

// A partition that waits for a time is not told of times before it.
TEST_F(PumpPeerTest, OnlyPromisesBeyondTheNextEventAreSent) {
  place_.answer = [this](const v1::RunRequest& request) {
    v1::RunResponse answer = response(request.number());
    v1::SyncRow& row = *answer.add_rows();
    row.set_partition(partition_);
    row.set_next_event_fs(Time::from_us(100).fs());
    for (size_t i = 0; i < memory_->table().inbound(partition_).size(); ++i) row.add_consumed(0);
    for (size_t i = 0; i < memory_->table().outbound(partition_).size(); ++i) row.add_sent(0);
    return std::vector{answer};
  };
  start();
  ASSERT_TRUE(sends());
  for (int event = 0; event < 2; ++event) ASSERT_TRUE(next().ok()) << "the end of the write, the answer";
  const std::vector<uint64_t> consumed(memory_->table().inbound(0).size());
  const std::vector<uint64_t> given(memory_->table().outbound(0).size());
  for (const int64_t us : {5, 99, 101}) {
    memory_->table().publish(0, Time::from_us(us), Time::from_us(us), consumed, given);
    ASSERT_TRUE(lookahead_->update());
    EXPECT_EQ(sends(), us > 100) << us;
  }
  for (int event = 0; event < 2; ++event) ASSERT_TRUE(next().ok());
}

// A partition whose own work is over is told how long the run goes on, as soon as it has something to do before that,
// and at last of the end.
TEST_F(PumpPeerTest, WorkInTheBackgroundIsToldHowLongTheRunGoesOn) {
  std::vector<int64_t> told;
  place_.answer = [this, &told](const v1::RunRequest& request) {
    told.push_back(request.runs_until_fs());
    v1::RunResponse answer = response(request.number());
    v1::SyncRow& row = *answer.add_rows();
    row.set_partition(partition_);
    row.set_next_event_fs(Time::from_us(50).fs());
    row.mutable_foreground()->set_over(true);
    for (size_t i = 0; i < memory_->table().inbound(partition_).size(); ++i) row.add_consumed(0);
    for (size_t i = 0; i < memory_->table().outbound(partition_).size(); ++i) row.add_sent(0);
    return std::vector{answer};
  };
  start();
  ASSERT_TRUE(sends());
  for (int event = 0; event < 2; ++event) ASSERT_TRUE(next().ok()) << "the end of the write, the answer";
  const std::vector<uint64_t> consumed(memory_->table().inbound(0).size());
  const std::vector<uint64_t> given(memory_->table().outbound(0).size());
  const auto reaches = [&](int64_t us, int64_t next_us, const engine::Foreground& foreground) {
    memory_->table().publish(0, Time::from_us(us), Time::from_us(next_us), consumed, given, foreground);
    EXPECT_TRUE(lookahead_->update());
  };
  using State = engine::Foreground::State;
  reaches(40, 45, {.state = State::kRuns});
  EXPECT_FALSE(sends()) << "its next event is at 50 us";
  reaches(60, 60, {.state = State::kRuns});
  ASSERT_TRUE(sends());
  for (int event = 0; event < 2; ++event) ASSERT_TRUE(next().ok());
  reaches(70, 200, {.state = State::kOver, .end = Time::from_us(70)});
  ASSERT_TRUE(sends()) << "all come to the end";
  for (int event = 0; event < 2; ++event) ASSERT_TRUE(next().ok());
  EXPECT_EQ(told, (std::vector<int64_t>{0, Time::from_us(60).fs(), Time::from_us(70).fs()}));
}

TEST_F(PumpPeerTest, APlaceCannotHaveConsumedWhatWasNotSent) {
  place_.answer = [&](const v1::RunRequest& request) {
    v1::RunResponse answer = response(request.number());
    v1::SyncRow& row = *answer.add_rows();
    row.set_partition(partition_);
    for (size_t i = 0; i < memory_->table().inbound(partition_).size(); ++i) row.add_consumed(i == 1 ? 3 : 2);
    for (size_t i = 0; i < memory_->table().outbound(partition_).size(); ++i) row.add_sent(0);
    return std::vector{answer};
  };
  start();
  give_records(Time::from_us(1));
  give_records(Time::from_us(2));
  ASSERT_TRUE(sends());
  // The end of the write and the answer come in any order.
  absl::Status status = next().status();
  if (status.ok()) status = next().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("far: protocol error: has consumed 3 records of "));
  EXPECT_THAT(std::string(status.message()), HasSubstr("but 2 were sent"));
  engine::PartitionSnapshot snapshot;
  ASSERT_TRUE(memory_->table().read(partition_, snapshot));
  EXPECT_EQ(snapshot.consumed, std::vector<uint64_t>(producers_.size())) << "nothing of it is believed";
}

TEST_F(PumpPeerTest, APlaceCannotHaveAnsweredWhatWasNotSent) {
  place_.answer = [&](const v1::RunRequest&) { return std::vector{response(2)}; };
  start();
  ASSERT_TRUE(sends());
  absl::Status status = next().status();
  if (status.ok()) status = next().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("answers message 2 after 0, but 1 were sent"));
}

}  // namespace
}  // namespace fabrictwin
