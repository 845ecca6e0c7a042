// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/message_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace fabrictwin::nic {
namespace {

OutgoingMessage message_of(NicOperation operation, uint64_t bytes) {
  OutgoingMessage message;
  message.destination = 4;
  message.envelope.bytes = bytes;
  message.operation = operation;
  return message;
}

TEST(MessageRequest, OnlyASendBringsItsEnvelope) {
  EXPECT_EQ(request_of(message_of(NicOperation::kSend, 100), 2, 3)->bytes, 132u);
  EXPECT_EQ(request_of(message_of(NicOperation::kPut, 100), 2, 3)->bytes, 100u);
  const auto request = request_of(message_of(NicOperation::kGet, 0), 2, 3);
  EXPECT_EQ(request->bytes, 0u);
  EXPECT_EQ(request->operation, NicOperation::kGet);
  EXPECT_EQ(request->destination, 4);
  EXPECT_EQ(request->queue, NicRequest::kAnyQueue);
}

TEST(MessageRequest, APortHasItsFirstQueue) {
  OutgoingMessage message = message_of(NicOperation::kPut, 8);
  message.port = 5;
  EXPECT_EQ(request_of(message, 4, 12)->queue, 12);
}

TEST(MessageRequest, FourGibibytesAreTooMany) {
  constexpr uint64_t kMost = (uint64_t{1} << 32) - 1;
  EXPECT_TRUE(request_of(message_of(NicOperation::kPut, kMost), 1, 1).ok());
  EXPECT_TRUE(request_of(message_of(NicOperation::kSend, kMost - 32), 1, 1).ok());
  const auto request = request_of(message_of(NicOperation::kSend, kMost - 31), 1, 1);
  ASSERT_FALSE(request.ok());
  EXPECT_THAT(
      std::string(request.status().message()),
      ::testing::HasSubstr("a message of 4294967264 bytes to host[4] is more than its network interface takes"));
}

}  // namespace
}  // namespace fabrictwin::nic
