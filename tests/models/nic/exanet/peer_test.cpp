// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The model of the network interface beside a neighbour that breaks rules, repeats and refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "models/kernel/systemc_context.h"
#include "models/nic/exanet/ni.h"

namespace fabrictwin::test {
namespace {

using ::testing::HasSubstr;

constexpr nic::exanet::Node kOwn = 5;
constexpr nic::exanet::Node kPeer = 9;
constexpr uint16_t kPdid = 3;
constexpr nic::exanet::Numbering kNumbering{1, 2, 2};

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

using Verdicts = std::vector<std::pair<nic::exanet::OwnKind, nic::exanet::Verdict>>;
constexpr std::pair kAccepted{nic::exanet::OwnKind::kAck, nic::exanet::Verdict::kAccepted};

TEST_F(NiPeer, AMessageComesWithAllThatBelongsToIt) {
  make();
  peer_->send(message(7, 3).encode(kNumbering));
  run();
  ASSERT_EQ(messages_.size(), 1u);
  EXPECT_EQ(messages_[0].source, kPeer);
  EXPECT_EQ(messages_[0].interface, 3);
  EXPECT_EQ(messages_[0].channel, 17);
  EXPECT_EQ(messages_[0].sequence, 7u);
  EXPECT_EQ(messages_[0].bytes, 24);
  EXPECT_EQ(messages_[0].payload[3], std::byte{0x77});
  EXPECT_EQ(verdicts(), Verdicts{kAccepted});
  const nic::exanet::ShortPacket answer = *nic::exanet::parse_ni_packet(peer_->packets[0], kPeer).short_packet;
  EXPECT_EQ(answer.rank, 2);
  EXPECT_EQ(answer.source_rank, 1);
  EXPECT_EQ(answer.channel, 17);
  EXPECT_EQ(answer.sequence, 7u);
  EXPECT_EQ(peer_->packets[0].vc, nic::exanet::kNiAnswerVc);
}

TEST_F(NiPeer, VerdictsAreRemembered) {
  take_time_ = Time::from_us(1);
  make({.depth = 1, .enabled = 1});
  nic::exanet::ShortPacket wrong = message(2);
  wrong.pdid = 4;
  peer_->send(message(1).encode(kNumbering));
  peer_->send(message(1).encode(kNumbering));
  peer_->send(wrong.encode(kNumbering));
  peer_->send(message(2).encode(kNumbering));  // Its number has been refused.
  peer_->send(message(3, 1).encode(kNumbering));
  nic::exanet::ShortPacket other = message(1);
  other.channel = 18;
  peer_->send(other.encode(kNumbering));
  run();
  EXPECT_EQ(verdicts(), (Verdicts{kAccepted,
                                  kAccepted,
                                  {nic::exanet::OwnKind::kNack, nic::exanet::Verdict::kPdid},
                                  {nic::exanet::OwnKind::kNack, nic::exanet::Verdict::kPdid},
                                  {nic::exanet::OwnKind::kNack, nic::exanet::Verdict::kDisabled},
                                  {nic::exanet::OwnKind::kNack, nic::exanet::Verdict::kFull}}));
  EXPECT_EQ(messages_.size(), 1u);
  EXPECT_EQ(ni_->mailbox().duplicates(), 2u);
  // The slot is free again once the processor has taken the first.
  other.sequence = 2;
  peer_->send(other.encode(kNumbering));
  run();
  EXPECT_EQ(messages_.size(), 2u);
}

TEST_F(NiPeer, BadPacketsAreDroppedAndEveryWordsRoomComesBack) {
  make();
  int words = 0;
  const auto send = [&](const nic::exanet::Words& packet) {
    peer_->send(packet);
    words += packet.count;
  };
  nic::exanet::Words damaged = message(1).encode(kNumbering);
  damaged.words[2].hi ^= 1;
  send(damaged);
  nic::exanet::ShortPacket elsewhere = message(1);
  elsewhere.destination = kOwn + 1;
  send(elsewhere.encode(kNumbering));
  nic::exanet::Words torn = cell(1, 0, true).encode(kNumbering);
  --torn.count;
  send(torn);
  nic::exanet::Words bad_cell = cell(1, 0, true).encode(kNumbering);
  bad_cell.words[1].lo ^= 4;
  send(bad_cell);
  peer_->send(std::vector<link::Word>(3), 1, 0);
  words += 3;
  send(message(1).encode(kNumbering));
  run();
  EXPECT_EQ(messages_.size(), 1u);
  EXPECT_TRUE(written_.empty());
  EXPECT_EQ(peer_->credits, words);
  EXPECT_EQ(ni_->counters().packets, 1u);
  EXPECT_EQ(ni_->counters().dropped, (std::array<uint64_t, nic::exanet::kNiFaults>{1 + 3, 0, 2, 1, 0}));
}

TEST_F(NiPeer, AMessageIsSentAgainUntilItTimesOut) {
  make();
  const std::array<std::byte, 5> payload{};
  ni_->send_message(9, kPeer, 1, payload);
  run(Time::from_us(2000));
  ASSERT_EQ(peer_->packets.size(), 8u);
  for (const nic::exanet::Words& packet : peer_->packets) EXPECT_EQ(packet.words, peer_->packets[0].words);
  EXPECT_EQ(states_, std::vector{nic::exanet::MessageState::kTimedOut});
  // The next one has another number; an answer to the older is ignored, a doubled one too.
  ni_->send_message(9, kPeer, 1, payload);
  run(Time::from_us(2));
  const nic::exanet::ShortPacket sent = *nic::exanet::parse_ni_packet(peer_->packets.back(), kPeer).short_packet;
  EXPECT_EQ(sent.sequence, 2u);
  EXPECT_EQ(sent.va, 0x1000u);
  nic::exanet::ShortPacket answer = sent;
  std::swap(answer.source, answer.destination);
  answer.kind = nic::exanet::OwnKind::kNack;
  answer.va = static_cast<uint64_t>(nic::exanet::Verdict::kFull);
  answer.bytes = 0;
  answer.sequence = 1;
  peer_->send(answer.encode(kNumbering));
  answer.sequence = 2;
  peer_->send(answer.encode(kNumbering));
  peer_->send(answer.encode(kNumbering));
  run(Time::from_us(1000));
  EXPECT_EQ(states_, (std::vector{nic::exanet::MessageState::kTimedOut, nic::exanet::MessageState::kNacked}));
  EXPECT_EQ(peer_->packets.size(), 9u);
  EXPECT_TRUE(failures_.empty());
}

TEST_F(NiPeer, ABusyChannelAndABadTransferAreFailures) {
  make();
  ni_->send_message(9, kPeer, 1, {});
  ni_->send_message(9, kPeer, 1, {});
  ni_->start_transfer(2, {kPeer, 0x1001, 0x1000, 8, {}, {}});
  ni_->start_transfer(2, {kPeer, 0x1000, 0x1000, 0, {}, {}});
  run();
  ASSERT_EQ(failures_.size(), 3u);
  EXPECT_THAT(failures_[0], HasSubstr("channel 9 of the packetizer cannot send 0 bytes to node 0x9"));
  EXPECT_THAT(failures_[1], HasSubstr("RDMA channel 2 cannot start a transfer of 8 bytes"));
}

TEST_F(NiPeer, CellsAreWrittenOnceAndAnsweredAgain) {
  make();
  peer_->send(cell(1, 1, true).encode(kNumbering));
  peer_->send(cell(1, 1, true).encode(kNumbering));
  run();
  EXPECT_TRUE(rdma().empty()) << "a cell is missing";
  peer_->send(cell(1, 0, false).encode(kNumbering));
  run();
  ASSERT_EQ(rdma().size(), 1u);
  EXPECT_EQ(rdma()[0].kind, nic::exanet::Kind::kAck);
  EXPECT_EQ(rdma()[0].slot, 6);
  EXPECT_EQ(rdma()[0].attempt, 1);
  EXPECT_EQ(written_.size(), 2u * 17);
  EXPECT_EQ(written_.back().first, 0x1000u + 19);
  // Late copies: only the last cell is answered.
  peer_->send(cell(1, 0, false).encode(kNumbering));
  peer_->send(cell(1, 1, true).encode(kNumbering));
  run();
  ASSERT_EQ(rdma().size(), 2u);
  EXPECT_EQ(rdma()[1].kind, nic::exanet::Kind::kAck);
  // An older transfer is over.
  peer_->send(cell(0, 0, true).encode(kNumbering));
  run();
  ASSERT_EQ(rdma().size(), 3u);
  EXPECT_EQ(rdma()[2].kind, nic::exanet::Kind::kNack);
  EXPECT_EQ(rdma()[2].reason, nic::exanet::RdmaReason::kFailed);
  EXPECT_EQ(written_.size(), 2u * 17);
}

TEST_F(NiPeer, TransfersWithoutRightOrContextAreRefused) {
  make({}, 1);
  nic::exanet::RdmaPacket wrong = cell(1, 0, true);
  wrong.pdid = 4;
  peer_->send(wrong.encode(kNumbering));
  peer_->send(cell(1, 0, false).encode(kNumbering));
  nic::exanet::RdmaPacket other = cell(1, 0, true);
  other.channel = 5;
  peer_->send(other.encode(kNumbering));
  run();
  ASSERT_EQ(rdma().size(), 2u);
  EXPECT_EQ(rdma()[0].reason, nic::exanet::RdmaReason::kPdid);
  EXPECT_EQ(rdma()[1].reason, nic::exanet::RdmaReason::kBusy);
  // The one that has the context ends, and then there is one for the other.
  peer_->send(cell(1, 1, true).encode(kNumbering));
  run();
  peer_->send(other.encode(kNumbering));
  run();
  ASSERT_EQ(rdma().size(), 4u);
  EXPECT_EQ(rdma()[3].kind, nic::exanet::Kind::kAck);
  EXPECT_EQ(rdma()[3].channel, 5);
}

TEST_F(NiPeer, ANotificationWaitsForTheLastCell) {
  make();
  nic::exanet::RdmaPacket last = cell(1, 0, true);
  last.notify = true;
  nic::exanet::RdmaPacket notification = cell(1, 0, false);
  notification.kind = nic::exanet::Kind::kNotify;
  notification.bytes = 16;
  notification.payload[0] = {0x1122334455667788, 0x2008 | uint64_t{1} << 63};
  peer_->send(notification.encode(kNumbering));
  run();
  EXPECT_TRUE(written_.empty());
  peer_->send(last.encode(kNumbering));
  run();
  ASSERT_EQ(written_.size(), 17u + 8);
  EXPECT_EQ(written_[17], (std::pair<uint64_t, std::byte>{0x2008, std::byte{0x88}}));
  EXPECT_EQ(rdma().size(), 1u);
}

TEST_F(NiPeer, ARefusedBlockIsRepeatedAndAForbiddenOneIsAFailure) {
  make();
  ni_->start_transfer(
      3, {kPeer, 0x5008, 0x6008, 300, nic::exanet::Notification{0x7000, 1}, nic::exanet::Notification{0x8000, 1}});
  run();
  ASSERT_EQ(rdma().size(), 3u) << "a notification and cells of 248 and 52 bytes";
  const auto answer = [&](nic::exanet::RdmaReason reason) {
    nic::exanet::RdmaPacket packet = rdma().back();
    std::swap(packet.source, packet.destination);
    packet.kind = reason == nic::exanet::RdmaReason::kNone ? nic::exanet::Kind::kAck : nic::exanet::Kind::kNack;
    packet.reason = reason;
    packet.bytes = 0;
    peer_->send(packet.encode(kNumbering));
  };
  answer(nic::exanet::RdmaReason::kBusy);
  run(Time::from_us(20));
  ASSERT_EQ(rdma().size(), 6u);
  EXPECT_EQ(rdma().back().attempt, 1);
  EXPECT_EQ(ni_->rdma_sender().repeated(), 1u);
  answer(nic::exanet::RdmaReason::kPdid);
  run();
  ASSERT_EQ(failures_.size(), 1u);
  EXPECT_EQ(failures_[0], "RDMA channel 3: 300 bytes to node 0x9: that refuses the protection domain");
}

TEST_F(NiPeer, AnotherNodesReadIsServed) {
  make();
  nic::exanet::RdmaPacket request;
  request.kind = nic::exanet::Kind::kRead;
  request.source = kPeer;
  request.destination = kOwn;
  request.pdid = kPdid;
  request.channel = 0x20;
  request.transfer = 8;
  request.slot = 2;
  request.va = 0x3010;
  request.bytes = 32;
  request.payload[0] = {0xabc, 0x9000 | uint64_t{1} << 63};
  request.payload[1] = {0x4010 | uint64_t{40} << 48, 0};
  peer_->send(request.encode(kNumbering));
  peer_->send(request.encode(kNumbering));
  run();
  ASSERT_EQ(rdma().size(), 4u) << "two answers, a notification, a cell";
  int answers = 0, cells = 0;
  for (const nic::exanet::RdmaPacket& packet : rdma()) {
    if (packet.request) {
      ++answers;
      EXPECT_EQ(packet.kind, nic::exanet::Kind::kAck);
      EXPECT_EQ(packet.slot, 2);
    } else if (packet.kind == nic::exanet::Kind::kWrite) {
      ++cells;
      EXPECT_TRUE(packet.served);
      EXPECT_EQ(packet.va, 0x4010u);
      EXPECT_EQ(packet.bytes, 40);
      EXPECT_EQ(packet.payload[0].lo & 0xffff, 0x1110u);
      EXPECT_EQ(packet.peer_slot, 2);
      EXPECT_EQ(packet.slot, 15);
    }
  }
  EXPECT_EQ(answers, 2);
  EXPECT_EQ(cells, 1);
  request.transfer = 9;
  request.pdid = 1;
  peer_->send(request.encode(kNumbering));
  run();
  EXPECT_EQ(rdma().back().reason, nic::exanet::RdmaReason::kPdid);
}

TEST_F(NiPeer, NothingLeavesWithoutCreditsForAllOfIt) {
  make();
  peer_->holds_credits = true;
  ni_->start_transfer(0, {kPeer, 0, 0, 4096, {}, {}});
  run(Time::from_us(20));
  EXPECT_EQ(peer_->packets.size(), 3u) << "54 of 64 words";
  peer_->give_credits(7);
  run(Time::from_us(1));
  EXPECT_EQ(peer_->packets.size(), 3u);
  peer_->give_credits(1);
  run(Time::from_us(1));
  EXPECT_EQ(peer_->packets.size(), 4u);
}

}  // namespace
}  // namespace fabrictwin::test
