// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// UDP, IPv4, ARP and ICMP of a port beside a builder and a reader of frames that know nothing of it: good frames,
// damaged ones, any bytes, with random stalls.
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "VNanetOffload.h"
#include "rtl/nanet/beat.h"
#include "tests/rtl/module_test.h"
#include "tests/rtl/nanet/frames.h"

namespace fabrictwin::test {
namespace {

using rtl::nanet::Beat;
using rtl::nanet::take_word;
using rtl::nanet::word_of;

void set_beat(VlWide<3>& pins, const Beat& beat) {
  pins[0] = static_cast<uint32_t>(beat.data);
  pins[1] = static_cast<uint32_t>(beat.data >> 32);
  pins[2] = beat.keep | uint32_t{beat.error} << 8 | uint32_t{beat.last} << 9;
}

Beat beat_of(const VlWide<3>& pins) {
  return {.data = pins[0] | uint64_t{pins[1]} << 32,
          .keep = static_cast<uint8_t>(pins[2]),
          .error = (pins[2] >> 8 & 1) != 0,
          .last = (pins[2] >> 9 & 1) != 0};
}

constexpr Station kStation{.mac = 0x02aa'bbcc'dd01, .ip = 0xc0a80a02, .netmask = 0xffffff00, .gateway = 0xc0a80a01};
constexpr Mac kPeer = 0x0211'2233'4455;
constexpr uint32_t kPeerIp = 0xc0a80a63;
constexpr std::array kResults{"udp",      "arp",        "icmp",         "other",       "runt",
                              "fcs",      "ethertype",  "ip header",    "ip checksum", "fragment",
                              "protocol", "udp length", "udp checksum", "truncated",   "arp bad"};
constexpr int kUnresolved = 20;
constexpr int kUnsendable = 21;
constexpr int kSent = 23;

struct Received {
  Bytes payload;
  bool good = false;
  uint32_t source_ip = 0;
  uint16_t source_port = 0;
  uint16_t port = 0;
  size_t announced = 0;
};

class NanetOffload : public ModuleTest<VNanetOffload> {
 protected:
  NanetOffload() : ModuleTest(24) {
    const std::array<uint32_t, 5> station{kStation.gateway, kStation.netmask, kStation.ip,
                                          static_cast<uint32_t>(kStation.mac),
                                          static_cast<uint32_t>(kStation.mac >> 32)};
    for (size_t i = 0; i < station.size(); ++i) model_.station_i[i] = station[i];
    model_.arp_timeout_i = 200;
    model_.flush_arp_i = 0;
    model_.rx_valid_i = 0;
    model_.valid_i = 0;
    model_.tx_ready_i = 0;
    reset();
  }

  /// One cycle; `busy` percent of the cycles offer and take words.
  void step(unsigned busy) {
    offer_frame(busy);
    offer_datagram(busy);
    // A frame that has begun must not pause.
    model_.tx_ready_i = sending_ || chance(busy);
    model_.eval();
    const bool frame_taken = model_.rx_valid_i && model_.rx_ready_o;
    const bool datagram_taken = model_.valid_i && model_.ready_o;
    take_frame();
    take_datagram();
    if (model_.rx_result_valid_o)
      results_.push_back(model_.rx_result_o < kResults.size() ? kResults.at(model_.rx_result_o) : "?");
    if (model_.tx_result_valid_o) ++sent_[model_.tx_result_o];
    edge();
    if (frame_taken) advance(frames_, frame_at_);
    if (datagram_taken) {
      advance(datagrams_, datagram_at_);
      if (datagram_at_ == 0) destinations_.pop_front();
    }
  }

  template <class Queue>
  void advance(Queue& queue, size_t& at) {
    at += 8;
    if (at < queue.front().bytes.size()) return;
    queue.pop_front();
    at = 0;
  }

  void offer_frame(unsigned busy) {
    model_.rx_valid_i = !frames_.empty() && (frame_at_ != 0 ? chance(90) : chance(busy));
    if (!frames_.empty())
      set_beat(model_.rx_beat_i, word_of(frames_.front().bytes, frame_at_, frames_.front().damaged));
  }

  void offer_datagram(unsigned busy) {
    model_.valid_i = !datagrams_.empty() && chance(busy);
    if (datagrams_.empty()) return;
    set_beat(model_.beat_i, word_of(datagrams_.front().bytes, datagram_at_, datagrams_.front().damaged));
    model_.destination_i = destinations_.front();
  }

  void take_frame() {
    if (sending_) {
      ASSERT_TRUE(model_.tx_valid_o) << "a frame pauses";
    }
    if (!model_.tx_valid_o || !model_.tx_ready_i) return;
    const Beat beat = beat_of(model_.tx_beat_o);
    ASSERT_FALSE(beat.error);
    ASSERT_TRUE(beat.last || beat.keep == 0xff);
    take_word(leaving_, beat);
    sending_ = !beat.last;
    if (!beat.last) return;
    out_.push_back(leaving_);
    leaving_.clear();
  }

