// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/observe/message_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <tuple>
#include <vector>

namespace fabrictwin {
namespace {

TEST(MessageLog, NumbersTheMessagesOfEachPair) {
  observe::MessageLog log(10);
  log.sent(0, 1, 8, Time::from_ns(1));
  log.sent(1, 0, 16, Time::from_ns(2));
  log.sent(0, 1, 24, Time::from_ns(3));
  log.sent(0, 2, 32, Time::from_ns(4));
  log.arrived(0, 1, Time::from_ns(5));
  log.arrived(0, 2, Time::from_ns(6));
  log.arrived(0, 1, Time::from_ns(7));

  const auto& messages = log.messages();
  ASSERT_EQ(messages.size(), 4u);
  EXPECT_EQ(messages[0].number, 0u);
  EXPECT_EQ(messages[2].number, 1u);
  EXPECT_EQ(messages[1].number, 0u);
  EXPECT_EQ(messages[0].arrived, Time::from_ns(5));
  EXPECT_TRUE(messages[1].arrived.is_never());
  EXPECT_EQ(messages[2].arrived, Time::from_ns(7));
  EXPECT_EQ(messages[2].bytes, 24u);
  EXPECT_EQ(messages[3].arrived, Time::from_ns(6));
}

TEST(MessageLog, LeavesOutWhatIsBeyondItsLimit) {
  observe::MessageLog log(2);
  log.sent(0, 1, 0, Time::from_ns(1));
  log.sent(0, 1, 0, Time::from_ns(2));
  log.sent(0, 1, 0, Time::from_ns(3));
  log.sent(2, 1, 0, Time::from_ns(3));
  EXPECT_EQ(log.left_out(), 2u);
  for (int i = 0; i < 3; ++i) log.arrived(0, 1, Time::from_ns(4 + i));
  log.arrived(2, 1, Time::from_ns(9));
  ASSERT_EQ(log.messages().size(), 2u);
  EXPECT_EQ(log.messages()[0].arrived, Time::from_ns(4));
  EXPECT_EQ(log.messages()[1].arrived, Time::from_ns(5));
}

google::protobuf::RepeatedPtrField<v1::MessageLogPart> parts_of(
    std::initializer_list<const observe::MessageLog*> logs) {
  google::protobuf::RepeatedPtrField<v1::MessageLogPart> parts;
  for (const observe::MessageLog* log : logs) log->report_part(*parts.Add());
  return parts;
}

// Host 0 is in one partition, hosts 1 and 2 in another one.
TEST(MessageLog, PartsMakeTheLogOfOnePartition) {
  observe::MessageLog first(10, observe::MessageLog::Scope::kPart);
  observe::MessageLog second(10, observe::MessageLog::Scope::kPart);
  first.sent(0, 1, 8, Time::from_ns(1));
  second.sent(1, 2, 16, Time::from_ns(2));
  second.sent(1, 0, 24, Time::from_ns(3));
  first.sent(0, 1, 32, Time::from_ns(4));
  second.arrived(0, 1, Time::from_ns(5));
  second.arrived(1, 2, Time::from_ns(6));
  first.arrived(1, 0, Time::from_ns(7));
  second.arrived(0, 1, Time::from_ns(8));
  first.sent(0, 1, 40, Time::from_ns(9));

  observe::MessageLog all(10);
  all.sent(5, 6, 7, Time::from_ns(0));
  ASSERT_TRUE(all.merge(parts_of({&second, &first})).ok());
  std::vector<std::tuple<int, int, int, int, int64_t, int64_t>> messages;
  for (const observe::LoggedMessage& message : all.messages()) {
    messages.emplace_back(message.source, message.destination, message.number, message.bytes,
                          message.sent.fs() / 1'000'000,
                          message.arrived.is_never() ? -1 : message.arrived.fs() / 1'000'000);
  }
  EXPECT_THAT(messages, ::testing::ElementsAre(std::tuple(0, 1, 0, 8, 1, 5), std::tuple(1, 2, 0, 16, 2, 6),
                                               std::tuple(1, 0, 0, 24, 3, 7), std::tuple(0, 1, 1, 32, 4, 8),
                                               std::tuple(0, 1, 2, 40, 9, -1)));
  EXPECT_EQ(all.left_out(), 0u);
}

TEST(MessageLog, OfPartsTheFirstMessagesStay) {
  observe::MessageLog first(2, observe::MessageLog::Scope::kPart);
  observe::MessageLog second(2, observe::MessageLog::Scope::kPart);
  for (int64_t i = 0; i < 3; ++i) {
    first.sent(0, 1, 0, Time::from_ns(10 * i));
    second.sent(1, 0, 0, Time::from_ns(10 * i + 5));
    first.arrived(1, 0, Time::from_ns(10 * i + 6));
  }
  observe::MessageLog all(2);
  ASSERT_TRUE(all.merge(parts_of({&first, &second})).ok());
  ASSERT_EQ(all.messages().size(), 2u);
  EXPECT_EQ(all.messages()[0].source, 0);
  EXPECT_EQ(all.messages()[1].sent, Time::from_ns(5));
  EXPECT_EQ(all.messages()[1].arrived, Time::from_ns(6));
  EXPECT_EQ(all.left_out(), 4u);
}

// A full log knows nothing of a flow that begins here later, and takes its messages for those of nobody else.
TEST(MessageLog, OnlyArrivalsFromElsewhereAreKept) {
  for (const observe::MessageLog::Scope scope :
       {observe::MessageLog::Scope::kWhole, observe::MessageLog::Scope::kPart}) {
    observe::MessageLog log(1, scope);
    log.sent(0, 1, 8, Time::from_ns(1));
    log.sent(2, 1, 8, Time::from_ns(2));
    log.arrived(2, 1, Time::from_ns(3));
    for (int64_t i = 0; i < 5; ++i) log.arrived(3, 1, Time::from_ns(4 + i));
    v1::MessageLogPart part;
    log.report_part(part);
    EXPECT_EQ(part.from_size(), scope == observe::MessageLog::Scope::kPart ? 1 : 0) << part.DebugString();
  }
}

TEST(MessageLog, PartsThatCannotBeAreRefused) {
  observe::MessageLog log(2, observe::MessageLog::Scope::kPart);
  log.sent(0, 1, 8, Time::from_ns(1));
  log.arrived(2, 0, Time::from_ns(2));
  for (const auto& spoil : std::initializer_list<void (*)(v1::MessageLogPart&)>{
           [](v1::MessageLogPart& part) { part.clear_destination(); },
           [](v1::MessageLogPart& part) { part.clear_bytes(); }, [](v1::MessageLogPart& part) { part.clear_sent_fs(); },
           [](v1::MessageLogPart& part) { part.clear_arrived_fs(); }, [](v1::MessageLogPart& part) { part.clear_to(); },
           [](v1::MessageLogPart& part) { part.clear_came_fs(); },
           [](v1::MessageLogPart& part) { part.set_sent_fs(0, -1); },
           [](v1::MessageLogPart& part) { part.set_arrived_fs(0, -1); },
           [](v1::MessageLogPart& part) { part.set_came_fs(0, -1); }}) {
    auto parts = parts_of({&log});
    spoil(parts[0]);
    EXPECT_EQ(observe::MessageLog(2).merge(parts).code(), absl::StatusCode::kDataLoss) << parts[0].DebugString();
  }
}

}  // namespace
}  // namespace fabrictwin
