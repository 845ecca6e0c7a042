// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Files of conversations, comparison of what came, and other ways to send the same.
#include "bridges/conformance/conversation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bridges/conformance/requests.h"
#include "tests/bridges/conformance/one_port.h"

namespace fabrictwin {
namespace {

using bridges::conformance::answers_of;
using bridges::conformance::ChannelMap;
using bridges::conformance::Conversation;
using bridges::conformance::conversation_text;
using bridges::conformance::first_difference;
using bridges::conformance::Inputs;
using bridges::conformance::is_counted;
using bridges::conformance::parse_conversation;
using bridges::conformance::records_of;
using test::blob;
using test::burst;
using test::credit;
using test::kIn;
using test::kOut;
using test::promise;
using ::testing::AllOf;
using ::testing::HasSubstr;

v1::RunRequest request(std::initializer_list<link::Record> records) {
  v1::RunRequest request;
  request.set_records(blob(records));
  return request;
}

v1::RunResponse response(std::initializer_list<link::Record> records) {
  v1::RunResponse response;
  response.set_records(blob(records));
  return response;
}

Conversation conversation_of(std::initializer_list<bridges::conformance::StreamMessage> messages) {
  Conversation conversation;
  conversation.configure = test::one_port();
  conversation.messages = messages;
  return conversation;
}

TEST(ConversationTest, ComesBackFromItsFile) {
  Conversation conversation;
  conversation.hello.set_software("mine");
  conversation.describe.mutable_worker()->set_threads(3);
  conversation.configure = test::one_port();
  link::Record words = burst(kIn, 3, 2, 1, 1);
  words.words[0] = {0x0123456789abcdef, 0xfedcba9876543210};
  words.words[1].lo = 7;
  v1::RunRequest first = request({words, bridges::conformance::make_end(kIn)});
  first.set_number(1);
  first.set_run_id("run");
  v1::RunResponse second = response({credit(kOut, 500, 9, 1), promise(kOut, 600)});
  second.set_consumed(1);
  second.add_rows()->add_consumed(UINT64_MAX);
  conversation.messages = {first, second};
  conversation.stop.add_channels()->set_words(1'000'000'000'000);

  const std::string text = conversation_text(conversation);
  EXPECT_THAT(text, HasSubstr(R"({"kind":"burst","channel":4,"stamp_fs":140000000,"vc":1,"header":true,"footer":false,)"
                              R"("words":["fedcba98765432100123456789abcdef",)"));
  const absl::StatusOr<Conversation> back = parse_conversation(text);
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(conversation_text(*back), text);
  EXPECT_EQ(back->requests().at(0).records(), first.records());
  EXPECT_EQ(std::get<v1::RunResponse>(back->messages.at(1)).SerializeAsString(), second.SerializeAsString());
  EXPECT_EQ(back->configure.SerializeAsString(), conversation.configure.SerializeAsString());
}

TEST(ConversationTest, MistakesInAFileAreNamedByTheirLine) {
  const std::string good = conversation_text(conversation_of({request({promise(kIn, 100)})}));
  const auto said = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    return std::string(parse_conversation(text).status().message());
  };
  EXPECT_EQ(said("", ""), "");
  EXPECT_EQ(said("{\"format\"", "[\"format\""), "line 1: no JSON object");
  EXPECT_EQ(said("fabrictwin conversation", "novel"), "line 1: no conversation that conformance has recorded");
  EXPECT_EQ(said("\"version\":1", "\"version\":2"), "line 1: a version of the format that is not known here");
  EXPECT_EQ(said("\"Hello\"", "\"Helo\""), "line 2: there is no call \"Helo\"");
  EXPECT_THAT(said("\"partitions\":[", "\"partitions\":[7,"), HasSubstr("line 4: "));
  EXPECT_EQ(said("{\"request\":{\"records\"", "{\"question\":{\"records\""),
            "line 6: neither a call nor a request or response of the stream");
  EXPECT_THAT(said("\"kind\":\"promise\"", "\"kind\":\"oath\""),
              AllOf(HasSubstr("line 6: "), HasSubstr("no such kind")));
  EXPECT_THAT(said("\"channel\":4", "\"channel\":-4"), HasSubstr("a number is out of range"));
  EXPECT_THAT(said("\"stamp_fs\":100000000", "\"stamp_fs\":9223372036854775808"), HasSubstr("out of range"));
  EXPECT_THAT(said("\"stamp_fs\":100000000", "\"words\":[\"12\"],\"stamp_fs\":1"), HasSubstr("32 hexadecimal digits"));
  EXPECT_EQ(std::string(parse_conversation(conversation_text(conversation_of({}))).status().message()),
            "it has no request of a Run stream");
  EXPECT_EQ(std::string(parse_conversation("").status().message()), "it has no call Configure");
}

TEST(ConversationTest, GroupingIsNoDifference) {
  const ChannelMap map = *ChannelMap::of(test::one_port());
  const auto one =
      answers_of(conversation_of({response({burst(kOut, 0, 3, 3), credit(kOut, 115, 2), promise(kOut, 500)})}), map);
  const auto other = answers_of(
      conversation_of({response({burst(kOut, 0, 1, 1)}), response({credit(kOut, 115, 2), burst(kOut, 1, 2, 2)}),
                       response({promise(kOut, 200)}), response({promise(kOut, 400)})}),
      map);
  EXPECT_EQ(first_difference(one, other, map), "");
  EXPECT_EQ(first_difference(other, one, map), "");
}

TEST(ConversationTest, TheFirstDifferenceIsToldWithItsPlace) {
  const ChannelMap map = *ChannelMap::of(test::one_port());
  const auto log = [&](std::initializer_list<link::Record> records) {
    return answers_of(conversation_of({response(records)}), map);
  };
  const auto expected = log({burst(kOut, 0, 3, 3), credit(kOut, 300, 2), promise(kOut, 500)});
  EXPECT_THAT(
      first_difference(expected, log({burst(kOut, 1, 3, 3), credit(kOut, 300, 1), promise(kOut, 500)}), map),
      AllOf(HasSubstr("channel 5 (from router[1].x+), word 0"), HasSubstr("expected a word on VC 0, header, at 110 ns"),
            HasSubstr("and a word on VC 0, header, at 120 ns")));
  EXPECT_THAT(first_difference(expected, log({burst(kOut, 0, 3, 3), promise(kOut, 500)}), map),
              HasSubstr("expected a credit of 2 on VC 0 at 300 ns (300000000 fs), and none before 500 ns"));
  EXPECT_THAT(first_difference(log({promise(kOut, 200)}), expected, map), HasSubstr("expected none before 200 ns"));
  // What lies beyond the promise may still come.
  EXPECT_EQ(first_difference(expected, log({burst(kOut, 0, 3, 3), promise(kOut, 300)}), map), "");
}

RC_GTEST_PROP(RequestsTest, AllWaysSendTheSame, ()) {
  const ChannelMap map = *ChannelMap::of(test::one_port());
  const auto count = *rc::gen::inRange<int64_t>(1, 40);
  std::vector<v1::RunRequest> original;
  int64_t slot = 0;
  std::string all;
  for (int64_t i = 0; i < count; ++i) {
    slot += *rc::gen::inRange<int64_t>(1, 5);
    const link::Record record = burst(kIn, slot, 1, 3);
    bridges::conformance::append(record, all);
    original.push_back(request({record, promise(kIn, record.time().fs() / 1'000'000)}));
  }
  const Inputs inputs(map, original);
  const auto most = *rc::gen::inRange<size_t>(0, 50);
  const auto step = Time::from_ns(*rc::gen::inRange<int64_t>(1, 60));
  for (const std::vector<v1::RunRequest>& requests :
       {inputs.at_once(), inputs.one_by_one(most), inputs.creeping(step, most), inputs.with_ends()}) {
    std::string sent;
    Time promised;
    for (const v1::RunRequest& each : requests) {
      for (const link::Record& record : records_of(each.records())) {
        RC_ASSERT(record.time() >= promised);
        if (is_counted(record)) bridges::conformance::append(record, sent);
        if (record.kind == link::RecordKind::kPromise) promised = record.time();
      }
    }
    RC_ASSERT(sent == all);
    RC_ASSERT(promised == inputs.rest());
  }
}

TEST(ChannelMapTest, ChannelsBetweenPartitionsOfThePlaceAreInNoMessage) {
  v1::ConfigureRequest configure = test::one_port();
  v1::PartitionConfig& other = *configure.add_partitions();
  other = configure.partitions(0);
  other.set_id(3);
  for (v1::PortConfig& port : *other.mutable_elements(0)->mutable_ports()) {
    port.set_inbound_channel(kOut);
    port.set_outbound_channel(kIn);
  }
  v1::PortConfig& crossing = *other.mutable_elements(0)->add_ports();
  crossing = other.elements(0).ports(0);
  crossing.set_inbound_channel(8);
  crossing.set_outbound_channel(9);
  const absl::StatusOr<ChannelMap> map = ChannelMap::of(configure);
  ASSERT_TRUE(map.ok()) << map.status();
  EXPECT_EQ(map->crossing().size(), 2u);
  EXPECT_EQ(map->find(kIn), nullptr);
  EXPECT_TRUE(map->partition(3)->inner);
  EXPECT_EQ(map->partition(3)->inbound, (std::vector<uint32_t>{kOut, 8}));
  EXPECT_EQ(map->partition(4), nullptr);
}

TEST(ChannelMapTest, AConfigurationThatNobodyCouldHaveMadeIsRefused) {
  EXPECT_FALSE(ChannelMap::of({}).ok());
  v1::ConfigureRequest configure = test::one_port();
  configure.mutable_partitions(0)->mutable_elements(0)->mutable_ports(0)->clear_latency_fs();
  EXPECT_THAT(std::string(ChannelMap::of(configure).status().message()), HasSubstr("router[1].x+ has no latency"));
}

}  // namespace
}  // namespace fabrictwin
