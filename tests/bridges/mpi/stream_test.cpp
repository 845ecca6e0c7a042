// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The caller's end of a stream to a rank, whose other end is the test.
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "bridges/mpi/local_world.h"
#include "bridges/mpi/messages.h"
#include "bridges/mpi/rank_stream.h"

namespace fabrictwin::bridges::mpi {
namespace {

class RankStreamTest : public ::testing::Test {
 protected:
  RankStreamTest() {
    stream_.start(queue_, &started_);
    expect(&started_, true);
  }
  ~RankStreamTest() override { queue_.Shutdown(); }

  /// The next event is this one.
  void expect(const int* tag, bool ok) {
    const std::optional<caller::StreamEvent> event = stream_.poll();
    ASSERT_TRUE(event.has_value());
    EXPECT_EQ(event->tag, tag);
    EXPECT_EQ(event->ok, ok);
  }
  void read() { stream_.read(&response_, &reading_); }
  grpc::Status finish() {
    grpc::Status status;
    stream_.finish(&status, &finished_);
    expect(&finished_, true);
    return status;
  }
  /// What the other end has got.
  std::string received() {
    const auto message = worlds_.at(1).receive(0, kRun);
    return message.ok() && message->has_value() ? (*message)->bytes : "nothing";
  }

  LocalWorlds worlds_{2};
  grpc::CompletionQueue queue_;
  RankStream stream_{worlds_.at(0), 1};
  v1::RunResponse response_;
  // Their addresses are the tags.
  int started_ = 0;
  int reading_ = 0;
  int written_ = 0;
  int half_closed_ = 0;
  int finished_ = 0;
};

TEST_F(RankStreamTest, CarriesMessagesInOrder) {
  v1::RunRequest request;
  for (uint64_t number = 1; number <= 2; ++number) {
    request.set_number(number);
    stream_.write(request, &written_);
    expect(&written_, true);
    EXPECT_EQ(received(), request.SerializeAsString());
  }
  read();
  EXPECT_FALSE(stream_.poll().has_value());
  v1::RunResponse response;
  for (uint64_t number = 1; number <= 2; ++number) {
    response.set_consumed(number);
    ASSERT_TRUE(worlds_.at(1).send(0, kRun, response.SerializeAsString()).ok());
  }
  for (uint64_t number = 1; number <= 2; ++number) {
    expect(&reading_, true);
    EXPECT_EQ(response_.consumed(), number);
    EXPECT_FALSE(stream_.poll().has_value()) << "nothing is read without being asked for";
    read();
  }
}

TEST_F(RankStreamTest, EndsWhenBothSidesHaveSaidSo) {
  read();
  stream_.writes_done(&half_closed_);
  expect(&half_closed_, true);
  EXPECT_EQ(received(), "");
  EXPECT_FALSE(stream_.poll().has_value());
  ASSERT_TRUE(worlds_.at(1).send(0, kRun, {}).ok());
  expect(&reading_, false);
  EXPECT_TRUE(finish().ok());
  stream_.cancel();
  EXPECT_EQ(received(), "nothing") << "the end is said once";
}

TEST_F(RankStreamTest, IsCancelledWithoutTheOtherSide) {
  read();
  stream_.cancel();
  expect(&reading_, false);
  EXPECT_EQ(finish().error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_EQ(received(), "") << "the other side is told";
}

TEST_F(RankStreamTest, FailsWithItsWorld) {
  read();
  worlds_.at(1).abort(1, "out of order");
  stream_.write({}, &written_);
  expect(&written_, false);
  expect(&reading_, false);
  const grpc::Status status = finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(status.error_message(), "out of order");
}

TEST_F(RankStreamTest, RefusesWhatIsNoMessage) {
  read();
  ASSERT_TRUE(worlds_.at(1).send(0, kRun, "\x0f").ok());
  expect(&reading_, false);
  EXPECT_EQ(finish().error_code(), grpc::StatusCode::DATA_LOSS);
}

}  // namespace
}  // namespace fabrictwin::bridges::mpi
