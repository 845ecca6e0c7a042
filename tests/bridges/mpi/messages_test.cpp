// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/mpi/messages.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/status/status.h"

namespace fabrictwin::bridges::mpi {
namespace {

TEST(MpiMessages, SurviveTheWay) {
  const std::string body("\0text\xff", 6);
  const auto call = call_of(to_bytes(CallMessage{0x0123456789abcdef, body}));
  ASSERT_TRUE(call.ok()) << call.status();
  EXPECT_EQ(call->number, 0x0123456789abcdef);
  EXPECT_EQ(call->body, body);
  const auto answer = answer_of(to_bytes(AnswerMessage{7, 14, body}));
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->number, 7u);
  EXPECT_EQ(answer->code, 14);
  EXPECT_EQ(answer->body, body);
}

TEST(MpiMessages, AreTheSameOnAllMachines) {
  EXPECT_EQ(to_bytes(CallMessage{0x0102, "x"}), std::string("\x02\x01\0\0\0\0\0\0x", 9));
  EXPECT_EQ(to_bytes(AnswerMessage{1, 0x0304, ""}), std::string("\x01\0\0\0\0\0\0\0\x04\x03\0\0", 12));
}

TEST(MpiMessages, AreRefusedIfTheyAreTooShort) {
  EXPECT_EQ(call_of("1234567").status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(answer_of("12345678901").status().code(), absl::StatusCode::kDataLoss);
  EXPECT_TRUE(call_of("12345678").ok());
  EXPECT_TRUE(answer_of("123456789012").ok());
}

}  // namespace
}  // namespace fabrictwin::bridges::mpi
