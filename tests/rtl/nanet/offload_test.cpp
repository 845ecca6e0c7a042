// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// UDP, IPv4, ARP and ICMP of a port beside a builder and a reader of frames that know nothing of it: good frames,
// damaged ones, any bytes, with random stalls.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/rtl/nanet/frames.h"
#include "tests/rtl/nanet/offload_bench.h"

namespace fabrictwin::test {
namespace {

TEST_F(NanetOffload, TakesThePayloadOutOfDatagrams) {
  std::vector<UdpFrame> frames;
  for (int i = 0; i < 300; ++i) frames.push_back(any_udp());
  for (int bytes = 1; bytes <= 40; ++bytes) {
    frames.push_back(any_udp());
    frames.back().payload = any_bytes(static_cast<size_t>(bytes));
  }
  for (const UdpFrame& frame : frames) receive(udp_frame(frame));
  finish(60);
  ASSERT_EQ(in_.size(), frames.size());
  for (size_t i = 0; i < frames.size(); ++i) {
    ASSERT_TRUE(in_[i].good) << i;
    ASSERT_EQ(in_[i].payload, frames[i].payload) << i;
    EXPECT_EQ(in_[i].announced, frames[i].payload.size());
    EXPECT_EQ(in_[i].source_ip, kPeerIp);
    EXPECT_EQ(in_[i].source_port, frames[i].source_port);
    EXPECT_EQ(in_[i].port, frames[i].port);
  }
  EXPECT_TRUE(out_.empty());
}

TEST_F(NanetOffload, CountsAndDropsWhatIsWrong) {
  std::vector<std::string> expected;
  std::vector<Bytes> good;
  for (int i = 0; i < 6000; ++i) {
    const Bytes frame = chance(30) ? udp_frame(any_udp()) : any_wrong_frame();
    const bool damaged = chance(5);
    expected.push_back(verdict_on(kStation, frame, damaged));
    if (const std::optional<UdpFrame> content = read_udp(frame); expected.back() == "udp" && content) {
      if (!content->payload.empty()) good.push_back(content->payload);
    }
    ++seen_[expected.back()];
    receive(frame, damaged);
  }
  finish(90);
  ASSERT_EQ(results_.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(results_[i], expected[i]) << i;
  size_t next = 0;
  for (const Received& received : in_) {
    if (!received.good) continue;
    ASSERT_LT(next, good.size());
    ASSERT_EQ(received.payload, good[next++]);
  }
  EXPECT_EQ(next, good.size());
  for (const char* kind : kResults) {
    if (std::string(kind) != "icmp") {
      EXPECT_GT(seen_[kind], 0) << kind;
    }
  }
}

TEST_F(NanetOffload, SendsDatagramsWithBothChecksums) {
  introduce();
  finish(50);
  std::vector<Bytes> payloads;
  for (int i = 0; i < 200; ++i) payloads.push_back(any_bytes(static_cast<size_t>(1 + (i < 60 ? i : draw(1472)))));
  payloads.push_back(any_bytes(1472));
  for (size_t i = 0; i < payloads.size(); ++i)
    send(payloads[i], kPeerIp, static_cast<uint16_t>(i), static_cast<uint16_t>(7 * i));
  finish(80);
  ASSERT_EQ(out_.size(), payloads.size());
  for (size_t i = 0; i < payloads.size(); ++i) {
    const std::optional<UdpFrame> frame = read_udp(out_[i]);
    ASSERT_TRUE(frame) << i;
    EXPECT_TRUE(frame->checked);
    ASSERT_EQ(frame->payload, payloads[i]) << i;
    EXPECT_EQ(out_[i].size(), std::max<size_t>(60, 42 + payloads[i].size()));
    EXPECT_EQ(frame->destination, kPeer);
    EXPECT_EQ(frame->source, kStation.mac);
    EXPECT_EQ(frame->ip, kPeerIp);
    EXPECT_EQ(frame->source_ip, kStation.ip);
    EXPECT_EQ(frame->port, i);
    EXPECT_EQ(frame->source_port, 7 * i);
  }
  EXPECT_EQ(sent_[kSent], static_cast<int>(payloads.size()));
}

// All lengths that reach beyond the shortest frame, by one byte too few: the last byte of a datagram may be the first
// of a word.
TEST_F(NanetOffload, NoticesThatOneByteIsMissing) {
  std::vector<std::string> expected;
  for (size_t bytes = 19; bytes <= 60; ++bytes) {
    UdpFrame datagram = any_udp();
    datagram.payload = any_bytes(bytes);
    Bytes frame = udp_frame(datagram);
    receive(frame);
    expected.emplace_back("udp");
    frame.pop_back();
    receive(frame);
    expected.emplace_back("truncated");
  }
  finish(80);
  EXPECT_EQ(results_, expected);
}

// Zero in the field says that there is no checksum, so a sum of zero is sent as its other representation (RFC 768).
TEST_F(NanetOffload, SendsAChecksumOfZeroAsAllOnes) {
  introduce();
  finish(50);
  const uint64_t sum = field(
      udp_frame({.source_ip = kStation.ip, .ip = kPeerIp, .source_port = 8, .port = 9, .payload = {0, 0}}), 40, 2);
  send({static_cast<uint8_t>(sum >> 8), static_cast<uint8_t>(sum)}, kPeerIp, 9, 8);
  finish(80);
  ASSERT_EQ(out_.size(), 1u);
  EXPECT_EQ(field(out_[0], 40, 2), 0xffffu);
  EXPECT_TRUE(read_udp(out_[0]));
}

TEST_F(NanetOffload, DropsDatagramsThatAreTooLongOrCouldNotBeRead) {
  introduce();
  finish(50);
  send(any_bytes(1473), kPeerIp, 1, 1);
  send(any_bytes(9000), kPeerIp, 2, 1);
  send(any_bytes(100), kPeerIp, 3, 1, true);
  send(any_bytes(1472), kPeerIp, 4, 1);
  finish(80);
  ASSERT_EQ(out_.size(), 1u);
  EXPECT_EQ(read_udp(out_[0])->port, 4);
  EXPECT_EQ(sent_[kUnsendable], 3);
}

TEST_F(NanetOffload, AsksForAddressesAndTheGateway) {
  send(any_bytes(20), kPeerIp, 5, 6);
  run(100, 100);
  ASSERT_EQ(out_.size(), 1u);
  EXPECT_EQ(out_[0], arp_frame(kBroadcast, 1, kStation.mac, kStation.ip, 0, kPeerIp));
  introduce();
  finish(100);
  ASSERT_EQ(out_.size(), 2u);
  EXPECT_EQ(read_udp(out_[1])->destination, kPeer);

  send(any_bytes(20), 0x08080808, 5, 6);
  run(100, 100);
  ASSERT_EQ(out_.size(), 3u);
  EXPECT_EQ(out_[2], arp_frame(kBroadcast, 1, kStation.mac, kStation.ip, 0, kStation.gateway));
  introduce(kStation.gateway, 0x0200'0000'0099);
  finish(100);
  ASSERT_EQ(out_.size(), 4u);
  EXPECT_EQ(read_udp(out_[3])->destination, 0x0200'0000'0099u);
  EXPECT_EQ(read_udp(out_[3])->ip, 0x08080808u);

  send(any_bytes(20), kStation.ip | 0xff, 5, 6);
  finish(100);
  ASSERT_EQ(out_.size(), 5u);
  EXPECT_EQ(read_udp(out_[4])->destination, kBroadcast);
}

TEST_F(NanetOffload, GivesUpAfterThreeRequests) {
  send(any_bytes(2000), kPeerIp + 1, 5, 6);
  send(any_bytes(30), kPeerIp + 1, 5, 6);
  send(any_bytes(30), kPeerIp, 5, 6);
  introduce();
  finish(100);
  ASSERT_EQ(out_.size(), 4u);
  for (size_t i = 0; i < 3; ++i)
    EXPECT_EQ(out_[i], arp_frame(kBroadcast, 1, kStation.mac, kStation.ip, 0, kPeerIp + 1));
  EXPECT_TRUE(read_udp(out_[3]));
  EXPECT_EQ(sent_[kUnresolved], 1);
  EXPECT_EQ(sent_[kUnsendable], 1);
}

TEST_F(NanetOffload, CountsTheRequestsOfEachAddressAnew) {
  send(any_bytes(30), kPeerIp, 5, 6);
  run(300, 100);
  ASSERT_EQ(out_.size(), 2u) << "the second request has left";
  introduce();
  send(any_bytes(30), kPeerIp + 1, 5, 6);
  finish(100);
  ASSERT_EQ(out_.size(), 6u);
  EXPECT_TRUE(read_udp(out_[2]));
  for (size_t i = 3; i < 6; ++i)
    EXPECT_EQ(out_[i], arp_frame(kBroadcast, 1, kStation.mac, kStation.ip, 0, kPeerIp + 1));
  EXPECT_EQ(sent_[kUnresolved], 1);
}

TEST_F(NanetOffload, KeepsTheNewestOf256Addresses) {
  for (uint32_t i = 1; i < 255; ++i) introduce(0xc0a80a00 + i, 0x0200'0000'0000 + i);
  // Who does not speak to this port is brought up to date, but not learnt.
  receive(arp_frame(kBroadcast, 1, 0x0300'0000'0007, 0xc0a80a07, 0, 0xc0a80a09));
  receive(arp_frame(kBroadcast, 1, 0x0300'0000'0001, 0xc0a80b01, 0, 0xc0a80a09));
  finish(100);
  for (uint32_t i = 1; i < 255; ++i) send(any_bytes(20), 0xc0a80a00 + i, 1, 1);
  finish(100);
  ASSERT_EQ(out_.size(), 254u);
  for (uint32_t i = 1; i < 255; ++i)
    EXPECT_EQ(read_udp(out_[i - 1])->destination, i == 7 ? 0x0300'0000'0007 : 0x0200'0000'0000 + i) << i;
  model_.flush_arp_i = 1;
  edge();
  model_.flush_arp_i = 0;
  send(any_bytes(20), 0xc0a80a05, 1, 1);
  finish(100);
  ASSERT_EQ(out_.size(), 257u);
  EXPECT_EQ(sent_[kUnresolved], 1);
}

TEST_F(NanetOffload, AnswersRequestsForItsAddress) {
  receive(arp_frame(kBroadcast, 1, kPeer, kPeerIp, 0, kStation.ip));
  finish(40);
  receive(arp_frame(kBroadcast, 1, kPeer, kPeerIp, 0, kStation.ip + 1));
  receive(arp_frame(kBroadcast, 1, kPeer, kPeerIp, 0, kStation.ip), true);
  finish(40);
  ASSERT_EQ(out_.size(), 1u);
  EXPECT_EQ(out_[0], arp_frame(kPeer, 2, kStation.mac, kStation.ip, kPeer, kPeerIp));
  // It knows the peer now.
  send(any_bytes(20), kPeerIp, 1, 1);
  finish(100);
  ASSERT_EQ(out_.size(), 2u);
  EXPECT_EQ(read_udp(out_[1])->destination, kPeer);
}

TEST_F(NanetOffload, AnswersEchoRequests) {
  for (int i = 0; i < 60; ++i) {
    const Bytes payload = any_bytes(static_cast<size_t>(i < 30 ? i : draw(1473)));
    receive(echo_frame(kStation.mac, kPeer, kPeerIp, kStation.ip, 8, payload));
    finish(i % 2 == 0 ? 100 : 30);
    ASSERT_EQ(out_.size(), 1u) << payload.size();
    Bytes expected = echo_frame(kPeer, kStation.mac, kStation.ip, kPeerIp, 0, payload);
    EXPECT_EQ(out_[0], expected);
    out_.clear();
  }
  Bytes wrong = echo_frame(kStation.mac, kPeer, kPeerIp, kStation.ip, 8, any_bytes(100));
  wrong[70] ^= 1;
  receive(wrong);
  receive(echo_frame(kStation.mac, kPeer, kPeerIp, kStation.ip, 0, any_bytes(100)));
  receive(echo_frame(kStation.mac, kPeer, kPeerIp, kStation.ip, 8, any_bytes(100)), true);
  receive(echo_frame(kStation.mac, kPeer, kPeerIp, kStation.ip, 8, any_bytes(1500)));
  Bytes cut = echo_frame(kStation.mac, kPeer, kPeerIp, kStation.ip, 8, any_bytes(100));
  cut.resize(100);
  receive(cut);
  finish(100);
  EXPECT_TRUE(out_.empty());
  receive(echo_frame(kStation.mac, kPeer, kPeerIp, kStation.ip, 8, any_bytes(100)));
  finish(100);
  EXPECT_EQ(out_.size(), 1u);
}

TEST_F(NanetOffload, SendsWhileItAnswers) {
  introduce();
  finish(100);
  int echoes = 0;
  for (int i = 0; i < 300; ++i) {
    send(any_bytes(static_cast<size_t>(1 + draw(300))), kPeerIp, 1, 1);
    if (chance(50)) receive(any_wrong_frame());
    if (chance(50)) receive(echo_frame(kStation.mac, kPeer, kPeerIp, kStation.ip, 8, any_bytes(10)));
    if (chance(20)) receive(arp_frame(kBroadcast, 1, kPeer, kPeerIp, 0, kStation.ip));
    run(200, 60);
  }
  finish(60);
  int datagrams = 0;
  for (const Bytes& frame : out_) {
    if (read_udp(frame))
      ++datagrams;
    else if (frame.size() == 60 && field(frame, 12, 2) == 0x0800)
      ++echoes;
  }
  EXPECT_EQ(datagrams, 300);
  EXPECT_GT(echoes, 50);
}

}  // namespace
}  // namespace fabrictwin::test
