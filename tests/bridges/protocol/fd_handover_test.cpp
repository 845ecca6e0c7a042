// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/protocol/fd_handover.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <vector>

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

/// Sends several descriptors in one message, which send_descriptor() does not.
void send_several(int socket, const std::string& run_id, const std::vector<int>& descriptors) {
  iovec data{const_cast<char*>(run_id.data()), run_id.size()};
  const size_t bytes = descriptors.size() * sizeof(int);
  std::vector<cmsghdr> control(CMSG_SPACE(bytes) / sizeof(cmsghdr) + 1);
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = CMSG_SPACE(bytes);
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(bytes);
  std::memcpy(CMSG_DATA(header), descriptors.data(), bytes);
  ASSERT_EQ(sendmsg(socket, &message, MSG_NOSIGNAL), static_cast<ssize_t>(run_id.size()));
}

// The far end of a pipe that only the message still holds is closed with what came with it.
TEST_F(HandoverTest, KeepsNothingOfAMessageWithSeveralDescriptors) {
  for (const size_t count : {size_t{2}, size_t{3}}) {
    int ends[2];
    ASSERT_EQ(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
    const absl::StatusOr<int> socket = bridges::protocol::connect_handover(listener_->name());
    ASSERT_TRUE(socket.ok()) << socket.status();
    send_several(*socket, "run 1", std::vector<int>(count, ends[1]));
    close(*socket);
    close(ends[1]);
    send("run 1");
    const absl::StatusOr<int> fd = listener_->receive("run 1", milliseconds(10'000));
    ASSERT_TRUE(fd.ok()) << fd.status();
    close(*fd);
    char byte = 0;
    EXPECT_EQ(read(ends[0], &byte, 1), 0) << "somebody still has the end to write to";
    close(ends[0]);
  }
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
