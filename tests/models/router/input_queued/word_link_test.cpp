// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A link of words at a network of flits.
#include "models/router/input_queued/word_link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "cosim/base/text.h"
#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "models/nic/message_body.h"
#include "models/router/input_queued/network.h"
#include "tests/cosim/link/ring_memory.h"
#include "tests/cosim/system/small_graph.h"

namespace fabrictwin {
namespace {

using fabric::CrossingPacket;
using router::input_queued::Traffic;
using router::input_queued::WordLink;
using ::testing::HasSubstr;

constexpr Time kLatency = Time::from_ns(120);
/// The latency with the time of a word, 20.75 cycles, as networks of flits have it.
constexpr int64_t kCycles = 21;
constexpr uint64_t kSeed = 3;

/// Two networks of flits at the ends of a link of words, which takes a word every two cycles.
class Ends {
 public:
  const system::SystemGraph graph = small_graph({2, 2, 2});
  const Clock clock{Frequency{156'250'000}};

  static link::ChannelSpec spec(uint32_t id) {
    return {id, id == 0 ? "a->b" : "b->a", kLatency, Clock::of_words(Bandwidth{10'000'000'000}, link::kWordBits)};
  }
  /// Lets b have what leaves before `until`.
  void flush(Time until) {
    to_b.flush(until);
    ASSERT_TRUE(from_a.poll().ok());
  }

 private:
  TestRing forward_{4096};
  TestRing back_{4096};

 public:
  link::ChannelSender to_b{spec(0), forward_.get()};
  link::ChannelReceiver from_a{spec(0), forward_.get()};
  link::ChannelSender to_a{spec(1), back_.get()};
  link::ChannelReceiver from_b{spec(1), back_.get()};
  WordLink a{clock, graph, kSeed, {8, 1, &to_b, &from_b}, kCycles};
  WordLink b{clock, graph, kSeed, {9, 2, &to_a, &from_a}, kCycles};
};

/// The only packet of a message from host 0 to host 7.
CrossingPacket packet_of(uint64_t bytes, uint32_t sequence) {
  CrossingPacket packet;
  nic::Envelope& envelope = packet.message.envelope;
  envelope.payload_key = nic::payload_key(0, 7, sequence);
  envelope.bytes = bytes;
  packet.message.sequence = sequence;
  packet.nic.source = packet.route.source = 0;
  packet.nic.destination = packet.route.destination = 7;
  const nic::PlainPacket only = nic::PlainPacket::next(envelope, 0, link::kMaxPayloadBytes);
  packet.nic.message_bytes = static_cast<uint32_t>(nic::PlainPacket::bytes_of(envelope));
  packet.nic.payload_bytes = static_cast<uint16_t>(only.payload);
  packet.nic.wire_bytes = static_cast<uint16_t>(nic::PlainPacket::wire_bytes(only.payload));
  return packet;
}

// A flit that would arrive in cycle 23 is on the link in cycle 2, and there after 22.75: words take no more time than
// flits between routers of flits.
TEST(WordLink, FlitsAreInTheNetworkWhenTheirEnvelopeIs) {
  Ends ends;
  const CrossingPacket packet = packet_of(64, 0);
  const int32_t count = packet.nic.wire_bytes / link::kWordBytes;
  EXPECT_EQ(ends.b.next_cycle(), Traffic::kNever);
  ends.a.begin(packet, 1);
  for (int32_t i = 0; i < count; ++i) ends.a.send_flit(23 + 2 * i, 1);
  ends.flush(Time::from_us(10));
  EXPECT_EQ(ends.b.next_cycle(), 23);
  ASSERT_TRUE(ends.b.receive(23).ok());
  EXPECT_FALSE(ends.b.take(23).has_value());
  EXPECT_EQ(ends.b.next_cycle(), 27) << "two words are the envelope";
  std::optional<WordLink::Flits> flits = ends.b.take(27);
  ASSERT_TRUE(flits.has_value());
  EXPECT_EQ(flits->count, 3);
  EXPECT_EQ(flits->vc, 1);
  ASSERT_TRUE(flits->packet.has_value());
  EXPECT_EQ(flits->packet->nic, packet.nic);
  for (int32_t i = 3; i < count; ++i) {
    EXPECT_EQ(ends.b.next_cycle(), 23 + 2 * i);
    ASSERT_TRUE(ends.b.receive(23 + 2 * i).ok());
    EXPECT_FALSE(ends.b.take(22 + 2 * i).has_value()) << i;
    flits = ends.b.take(23 + 2 * i);
    ASSERT_TRUE(flits.has_value()) << i;
    EXPECT_EQ(flits->count, 1);
    EXPECT_FALSE(flits->packet.has_value());
  }
  EXPECT_EQ(ends.b.next_cycle(), Traffic::kNever);
}

TEST(WordLink, CreditsComeWithTheCycleInWhichTheyAreReceived) {
  Ends ends;
  const CrossingPacket packet = packet_of(8, 0);
  ends.a.begin(packet, 0);
  for (int32_t i = 0; i < packet.nic.wire_bytes / link::kWordBytes; ++i) ends.a.send_flit(23 + 2 * i, 0);
  ends.flush(Time::from_us(10));
  ASSERT_TRUE(ends.b.receive(40).ok());
  ends.b.send_credits(60, 0, 3);
  ends.to_a.flush(Time::from_us(10));
  ASSERT_TRUE(ends.from_b.poll().ok());
  const int64_t cycle = ends.a.next_cycle();
  EXPECT_EQ(cycle, 58) << "a credit does not take the time of a word";
  ASSERT_TRUE(ends.a.receive(cycle).ok());
  ASSERT_EQ(ends.a.credits().size(), 1u);
  EXPECT_EQ(ends.a.credits()[0].bytes, 3 * link::kWordBytes);
  ASSERT_TRUE(ends.a.receive(cycle + 1).ok());
  EXPECT_TRUE(ends.a.credits().empty());
}

TEST(WordLink, SaysWhatIsWrongWithWords) {
  Ends ends;
  ends.to_b.send_word(5, 0, link::kStartOfPacket, {~uint64_t{0}, ~uint64_t{0}});
  ends.flush(Time::from_us(10));
  EXPECT_THAT(message_of(ends.b.receive(1000)), HasSubstr("a->b at 196.8 ns: protocol error: "));
}

}  // namespace
}  // namespace fabrictwin
