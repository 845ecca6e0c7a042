// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/protocol/fd_handover.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace fabrictwin {
namespace {

using std::chrono::milliseconds;

class HandoverTest : public testing::Test {
 protected:
  void SetUp() override {
    auto listener = bridges::protocol::HandoverListener::create();
    ASSERT_TRUE(listener.ok()) << listener.status();
    listener_ = *std::move(listener);
    memory_ = memfd_create("test", MFD_CLOEXEC);
    ASSERT_EQ(write(memory_, "shared", 6), 6);
  }
  void TearDown() override { close(memory_); }

  void send(const std::string& run_id) { send(run_id, memory_); }
  void send(const std::string& run_id, int memory) {
    const absl::StatusOr<int> socket = bridges::protocol::connect_handover(listener_->name());
    ASSERT_TRUE(socket.ok()) << socket.status();
    EXPECT_TRUE(bridges::protocol::send_descriptor(*socket, run_id, memory).ok());
    close(*socket);
  }

  std::unique_ptr<bridges::protocol::HandoverListener> listener_;
  int memory_ = -1;
};

TEST_F(HandoverTest, PassesTheMemory) {
  send("run 1");
  const absl::StatusOr<int> fd = listener_->receive("run 1", milliseconds(10'000));
  ASSERT_TRUE(fd.ok()) << fd.status();
  char text[6];
  ASSERT_EQ(pread(*fd, text, sizeof text, 0), 6);
  EXPECT_EQ(std::string_view(text, 6), "shared");
  close(*fd);
}

TEST_F(HandoverTest, IgnoresOtherRunsAndSilentConnections) {
  const absl::StatusOr<int> silent = bridges::protocol::connect_handover(listener_->name());
  ASSERT_TRUE(silent.ok());
  const int other = memfd_create("other", MFD_CLOEXEC);
  ASSERT_EQ(write(other, "others", 6), 6);
  send("run 0", other);
  send("run 1");
  const absl::StatusOr<int> fd = listener_->receive("run 1", milliseconds(10'000));
  ASSERT_TRUE(fd.ok()) << fd.status();
  char text[6];
  ASSERT_EQ(pread(*fd, text, sizeof text, 0), 6);
  EXPECT_EQ(std::string_view(text, 6), "shared");
  close(*fd);
  close(other);
  close(*silent);
}

TEST_F(HandoverTest, GivesUp) {
  EXPECT_EQ(listener_->receive("run 1", milliseconds(1)).status().code(), absl::StatusCode::kDeadlineExceeded);
}

TEST_F(HandoverTest, NobodyListens) {
  EXPECT_EQ(bridges::protocol::connect_handover("@fabrictwin-nobody").status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(bridges::protocol::connect_handover("").status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(bridges::protocol::connect_handover(std::string(200, 'x')).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace fabrictwin
