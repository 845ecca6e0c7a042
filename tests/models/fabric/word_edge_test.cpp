// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets that cross a link of words, from one network of packets to another.
#include "models/fabric/word_edge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "models/nic/message_body.h"
#include "tests/cosim/link/ring_memory.h"
#include "tests/cosim/system/small_graph.h"

namespace fabrictwin {
namespace {

using fabric::CrossingPacket;
using fabric::WordEdge;
using ::testing::HasSubstr;

constexpr Time kLatency = Time::from_ns(120);
constexpr int32_t kHosts = 8;
constexpr uint64_t kSeed = 11;

/// Two edges at the ends of a link.
class Link {
 public:
  const system::SystemGraph graph = small_graph({2, 2, 2});

  explicit Link(uint32_t slots = 4096) : forward_(slots), back_(slots) {}

  static link::ChannelSpec spec(uint32_t id) {
    return {id, id == 0 ? "a->b" : "b->a", kLatency, Clock::of_words(Bandwidth{10'000'000'000}, link::kWordBits)};
  }
  /// Lets each side send what leaves before `until`, and receive all of it.
  absl::Status exchange(Time until) {
    to_b.flush(until);
    to_a.flush(until);
    if (absl::Status status = from_a.poll(); !status.ok()) return status;
    if (absl::Status status = from_b.poll(); !status.ok()) return status;
    if (absl::Status status = b.receive(Time::never(), arrived, spaces_b); !status.ok()) return status;
    return a.receive(Time::never(), arrived_a, spaces);
  }

 private:
  TestRing forward_;
  TestRing back_;

 public:
  link::ChannelSender to_b{spec(0), forward_.get()};
  link::ChannelReceiver from_a{spec(0), forward_.get()};
  link::ChannelSender to_a{spec(1), back_.get()};
  link::ChannelReceiver from_b{spec(1), back_.get()};
  WordEdge a{graph, kSeed, {8, 1, &to_b, &from_b}};
  WordEdge b{graph, kSeed, {9, 2, &to_a, &from_a}};
  /// These are the ends of the link at networks of flits.
  WordEdge flits_a{graph, kSeed, {8, 1, &to_b, &from_b}, WordEdge::Unit::kFlits};
  WordEdge flits_b{graph, kSeed, {9, 2, &to_a, &from_a}, WordEdge::Unit::kFlits};
  std::vector<WordEdge::Arrival> arrived;  ///< At b.
  std::vector<WordEdge::Arrival> arrived_a;
  std::vector<WordEdge::Space> spaces;  ///< That a learns of.
  std::vector<WordEdge::Space> spaces_b;
};

/// The packets of a message, in order.
std::vector<CrossingPacket> packets_of(int32_t source, int32_t destination, uint32_t sequence, uint64_t bytes) {
  nic::Envelope envelope;
  envelope.payload_key = nic::payload_key(static_cast<uint64_t>(source), static_cast<uint64_t>(destination), sequence);
  envelope.bytes = bytes;
  envelope.user[0] = sequence + 5;
  std::vector<CrossingPacket> packets;
  uint64_t sent = 0;
  for (bool last = false; !last;) {
    const nic::PlainPacket next = nic::PlainPacket::next(envelope, sent, link::kMaxPayloadBytes);
    last = next.last;
    CrossingPacket& packet = packets.emplace_back();
    packet.message = {envelope, sequence, true};
    packet.nic.source = packet.route.source = source;
    packet.nic.destination = packet.route.destination = destination;
    packet.route.random = nic::flow_ties(kSeed, source, destination);
    packet.nic.message_bytes = static_cast<uint32_t>(nic::PlainPacket::bytes_of(envelope));
    packet.nic.offset = static_cast<uint32_t>(sent);
    packet.nic.payload_bytes = static_cast<uint16_t>(next.payload);
    packet.nic.wire_bytes = static_cast<uint16_t>(nic::PlainPacket::wire_bytes(next.payload));
    sent += static_cast<uint64_t>(next.payload);
  }
  return packets;
}

TEST(WordEdgeTest, APacketIsThereWithItsHeaderAndItsEnvelope) {
  Link link;
  const Clock words = Link::spec(0).word_clock;
  // The header leaves with the first slot that ends at this time or later.
  link.a.send(packets_of(0, 7, 0, 8).front(), 1, words.edge(4) - Time::from_fs(1), words.edge(8));
  ASSERT_TRUE(link.exchange(Time::from_us(1)).ok());
  ASSERT_EQ(link.arrived.size(), 1u);
  EXPECT_EQ(link.arrived[0].vc, 1);
  EXPECT_EQ(link.arrived[0].head, words.edge(4) + kLatency);
  EXPECT_EQ(link.arrived[0].known, words.edge(6) + kLatency) << "two words of the envelope follow the header";
  EXPECT_EQ(link.arrived[0].packet.message.sequence, 0u);
  EXPECT_EQ(link.arrived[0].packet.message.envelope.user[0], 5u);
  EXPECT_EQ(link.arrived[0].packet.route.random, nic::flow_ties(kSeed, 0, 7));
  EXPECT_EQ(link.b.packets_coming(), 0u);
}

TEST(WordEdgeTest, WhatALaterPacketSaysIsKnownWithItsHeader) {
  Link link;
  const std::vector<CrossingPacket> packets = packets_of(1, 2, 0, 300);
  ASSERT_EQ(packets.size(), 2u);
  for (const CrossingPacket& packet : packets) link.a.send(packet, 0, Time::from_ns(100), Time::from_ns(100));
  ASSERT_TRUE(link.exchange(Time::from_us(2)).ok());
  ASSERT_EQ(link.arrived.size(), 2u);
  EXPECT_EQ(link.arrived[1].known, link.arrived[1].head);
  EXPECT_EQ(link.arrived[1].packet.nic.offset, 256u);
  EXPECT_EQ(link.arrived[1].packet.message.envelope.user[0], 5u)
      << "of the message, though only its first packet says it";
}

TEST(WordEdgeTest, ACreditWaitsForTheLastWord) {
  Link link;
  const Clock words = Link::spec(0).word_clock;
  const CrossingPacket packet = packets_of(0, 7, 0, 200).front();
  const int32_t count = packet.nic.wire_bytes / link::kWordBytes;
  link.a.send(packet, 0, words.edge(1), words.edge(1));
  // The network has it when three of its words are here, and forwards it on a faster link.
  link.to_b.flush(words.edge(4));
  ASSERT_TRUE(link.from_a.poll().ok());
  ASSERT_TRUE(link.b.receive(Time::never(), link.arrived, link.spaces_b).ok());
  ASSERT_EQ(link.arrived.size(), 1u);
  EXPECT_EQ(link.b.packets_coming(), 1u);
  const Time leaves = words.edge(5) + kLatency;
  link.b.give_back(leaves, 0);
  EXPECT_TRUE(link.to_a.next_departure().is_never()) << "more words would be free than have come";
  link.to_b.flush(Time::from_us(2));
  ASSERT_TRUE(link.from_a.poll().ok());
  ASSERT_TRUE(link.b.receive(Time::never(), link.arrived, link.spaces_b).ok());
  EXPECT_EQ(link.to_a.next_departure(), words.edge(count) + kLatency);
  ASSERT_TRUE(link.exchange(Time::from_us(4)).ok());
  ASSERT_EQ(link.spaces.size(), 1u);
  EXPECT_EQ(link.spaces[0].bytes, packet.nic.wire_bytes);
  EXPECT_EQ(link.spaces[0].arrived, words.edge(count) + kLatency + kLatency);
}

// The last word of a packet that comes more slowly than the link takes it leaves when it has come.
TEST(WordEdgeTest, WordsLeaveNoSoonerThanTheyCome) {
  Link link;
  const Clock words = Link::spec(0).word_clock;
  link.a.send(packets_of(0, 7, 0, 8).front(), 0, words.edge(1), words.edge(9));
  // Header, envelope, body and footer: the footer is on the wire until edge 9, and the next packet follows it.
  link.a.send(packets_of(0, 6, 0, 8).front(), 0, words.edge(1), words.edge(1));
  ASSERT_TRUE(link.exchange(Time::from_us(1)).ok());
  ASSERT_EQ(link.arrived.size(), 2u);
  EXPECT_EQ(link.arrived[0].head, words.edge(1) + kLatency);
  EXPECT_EQ(link.arrived[0].known, words.edge(7) + kLatency);
  EXPECT_EQ(link.arrived[1].head, words.edge(10) + kLatency);
}

// Flits of two packets on two VCs take turns on the link, each with the first slot that is free.
TEST(WordEdgeTest, FlitsLeaveAndComeOneByOne) {
  Link link;
  const Clock words = Link::spec(0).word_clock;
  const CrossingPacket first = packets_of(0, 7, 0, 8).front();
  const CrossingPacket second = packets_of(1, 6, 0, 8).front();
  const int32_t count = first.nic.wire_bytes / link::kWordBytes;
  link.flits_a.begin(first, 0);
  link.flits_a.begin(second, 1);
  for (int32_t i = 0; i < count; ++i) {
    link.flits_a.send_flit(0, 11);
    link.flits_a.send_flit(1, 0);
  }
  link.to_b.flush(Time::from_us(5));
  ASSERT_TRUE(link.from_a.poll().ok());
  std::vector<WordEdge::Word> came;
  ASSERT_TRUE(link.flits_b.receive(Time::never(), link.arrived, link.spaces_b, &came).ok());
  ASSERT_EQ(came.size(), static_cast<size_t>(2 * count));
  ASSERT_EQ(link.arrived.size(), 2u);
  for (int32_t i = 0; i < 2 * count; ++i) {
    const WordEdge::Word& word = came[static_cast<size_t>(i)];
    EXPECT_EQ(word.arrived, words.edge(12 + i) + kLatency);
    EXPECT_EQ(word.vc, i % 2);
    EXPECT_EQ(word.enters, i / 2 == 2) << "the envelope is two words";
  }
  EXPECT_EQ(link.flits_b.packets_coming(), 0u);
}

// A credit is that of a word, which may leave before the others of its packet have come.
TEST(WordEdgeTest, CreditsOfFlitsDoNotWaitForTheirPacket) {
  Link link;
  const CrossingPacket packet = packets_of(0, 7, 0, 100).front();
  link.flits_a.begin(packet, 1);
  for (int i = 0; i < 4; ++i) link.flits_a.send_flit(1, 3);
  link.to_b.flush(Time::from_us(1));
  ASSERT_TRUE(link.from_a.poll().ok());
  ASSERT_TRUE(link.flits_b.receive(Time::never(), link.arrived, link.spaces_b).ok());
  EXPECT_EQ(link.flits_b.packets_coming(), 1u);
  link.flits_b.give_back_flits(Time::from_ns(400), 1, 1);
  link.flits_b.give_back_flits(Time::from_ns(500), 1, 2);
  link.to_a.flush(Time::from_us(2));
  ASSERT_TRUE(link.from_b.poll().ok());
  ASSERT_TRUE(link.flits_a.receive(Time::never(), link.arrived_a, link.spaces).ok());
  ASSERT_EQ(link.spaces.size(), 2u);
  EXPECT_EQ(link.spaces[0].arrived, Time::from_ns(400) + kLatency);
  EXPECT_EQ(link.spaces[1].arrived, Time::from_ns(500) + kLatency);
  EXPECT_EQ(link.spaces[1].bytes, 2 * link::kWordBytes);
}

RC_GTEST_PROP(WordEdge, CarriesPacketsOfManyFlowsInOrder, ()) {
  Link link;
  std::vector<CrossingPacket> sent;
  std::map<std::pair<int32_t, int32_t>, uint32_t> messages_of;
  const auto messages = *rc::gen::inRange(1, 8);
  for (int i = 0; i < messages; ++i) {
    const int32_t source = *rc::gen::inRange(0, kHosts);
    const int32_t destination = *rc::gen::inRange(0, kHosts);
    const auto bytes = static_cast<uint64_t>(*rc::gen::inRange(0, 1500));
    const uint32_t sequence = messages_of[{source, destination}]++;
    for (CrossingPacket& packet : packets_of(source, destination, sequence, bytes)) sent.push_back(packet);
  }
  const auto vc_of = [](const CrossingPacket& packet) { return static_cast<uint8_t>(packet.nic.source % 2); };
  Time at = Time::from_ns(20);
  Time flushed;
  size_t given = 0;
  // What comes does not depend on how words come in pieces.
  const auto exchange = [&](Time until) {
    RC_ASSERT(link.exchange(flushed = until).ok());
    for (; given < link.arrived.size(); ++given) link.b.give_back(until, link.arrived[given].vc);
  };
  for (const CrossingPacket& packet : sent) {
    at += Time::from_ns(*rc::gen::inRange(1, 400));
    link.a.send(packet, vc_of(packet), at, at + Time::from_ns(*rc::gen::inRange(0, 600)));
    at += Time::from_us(1);
    if (*rc::gen::inRange(0, 3) > 0) exchange(at);
    if (at - flushed > Time::from_us(2)) exchange(at);
  }
  exchange(Time::from_us(1000));
  exchange(Time::from_us(2000));
  RC_ASSERT(link.arrived.size() == sent.size());
  RC_ASSERT(link.b.packets_coming() == 0u);
  for (size_t i = 0; i < sent.size(); ++i) {
    const WordEdge::Arrival& arrival = link.arrived[i];
    RC_ASSERT(arrival.vc == vc_of(sent[i]));
    RC_ASSERT(arrival.packet.nic == sent[i].nic);
    RC_ASSERT(arrival.packet.message.sequence == sent[i].message.sequence);
    RC_ASSERT(arrival.packet.message.envelope.bytes == sent[i].message.envelope.bytes);
    RC_ASSERT(arrival.packet.message.envelope.payload_key == sent[i].message.envelope.payload_key);
    RC_ASSERT(arrival.packet.message.envelope.user[0] == sent[i].message.envelope.user[0]);
    if (i > 0) RC_ASSERT(arrival.head > link.arrived[i - 1].head);
  }
  RC_ASSERT(link.spaces.size() == sent.size());
  for (const uint8_t vc : {0, 1}) {
    std::vector<int32_t> bytes;
    std::vector<int32_t> returned;
    for (const CrossingPacket& packet : sent) {
      if (vc_of(packet) == vc) bytes.push_back(packet.nic.wire_bytes);
    }
    for (const WordEdge::Space& space : link.spaces) {
      if (space.vc == vc) returned.push_back(space.bytes);
    }
    RC_ASSERT(returned == bytes);
  }
}

/// What is wrong with words that come to b.
std::string refusal(const std::function<void(std::vector<link::Word>& words, uint8_t& last_flags)>& spoil) {
  Link link;
  const CrossingPacket packet = packets_of(0, 7, 0, 100).front();
  link::PacketHeader header = nic::make_header(link.graph, kHosts, 0, 7, 0);
  header.payload_bytes = packet.nic.payload_bytes;
  header.ties = nic::flow_ties(kSeed, 0, 7);
  const nic::PacketWords right = nic::make_plain_words(header, packet.message.envelope, 0);
  std::vector<link::Word> words(right.begin(), right.begin() + header.packet_words());
  words.back() = nic::make_footer({&words[1], words.size() - 2});
  uint8_t last_flags = link::kEndOfPacket;
  spoil(words, last_flags);
  for (size_t i = 0; i < words.size(); ++i) {
    const uint8_t flags = i == 0 ? link::kStartOfPacket : i + 1 == words.size() ? last_flags : uint8_t{0};
    link.to_b.send_word(static_cast<int64_t>(10 + i), 0, flags, words[i]);
  }
  return std::string(message_of(link.exchange(Time::from_us(10))));
}

TEST(WordEdgeTest, RefusesWordsThatAreNoPacketOfAPlainInterface) {
  using Words = std::vector<link::Word>;
  EXPECT_EQ(refusal([](Words&, uint8_t&) {}), "");
  EXPECT_THAT(refusal([](Words& words, uint8_t&) { words[4].hi ^= 1; }), HasSubstr("from host 0 to host 7 is damaged"));
  EXPECT_THAT(refusal([](Words& words, uint8_t&) { words.back().lo ^= 1; }), HasSubstr("is damaged"));
  EXPECT_THAT(refusal([](Words& words, uint8_t&) { words.pop_back(); }), HasSubstr("whose header says"));
  EXPECT_THAT(refusal([](Words& words, uint8_t& flags) {
                words.push_back({});
                flags = link::kEndOfPacket;
              }),
              HasSubstr("a packet without an end"));
  EXPECT_THAT(refusal([](Words& words, uint8_t&) { words[0].lo |= uint64_t{0xffffff} << 24; }),
              HasSubstr("and there are 8"));
  EXPECT_THAT(refusal([](Words& words, uint8_t&) { words[1].hi = 1; }), HasSubstr("is longer than the 1 bytes"));
  EXPECT_THAT(refusal([](Words& words, uint8_t&) { words[0].lo ^= 1; }),
              HasSubstr("with a header that no plain interface makes"))
      << "a coordinate";
  EXPECT_THAT(refusal([](Words& words, uint8_t&) { words[0].hi ^= uint64_t{1} << 24; }),
              HasSubstr("message 1 from host 0 to host 7 where message 0 was expected"));
  EXPECT_THAT(refusal([](Words& words, uint8_t& flags) {
                words.pop_back();
                flags = 0;
              }),
              "")
      << "which is still to come";
  EXPECT_THAT(refusal([](Words& words, uint8_t&) {
                words[0].lo &= ~(uint64_t{0x3ff} << 48);
                words[0].lo |= uint64_t{16} << 48;
              }),
              HasSubstr("begins without an envelope"));
}

TEST(WordEdgeTest, RefusesWhatComesTwiceOrHasNoSpace) {
  Link link;
  const CrossingPacket packet = packets_of(0, 7, 0, 200).front();
  link.a.send(packet, 0, Time::from_ns(100), Time::from_ns(100));
  link.a.send(packet, 0, Time::from_ns(100), Time::from_ns(100));
  EXPECT_THAT(message_of(link.exchange(Time::from_us(2))), HasSubstr("where message 1 was expected"));

  Link full;
  const std::vector<CrossingPacket> packets = packets_of(0, 7, 0, 1200);
  ASSERT_EQ(packets.size(), 5u);
  for (const CrossingPacket& each : packets) full.a.send(each, 0, Time::from_ns(100), Time::from_ns(100));
  EXPECT_THAT(message_of(full.exchange(Time::from_us(3))), HasSubstr("words for VC 0 beyond its buffer of 64"));
}

TEST(WordEdgeTest, RefusesCreditsThatNobodyOwes) {
  Link link;
  link.to_a.send_credit(Time::from_ns(10), 0, 4);
  EXPECT_THAT(message_of(link.exchange(Time::from_us(1))),
              HasSubstr("b->a at 130 ns: protocol error: a credit of 4 words, and 0 are owed"));
}

}  // namespace
}  // namespace fabrictwin
