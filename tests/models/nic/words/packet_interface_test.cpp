// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/words/packet_interface.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/models/nic/words/packet_interface_run.h"

namespace fabrictwin::nic::words {
namespace {

using ::testing::HasSubstr;

Given one(NicOperation operation, uint64_t bytes, uint8_t port = OutgoingMessage::kAnyPort) {
  Given given;
  given.message.destination = 1;
  given.message.envelope.payload_key = payload_key(0, 1, bytes);
  given.message.envelope.bytes = bytes;
  given.message.envelope.user[0] = 5;
  given.message.cookie = 17;
  given.message.operation = operation;
  given.message.port = port;
  return given;
}

Options plain_options() {
  Options options;
  options.costs.max_payload = 1920;
  options.costs.header = 128;
  options.costs.request = 48;
  options.costs.ack = 40;
  options.costs.granule = 8;
  options.costs.post_direct = options.costs.post_queued = Time::from_ns(100);
  return options;
}

TEST(PacketInterface, BytesThatAreWrongAreNoticed) {
  for (const size_t word : {1, 4, 7}) {
    Options options = plain_options();
    options.damage = word;
    EXPECT_THAT(run({one(NicOperation::kSend, 50)}, options).failure, HasSubstr("arrived damaged (checksum)")) << word;
  }
}

TEST(PacketInterface, AMessageOfMoreThanFourGibibytesIsRefused) {
  EXPECT_THAT(run({one(NicOperation::kPut, uint64_t{1} << 32)}, plain_options()).failure, HasSubstr("4 GiB"));
}

TEST(PacketInterface, AGetBringsItsCookieAndNoMessage) {
  const Chart chart = run({one(NicOperation::kGet, 5000)}, plain_options());
  EXPECT_EQ(chart.failure, "");
  EXPECT_TRUE(chart.arrived.empty());
  EXPECT_THAT(chart.left, ::testing::ElementsAre(std::pair(0, uint64_t{17})));
}

/// Whether what a PacketNic got of a message is what another one gave, in other pieces.
bool same_bytes(const std::vector<NicPacket>& given, const std::vector<NicPacket>& got) {
  const auto rest_of = [](NicPacket packet) {
    packet.offset = packet.payload_bytes = packet.wire_bytes = 0;
    return packet;
  };
  uint32_t there = 0;
  uint32_t here = 0;
  for (const NicPacket& packet : given) {
    if (packet.offset != there || rest_of(packet) != rest_of(given.front())) return false;
    there += packet.payload_bytes;
  }
  for (const NicPacket& packet : got) {
    if (packet.offset != here || rest_of(packet) != rest_of(given.front())) return false;
    here += packet.payload_bytes;
  }
  return here == there;
}

RC_GTEST_PROP(PacketInterface, EverythingComesOnceWholeAndInOrder, ()) {
  Options options;
  options.costs.ports = *rc::gen::inRange(1, 4);
  options.costs.queues = *rc::gen::inRange(1, 3);
  options.costs.max_payload = *rc::gen::element(64, 250, 1920, 4096);
  options.costs.header = *rc::gen::element(20, 128);
  options.costs.request = options.costs.ack = *rc::gen::element(30, 48);
  options.costs.post_direct = Time::from_ns(*rc::gen::element(0, 100));
  options.costs.post_queued = options.costs.post_direct + Time::from_ns(*rc::gen::element(0, 50));
  options.costs.receive = Time::from_ns(*rc::gen::element(0, 30));
  options.costs.acknowledge = *rc::gen::arbitrary<bool>();
  if (*rc::gen::arbitrary<bool>()) {
    options.memory.emplace();
    options.memory->bandwidth = Bandwidth{32'000'000'000};
    options.memory->latency = Time::from_ns(30);
  }
  options.jitter = Time::from_ns(*rc::gen::element(0, 300));
  options.hold = Time::from_ns(*rc::gen::element(0, 500));
  std::vector<Given> given(*rc::gen::inRange<size_t>(1, 30));
  for (size_t i = 0; i < given.size(); ++i) {
    given[i] = one(*rc::gen::element(NicOperation::kSend, NicOperation::kPut, NicOperation::kGet),
                   *rc::gen::element<uint64_t>(0, 1, 31, 32, 208, 240, 241, 5000, 20001),
                   *rc::gen::element<uint8_t>(0, 1, 5, OutgoingMessage::kAnyPort));
    given[i].time = Time::from_ns(*rc::gen::element(0, 10, 400));
    given[i].source = *rc::gen::inRange(0, kHosts);
    OutgoingMessage& message = given[i].message;
    message.destination = (given[i].source + *rc::gen::inRange(1, kHosts)) % kHosts;
    message.envelope.payload_key = payload_key(3, 4, i);
    message.envelope.user[0] = i;
    message.cookie = i;
  }
  const Chart chart = run(given, options);
  RC_ASSERT(chart.failure.empty());
  RC_ASSERT(chart.misuse == 0);
  RC_ASSERT(chart.given.size() == chart.got.size());
  for (const auto& [key, packets] : chart.given) RC_ASSERT(same_bytes(packets, chart.got.at(key)));
  RC_ASSERT(chart.credits == chart.free);

  std::vector<int32_t> expected(given.size());
  for (size_t i = 0; i < given.size(); ++i) expected[i] = given[i].message.operation == NicOperation::kGet ? 0 : 1;
  std::map<std::pair<int32_t, int32_t>, std::pair<Time, uint64_t>> last;
  for (const Chart::Arrived& message : chart.arrived) {
    const Given& sent = given.at(message.envelope.user[0]);
    RC_ASSERT(message.intact && message.source == sent.source && message.destination == sent.message.destination);
    RC_ASSERT(message.envelope.bytes == sent.message.envelope.bytes);
    --expected[message.envelope.user[0]];
    if (sent.message.operation != NicOperation::kSend) continue;
    const std::pair order(sent.time, message.envelope.user[0] + 1);
    auto& before = last[{message.source, message.destination}];
    RC_ASSERT(before < order);
    before = order;
  }
  for (const int32_t missing : expected) RC_ASSERT(missing == 0);
  // A message without a cookie is not reported.
  std::vector<int32_t> left(given.size(), 1);
  left[0] = 0;
  for (const auto& [host, cookie] : chart.left) {
    RC_ASSERT(host == given.at(cookie).source);
    --left[cookie];
  }
  for (const int32_t missing : left) RC_ASSERT(missing == 0);
  RC_ASSERT(run(given, options) == chart);
}

}  // namespace
}  // namespace fabrictwin::nic::words
