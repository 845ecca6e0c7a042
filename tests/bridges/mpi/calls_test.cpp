// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls of rank 0, against ranks that answer what the test says, and against one that serves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "bridges/mpi/greeting.h"
#include "bridges/mpi/local_world.h"
#include "bridges/mpi/messages.h"
#include "bridges/mpi/rank_calls.h"
#include "bridges/mpi/worker.h"
#include "bridges/protocol/protocol.h"
#include "cosim/run/registry.h"

namespace fabrictwin::bridges::mpi {
namespace {

using ::testing::HasSubstr;

constexpr std::chrono::milliseconds kPatience{60'000};
constexpr std::chrono::milliseconds kNoPatience{0};

/// What comes to a rank next; waits for it.
Message next(World& world) {
  while (true) {
    auto message = world.receive(World::kAny, World::kAny);
    if (!message.ok()) {
      ADD_FAILURE() << message.status();
      return {};
    }
    if (message->has_value()) return **message;
    std::this_thread::yield();
  }
}

TEST(MpiCalls, TakeOnlyTheirOwnAnswer) {
  LocalWorlds worlds(2);
  WorldLinks links(worlds.at(0));
  const std::unique_ptr<caller::BridgeCalls> calls = links.calls(1);
  v1::MetricsResponse response;
  // The answer to this call comes when the next one waits.
  EXPECT_EQ(calls->metrics({}, response, kNoPatience).error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  const std::jthread rank([&] {
    World& world = worlds.at(1);
    v1::MetricsResponse made;
    for (uint32_t channel = 0; channel < 2; ++channel) {
      const Message message = next(world);
      EXPECT_EQ(message.tag, kMetrics);
      made.add_channels()->set_channel(channel);
      const AnswerMessage answer{call_of(message.bytes)->number, 0, made.SerializeAsString()};
      EXPECT_TRUE(world.send(0, kMetrics, to_bytes(answer)).ok());
    }
  });
  EXPECT_TRUE(calls->metrics({}, response, kPatience).ok());
  EXPECT_EQ(response.channels_size(), 2);
}

TEST(MpiCalls, HaveTheErrorsOfTheRank) {
  LocalWorlds worlds(3);
  WorldLinks links(worlds.at(0));
  const std::unique_ptr<caller::BridgeCalls> calls = links.calls(2);
  const std::jthread rank([&] {
    const CallMessage call = *call_of(next(worlds.at(2)).bytes);
    v1::StopRequest request;
    EXPECT_TRUE(request.ParseFromString(call.body));
    EXPECT_EQ(request.run_id(), "seven");
    const AnswerMessage answer{call.number, static_cast<int32_t>(grpc::StatusCode::UNIMPLEMENTED), "cannot do it"};
    EXPECT_TRUE(worlds.at(2).send(0, kStop, to_bytes(answer)).ok());
  });
  v1::StopRequest request;
  request.set_run_id("seven");
  v1::StopResponse response;
  const grpc::Status status = calls->stop(request, response, kPatience);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_EQ(status.error_message(), "cannot do it");
}

TEST(MpiCalls, FailInABrokenWorld) {
  LocalWorlds worlds(2);
  WorldLinks links(worlds.at(0));
  worlds.at(1).abort(1, "out of order");
  v1::HelloResponse response;
  const grpc::Status status = links.calls(1)->hello({}, response, kPatience);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(status.error_message(), "out of order");
}

/// A rank that serves, with parts that it never comes to build.
class ServedRank : public ::testing::Test {
 protected:
  ServedRank()
      : links_(worlds_.at(0)),
        calls_(links_.calls(1)),
        rank_([this] { ended_ = serve_rank(worlds_.at(1), registry_); }) {}

  ~ServedRank() override {
    // A test that has failed did not come to its end.
    if (rank_.joinable()) dismiss(worlds_.at(0), kPatience);
  }

  /// Lets the rank end.
  absl::Status end() {
    dismiss(worlds_.at(0), kPatience);
    rank_.join();
    EXPECT_EQ(worlds_.aborted(), "");
    EXPECT_EQ(worlds_.unreceived(), 0u);
    return ended_;
  }

  LocalWorlds worlds_{2};
  WorldLinks links_;
  const std::unique_ptr<caller::BridgeCalls> calls_;
  const run::Registry registry_;
  absl::Status ended_;
  std::jthread rank_;
};

TEST_F(ServedRank, SaysWhatItIs) {
  v1::HelloResponse hello;
  ASSERT_TRUE(calls_->hello(protocol::make_hello(), hello, kPatience).ok());
  EXPECT_EQ(hello.boot_id(), protocol::boot_id());
  ASSERT_EQ(hello.transports_size(), 2);
  EXPECT_EQ(hello.transports(0), v1::BRIDGE_TRANSPORT_STREAM);
  EXPECT_EQ(hello.transports(1), v1::BRIDGE_TRANSPORT_SHARED_MEMORY);
  v1::DescribeResponse description;
  ASSERT_TRUE(calls_->describe({}, description, kPatience).ok());
  EXPECT_TRUE(description.has_worker());
  EXPECT_EQ(description.run_id(), "");
  v1::HelloRequest old = protocol::make_hello();
  old.set_min_version(0);
  old.set_max_version(0);
  EXPECT_EQ(calls_->hello(old, hello, kPatience).error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_TRUE(end().ok());
}

TEST_F(ServedRank, RefusesWhatComesInAnotherOrder) {
  v1::ConnectRequest connect;
  connect.set_run_id("seven");
  v1::ConnectResponse connected;
  const grpc::Status status = calls_->connect(connect, connected, kPatience);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(status.error_message(), "this worker is not configured for run seven");
  v1::StopResponse stopped;
  EXPECT_EQ(calls_->stop({}, stopped, kPatience).error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  v1::ConfigureResponse configured;
  EXPECT_EQ(calls_->configure({}, configured, kPatience).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_TRUE(end().ok());
}

TEST_F(ServedRank, TellsARunThatHasNotBegun) {
  v1::RunRequest request;
  request.set_number(1);
  request.set_run_id("seven");
  World& world = worlds_.at(0);
  ASSERT_TRUE(world.send(1, kRun, request.SerializeAsString()).ok());
  v1::RunResponse response;
  ASSERT_TRUE(response.ParseFromString(next(world).bytes));
  EXPECT_EQ(response.error_code(), static_cast<int>(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(response.error_message(), HasSubstr("not configured for run seven"));
  // What was sent before the error was seen is not answered, but the end is.
  ASSERT_TRUE(world.send(1, kRun, request.SerializeAsString()).ok());
  ASSERT_TRUE(world.send(1, kRun, {}).ok());
  EXPECT_EQ(next(world).bytes, "");
  EXPECT_TRUE(end().ok());
}

TEST_F(ServedRank, EndsWithWhatIsNoCall) {
  ASSERT_TRUE(worlds_.at(0).send(1, kStop, "short").ok());
  rank_.join();
  EXPECT_EQ(ended_.code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace fabrictwin::bridges::mpi
