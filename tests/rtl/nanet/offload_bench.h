// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The offload of a port at its pins, with what it is given and what it gives.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "VNanetOffload__inputs.h"
#include "rtl/nanet/beat.h"
#include "tests/rtl/module_test.h"
#include "tests/rtl/nanet/beat_pins.h"
#include "tests/rtl/nanet/frames.h"

namespace fabrictwin::test {
using rtl::nanet::Beat;
using rtl::nanet::take_word;
using rtl::nanet::word_of;

inline constexpr Station kStation{
    .mac = 0x02aa'bbcc'dd01, .ip = 0xc0a80a02, .netmask = 0xffffff00, .gateway = 0xc0a80a01};
inline constexpr Mac kPeer = 0x0211'2233'4455;
inline constexpr uint32_t kPeerIp = 0xc0a80a63;
inline constexpr std::array kResults{"udp",      "arp",        "icmp",         "other",       "runt",
                                     "fcs",      "ethertype",  "ip header",    "ip checksum", "fragment",
                                     "protocol", "udp length", "udp checksum", "truncated",   "arp bad"};
inline constexpr int kUnresolved = 20;
inline constexpr int kUnsendable = 21;
inline constexpr int kSent = 23;

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

}  // namespace fabrictwin::test
