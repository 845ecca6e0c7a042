// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/ip/packet.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "models/host/ip/reassembly.h"
#include "models/nic/message_body.h"

namespace fabrictwin::host::ip {
namespace {

Datagram datagram_of(Kind kind, int32_t bytes) {
  return {.kind = kind, .flow = 3, .number = 7, .bytes = bytes, .source = 1, .destination = 2};
}

/// What the network makes of a message.
nic::IncomingMessage arrived(const Packet& packet) {
  const nic::OutgoingMessage message = message_of(packet);
  return {packet.datagram.source, message.envelope, nic::hash_of_body(message.envelope), true};
}

TEST(IpPacket, ADatagramThatFitsIsOnePacket) {
  const std::vector<Packet> packets = packets_of(datagram_of(Kind::kUdp, 1472), 1500);
  ASSERT_EQ(packets.size(), 1u);
  EXPECT_EQ(packets[0].length(), 1500);
  EXPECT_EQ(packets_of(datagram_of(Kind::kAcknowledgement, 0), 1500)[0].length(), 40);
  EXPECT_EQ(packets_of(datagram_of(Kind::kEchoRequest, 56), 1500)[0].length(), 84);
  EXPECT_EQ(packets_of(datagram_of(Kind::kSegment, 1460), 1500)[0].length(), 1500);
}

// An echo of 4000 bytes over Ethernet, as tcpdump shows it: 1480 + 1480 + 1048 bytes of payload.
TEST(IpPacket, ALongerOneIsFragments) {
  const std::vector<Packet> packets = packets_of(datagram_of(Kind::kEchoRequest, 4000), 1500);
  ASSERT_EQ(packets.size(), 3u);
  EXPECT_EQ(packets[0].length(), 1500);
  EXPECT_EQ(packets[1].offset, 1480);
  EXPECT_EQ(packets[2].offset, 2960);
  EXPECT_EQ(packets[2].payload, 1048);
}

RC_GTEST_PROP(IpPacket, FragmentsFitCoverAllAndAreFoundAgain, ()) {
  const int32_t mtu = *rc::gen::inRange(kLeastMtu, kMostMtu + 1);
  const int32_t bytes = *rc::gen::inRange(0, kMostUserBytes + 1);
  const auto kind = static_cast<Kind>(*rc::gen::inRange(0, 5));
  const Datagram datagram = {.kind = kind,
                             .last = *rc::gen::arbitrary<bool>(),
                             .flow = *rc::gen::inRange<uint32_t>(0, kMostFlows),
                             .number = *rc::gen::inRange<uint64_t>(0, kMostNumber),
                             .bytes = std::min(bytes, kMostMtu - kIpHeader - header_of(kind)),
                             .source = *rc::gen::inRange(0, 1000),
                             .destination = *rc::gen::inRange(0, 1000)};
  std::vector<Packet> packets = packets_of(datagram, mtu);
  int32_t at = 0;
  for (const Packet& packet : packets) {
    RC_ASSERT(packet.length() <= mtu);
    RC_ASSERT(packet.offset == at);
    RC_ASSERT(packet_of(arrived(packet), datagram.destination) == packet);
    at += packet.payload;
  }
  RC_ASSERT(at == header_of(kind) + datagram.bytes);
  // Fragments may come in any order.
  std::reverse(packets.begin(), packets.end());
  Reassembly reassembly;
  for (size_t i = 0; i < packets.size(); ++i)
    RC_ASSERT(reassembly.add(packets[i]).has_value() == (i + 1 == packets.size()));
  RC_ASSERT(reassembly.incomplete() == 0u);
}

TEST(IpPacket, WhatIsWrongIsNoPacket) {
  const nic::IncomingMessage good = arrived(packets_of(datagram_of(Kind::kUdp, 100), 1500)[0]);
  ASSERT_TRUE(packet_of(good, 2).has_value());
  EXPECT_FALSE(packet_of(good, 3).has_value());
  nic::IncomingMessage bad = good;
  bad.intact = false;
  EXPECT_FALSE(packet_of(bad, 2).has_value());
  for (const uint64_t bytes : {uint64_t{0}, uint64_t{20}, uint64_t{129}, uint64_t{1} << 40}) {
    bad = good;
    bad.envelope.bytes = bytes;
    EXPECT_FALSE(packet_of(bad, 2).has_value()) << bytes;
  }
  for (int bit = 0; bit < 64; ++bit) {
    bad = good;
    bad.envelope.user[bit % 2] ^= uint64_t{1} << bit;
    EXPECT_FALSE(packet_of(bad, 2).has_value()) << bit;
  }
}

}  // namespace
}  // namespace fabrictwin::host::ip