  void take_datagram() {
    if (!model_.valid_o) return;
    const Beat beat = beat_of(model_.beat_o);
    const VlWide<3>& fields = model_.datagram_o;
    const uint64_t low = fields[0] | uint64_t{fields[1]} << 32;
    ASSERT_EQ(model_.first_o != 0, !receiving_.has_value());
    if (model_.first_o) {
      receiving_ = Received{.source_ip = static_cast<uint32_t>(low >> 43) | fields[2] << 21,
                            .source_port = static_cast<uint16_t>(low >> 27),
                            .port = static_cast<uint16_t>(low >> 11),
                            .announced = low & 0x7ff};
    }
    take_word(receiving_->payload, beat);
    if (!beat.last) return;
    receiving_->good = !beat.error;
    in_.push_back(*receiving_);
    receiving_.reset();
  }

  void run(int cycles, unsigned busy) {
    for (int i = 0; i < cycles && !HasFatalFailure(); ++i) step(busy);
  }
  /// Until nothing is to be done, but not for ever.
  void finish(unsigned busy) {
    for (int i = 0; i < 2000000 && !(frames_.empty() && datagrams_.empty()) && !HasFatalFailure(); ++i) step(busy);
    run(3000, busy);
    ASSERT_TRUE(frames_.empty());
    ASSERT_TRUE(datagrams_.empty());
  }

  Bytes any_bytes(size_t count) {
    Bytes bytes(count);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random_());
    return bytes;
  }
  UdpFrame any_udp() {
    UdpFrame frame{.destination = kStation.mac, .source = kPeer, .source_ip = kPeerIp, .ip = kStation.ip};
    frame.source_port = static_cast<uint16_t>(random_());
    frame.port = static_cast<uint16_t>(random_());
    frame.checked = chance(80);
    frame.payload = any_bytes(static_cast<size_t>(chance(50) ? 1 + draw(40) : 1 + draw(1472)));
    return frame;
  }
  void receive(Bytes bytes, bool damaged = false) { frames_.push_back({std::move(bytes), damaged}); }
  void send(const Bytes& payload, uint32_t ip, uint16_t port, uint16_t source_port, bool damaged = false) {
    datagrams_.push_back({payload, damaged});
    destinations_.push_back(uint64_t{ip} << 32 | uint64_t{port} << 16 | source_port);
  }
  /// The port learns where the peer is.
  void introduce(uint32_t ip = kPeerIp, Mac mac = kPeer) {
    receive(arp_frame(kStation.mac, 2, mac, ip, kStation.mac, kStation.ip));
  }

  /// A frame with a mistake of any kind.
  Bytes any_wrong_frame() {
    Bytes frame = udp_frame(any_udp());
    switch (draw(10)) {
      case 0:
        frame[static_cast<size_t>(draw(static_cast<int>(frame.size())))] ^= static_cast<uint8_t>(1 << draw(8));
        break;
      case 1:
        frame.resize(1 + static_cast<size_t>(draw(static_cast<int>(frame.size()))));
        break;
      case 2:
        set_field(frame, 38, 2, static_cast<uint64_t>(draw(65536)));
        break;
      case 3:
        frame[14] = static_cast<uint8_t>(0x40 + draw(16));
        break;
      case 4:
        frame.resize(frame.size() + static_cast<size_t>(draw(30)));
        break;
      case 5:
        frame = any_bytes(static_cast<size_t>(1 + draw(200)));
        break;
      case 6:
        frame = mend_ip(frame, 20, static_cast<uint64_t>(draw(65536)) & 0x3fff);
        break;
      case 7:
        frame = mend_ip(frame, 16, static_cast<uint64_t>(draw(100)));
        break;
      case 8:
        frame = mend_ip(frame, 22, 0x4000 | static_cast<uint64_t>(draw(256)));
        break;
      default:
        frame = arp_frame(kStation.mac, 1, kPeer, kPeerIp, 0, kStation.ip);
        frame[14 + static_cast<size_t>(draw(10))] ^= static_cast<uint8_t>(draw(4));
    }
    if (chance(30) && frame.size() > 6) set_field(frame, 0, 6, chance(50) ? kStation.mac : kBroadcast);
    return frame;
  }
  /// Another value in the header of IP, whose checksum is right.
  static Bytes mend_ip(Bytes frame, size_t at, uint64_t value) {
    set_field(frame, at, 2, value);
    set_field(frame, 24, 2, 0);
    set_field(frame, 24, 2, static_cast<uint16_t>(~internet_sum(frame, 14, 34)));
    return frame;
  }

  struct Item {
    Bytes bytes;
    bool damaged = false;
  };
  std::deque<Item> frames_, datagrams_;
  std::deque<uint64_t> destinations_;
  size_t frame_at_ = 0, datagram_at_ = 0;
  std::vector<Bytes> out_;
  std::vector<Received> in_;
  std::vector<std::string> results_;
  std::array<int, 32> sent_{};
  Bytes leaving_;
  bool sending_ = false;
  std::optional<Received> receiving_;
};

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
