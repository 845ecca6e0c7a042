// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/link/host_message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rapidcheck/gtest.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

void expect_back(const link::HostMessage& message) {
  const absl::StatusOr<link::HostMessage> back = link::HostMessage::decode(message.encode());
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_TRUE(*back == message);
}

TEST(HostMessage, LiesAsTheLayoutSays) {
  const link::Record write =
      link::HostMessage::register_write(link::HostRegion::kRdma, 0x10020, 16, 7, {1, 2}).encode();
  EXPECT_EQ(write.kind, link::RecordKind::kHost);
  EXPECT_EQ(write.flags, 1);
  EXPECT_EQ(write.count, 2);
  EXPECT_EQ(write.words[0], (link::Word{uint64_t{1} << 32 | 0x10020, uint64_t{7} << 32 | 16}));
  EXPECT_EQ(write.words[1], (link::Word{1, 2}));
  const link::Record read = link::HostMessage::memory_read(0x7f'ffff'fff0, 16, 9, 0x5abcd).encode();
  EXPECT_EQ(read.flags, 7);
  EXPECT_EQ(read.words[0], (link::Word{0x7f'ffff'fff0, uint64_t{9} << 32 | 16}));
  EXPECT_EQ(read.words[1], (link::Word{0x5abcd, 0}));
  const std::array<link::Word, 2> data{link::Word{3, 4}, link::Word{5, 6}};
  const link::Record bytes = link::HostMessage::memory_bytes(0xfff0'0ff0, data.data(), 2).encode();
  EXPECT_EQ(bytes.flags, 9);
  EXPECT_EQ(bytes.count, 3);
  EXPECT_EQ(bytes.words[0], (link::Word{0xfff0'0ff0, 0}));
  EXPECT_EQ(bytes.words[2], (link::Word{5, 6}));
  const link::Record absent = link::HostMessage::memory_data(11, 1, data.data(), 1).encode();
  EXPECT_EQ(absent.flags, 3);
  EXPECT_EQ(absent.count, 2);
  EXPECT_EQ(absent.words[0], (link::Word{11, 1}));
  EXPECT_EQ(absent.words[2], link::Word{});
  EXPECT_EQ(link::HostMessage::event(63).encode().words[0], (link::Word{63, 0}));
  EXPECT_EQ(link::HostMessage::interrupt().encode().flags, 11);
  EXPECT_EQ(link::HostMessage::interrupt().encode().count, 1);
  EXPECT_EQ(link::HostMessage::interrupt().encode().words[0], link::Word{});
}

RC_GTEST_PROP(HostMessage, ComesBack, ()) {
  const auto tag = *rc::gen::arbitrary<uint32_t>();
  const auto value = *rc::gen::arbitrary<uint64_t>();
  const auto bytes = *rc::gen::element<uint32_t>(4, 8, 16);
  const auto address = *rc::gen::inRange<uint32_t>(0, 1 << 20) * 16;
  const auto region =
      *rc::gen::element(link::HostRegion::kMessages, link::HostRegion::kRdma, link::HostRegion::kController);
  const auto words = *rc::gen::inRange<uint32_t>(1, 17);
  const auto user = *rc::gen::inRange<uint32_t>(0, 1 << 19);
  const auto count = *rc::gen::inRange<uint32_t>(1, 3);
  const auto response = *rc::gen::inRange<uint32_t>(0, 4);
  const std::array<link::Word, 2> data{link::Word{value, ~value}, link::Word{value * 3, value * 5}};
  expect_back(link::HostMessage::register_write(region, address, bytes, tag, data[0]));
  expect_back(link::HostMessage::register_read(region, address, bytes, tag));
  expect_back(link::HostMessage::register_written(tag, response));
  expect_back(link::HostMessage::register_data(tag, response, data[1]));
  expect_back(link::HostMessage::memory_read(uint64_t{address} << 10, words, tag, user));
  expect_back(link::HostMessage::memory_write(uint64_t{address} << 10, words, tag, user));
  expect_back(link::HostMessage::memory_data(tag, response, data.data(), count));
  expect_back(link::HostMessage::memory_bytes(tag, data.data(), count));
  expect_back(link::HostMessage::memory_written(tag, response));
  expect_back(link::HostMessage::event(user));
  expect_back(link::HostMessage::interrupt());
}

std::string error_of(const link::Record& record) {
  const absl::StatusOr<link::HostMessage> message = link::HostMessage::decode(record);
  EXPECT_EQ(message.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(message.status().message());
}

TEST(HostMessage, RefusesWhatCannotBe) {
  link::Record record = link::HostMessage::event(1).encode();
  record.flags = 0;
  EXPECT_THAT(error_of(record), HasSubstr("operation 0"));
  record.flags = 12;
  EXPECT_THAT(error_of(record), HasSubstr("operation 12"));
  record = link::HostMessage::event(1).encode();
  record.count = 2;
  EXPECT_THAT(error_of(record), HasSubstr("2 words"));
  EXPECT_THAT(error_of(link::HostMessage::register_read(link::HostRegion::kRdma, 0, 12, 1).encode()),
              HasSubstr("12 bytes"));
  EXPECT_THAT(error_of(link::HostMessage::register_read(link::HostRegion::kRdma, 4, 8, 1).encode()), HasSubstr("0x4"));
  EXPECT_THAT(error_of(link::HostMessage::register_read(static_cast<link::HostRegion>(3), 0, 8, 1).encode()),
              HasSubstr("region 3"));
  EXPECT_THAT(error_of(link::HostMessage::memory_read(0, 17, 1, 0).encode()), HasSubstr("17 words"));
  EXPECT_THAT(error_of(link::HostMessage::memory_write(0, 0, 1, 0).encode()), HasSubstr("0 words"));
  EXPECT_THAT(error_of(link::HostMessage::memory_write(8, 1, 1, 0).encode()), HasSubstr("0x8"));
  record = link::HostMessage::memory_bytes(0, std::array<link::Word, 1>{}.data(), 1).encode();
  record.count = 4;
  EXPECT_THAT(error_of(record), HasSubstr("4 words"));
}

}  // namespace
}  // namespace fabrictwin
