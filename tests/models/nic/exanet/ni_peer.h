// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// An ExaNet network interface whose link ends at a test.
#pragma once

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include "models/kernel/link_transaction.h"
#include "models/kernel/systemc_context.h"
#include "models/nic/exanet/ni.h"
#include "models/nic/exanet/packet.h"

namespace fabrictwin::test {

inline constexpr nic::exanet::Node kOwn = 5;
inline constexpr nic::exanet::Node kPeer = 9;
inline constexpr uint16_t kPdid = 3;
inline constexpr nic::exanet::Numbering kNumbering{1, 2, 2};

/// The other end of the link: sends what it is told, keeps what comes, and returns credits at once.
class Peer : public sc_core::sc_module {
 public:
  explicit Peer(const sc_core::sc_module_name& name) : sc_module(name), in("in"), out("out") {
    in.register_b_transport(this, &Peer::receive);
  }
  tlm_utils::simple_target_socket<Peer> in;
  tlm_utils::simple_initiator_socket<Peer> out;
  std::vector<nic::exanet::Words> packets;
  int credits = 0;  ///< Words whose room the network interface gave back.
  bool holds_credits = false;

  void send(const std::vector<link::Word>& words, uint8_t vc,
            uint8_t flags = link::kStartOfPacket | link::kEndOfPacket) {
    sc_core::sc_time delay;
    const int64_t now = clock_.edge_at_or_after(kernel::from_sc_time(sc_core::sc_time_stamp()));
    slot_ = std::max(slot_, now);
    out->b_transport(transaction_.burst(words.data(), static_cast<int32_t>(words.size()), slot_, vc, flags), delay);
    slot_ += static_cast<int64_t>(words.size());
  }
  void send(const nic::exanet::Words& packet) {
    send(std::vector<link::Word>(packet.all().begin(), packet.all().end()), packet.vc);
  }
  void give_credits(int count) {
    sc_core::sc_time delay;
    out->b_transport(
        transaction_.credit(kernel::from_sc_time(sc_core::sc_time_stamp()), 0, static_cast<uint8_t>(count)), delay);
  }

 private:
  void receive(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const auto* extension = payload.get_extension<kernel::LinkExtension>();
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (extension->kind == link::RecordKind::kCredit) {
      credits += extension->count;
      return;
    }
    nic::exanet::Words packet;
    packet.vc = extension->vc;
    packet.count = static_cast<uint8_t>(payload.get_data_length() / link::kWordBytes);
    std::memcpy(packet.words.data(), payload.get_data_ptr(), payload.get_data_length());
    packets.push_back(packet);
    if (holds_credits) return;
    const Time left = clock_.edge(extension->first_slot + packet.count);
    out->b_transport(transaction_.credit(left, packet.vc, packet.count), delay);
  }
  const Clock clock_ = Clock::of_words(Bandwidth{20'000'000'000}, link::kWordBits);
  int64_t slot_ = 0;
  kernel::LinkTransaction transaction_;
};

/// Keeps what its client hears.
class NiPeer : public ::testing::Test, public nic::exanet::Client {
 protected:
  void make(nic::exanet::Mailbox::Config mailbox = {}, int32_t contexts = 32) {
    systemc_ = *kernel::SystemcContext::create();
    nic::exanet::Ni::Config config;
    config.node = kOwn;
    config.numbering = kNumbering;
    config.pdid = kPdid;
    config.link.rate = Bandwidth{20'000'000'000};
    config.link.latency = Time::from_ns(50);
    config.timing.take_time = take_time_;
    config.mailbox = mailbox;
    config.contexts = contexts;
    config.client = this;
    peer_ = std::make_unique<Peer>("peer");
    ni_ = std::make_unique<nic::exanet::Ni>("ni", config);
    ni_->tile_out.bind(peer_->in);
    peer_->out.bind(ni_->tile_in);
  }
  void TearDown() override {
    ni_.reset();
    peer_.reset();
    systemc_.reset();
  }
  void run(Time time = Time::from_us(5)) { sc_core::sc_start(kernel::to_sc_time(time)); }

  void message_arrived(const nic::exanet::Message& message) override { messages_.push_back(message); }
  void message_done(int32_t, nic::exanet::MessageState state) override { states_.push_back(state); }
  void read_memory(uint64_t address, std::span<std::byte> bytes) override {
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(address + i);
  }
  void write_memory(uint64_t address, std::span<const std::byte> bytes,
                    const std::array<uint64_t, 4>& strobes) override {
    for (size_t i = 0; i < bytes.size(); ++i) {
      if ((strobes[i / 64] >> (i % 64) & 1) != 0) written_.emplace_back(address + i, bytes[i]);
    }
  }
  void ni_failed(const std::string& what) override { failures_.push_back(what); }

  static nic::exanet::ShortPacket message(uint32_t sequence, int32_t interface = 0) {
    nic::exanet::ShortPacket packet;
    packet.source = kPeer;
    packet.source_rank = 2;
    packet.destination = kOwn;
    packet.rank = 1;
    packet.pdid = kPdid;
    packet.va = static_cast<uint64_t>(interface) << 12 | 0x40000;
    packet.sequence = sequence;
    packet.channel = 17;
    packet.bytes = 24;
    packet.data[3] = std::byte{0x77};
    return packet;
  }
  static nic::exanet::RdmaPacket cell(uint16_t transfer, uint8_t index, bool last_cell) {
    nic::exanet::RdmaPacket packet;
    packet.source = kPeer;
    packet.destination = kOwn;
    packet.pdid = kPdid;
    packet.channel = 4;
    packet.transfer = transfer;
    packet.index = index;
    packet.last_cell = last_cell;
    packet.last_block = true;
    packet.slot = 6;
    packet.attempt = 1;
    packet.va = 0x1000 + 256 * uint64_t{index} + 3;
    packet.bytes = 20;
    return packet;
  }
  /// The answers that came: kinds and verdicts of messages.
  std::vector<std::pair<nic::exanet::OwnKind, nic::exanet::Verdict>> verdicts() const {
    std::vector<std::pair<nic::exanet::OwnKind, nic::exanet::Verdict>> result;
    for (const nic::exanet::Words& words : peer_->packets) {
      const nic::exanet::Parsed parsed = nic::exanet::parse_ni_packet(words, kPeer);
      if (parsed.short_packet)
        result.emplace_back(parsed.short_packet->kind, static_cast<nic::exanet::Verdict>(parsed.short_packet->va));
    }
    return result;
  }
  std::vector<nic::exanet::RdmaPacket> rdma() const {
    std::vector<nic::exanet::RdmaPacket> result;
    for (const nic::exanet::Words& words : peer_->packets) {
      const nic::exanet::Parsed parsed = nic::exanet::parse_ni_packet(words, kPeer);
      if (parsed.rdma) result.push_back(*parsed.rdma);
    }
    return result;
  }

  Time take_time_;
  std::unique_ptr<kernel::SystemcContext> systemc_;
  std::unique_ptr<Peer> peer_;
  std::unique_ptr<nic::exanet::Ni> ni_;
  std::vector<nic::exanet::Message> messages_;
  std::vector<nic::exanet::MessageState> states_;
  std::vector<std::pair<uint64_t, std::byte>> written_;
  std::vector<std::string> failures_;
};

}  // namespace fabrictwin::test
