// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The model of the network interface beside a neighbour that breaks rules, repeats and refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "cosim/link/packet_mark.h"
#include "tests/models/nic/exanet/ni_peer.h"

namespace fabrictwin::test {
namespace {

using ::testing::HasSubstr;

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
  ASSERT_EQ(rdma().size(), 2u) << "a cell is missing, so the block is asked for again";
  EXPECT_EQ(rdma()[0].reason, nic::exanet::RdmaReason::kQueued);
  EXPECT_EQ(rdma()[1].reason, nic::exanet::RdmaReason::kTurn);
  peer_->send(cell(1, 0, false).encode(kNumbering));
  run();
  ASSERT_EQ(rdma().size(), 3u);
  EXPECT_EQ(rdma()[2].kind, nic::exanet::Kind::kAck);
  EXPECT_EQ(rdma()[2].slot, 6);
  EXPECT_EQ(rdma()[2].attempt, 1);
  EXPECT_EQ(written_.size(), 2u * 17);
  EXPECT_EQ(written_.back().first, 0x1000u + 19);
  // Late copies: only the last cell is answered.
  peer_->send(cell(1, 0, false).encode(kNumbering));
  peer_->send(cell(1, 1, true).encode(kNumbering));
  run();
  ASSERT_EQ(rdma().size(), 4u);
  EXPECT_EQ(rdma()[3].kind, nic::exanet::Kind::kAck);
  // An older transfer is over.
  peer_->send(cell(0, 0, true).encode(kNumbering));
  run();
  ASSERT_EQ(rdma().size(), 5u);
  EXPECT_EQ(rdma()[4].kind, nic::exanet::Kind::kNack);
  EXPECT_EQ(rdma()[4].reason, nic::exanet::RdmaReason::kFailed);
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
  EXPECT_EQ(rdma()[1].reason, nic::exanet::RdmaReason::kQueued);
  // The one that has the context ends, and then it is the turn of the other, which nobody passes.
  peer_->send(cell(1, 1, true).encode(kNumbering));
  run();
  ASSERT_EQ(rdma().size(), 4u);
  EXPECT_EQ(rdma()[2].kind, nic::exanet::Kind::kAck);
  EXPECT_EQ(rdma()[3].reason, nic::exanet::RdmaReason::kTurn);
  EXPECT_EQ(rdma()[3].channel, 5);
  nic::exanet::RdmaPacket third = cell(1, 0, true);
  third.channel = 6;
  peer_->send(third.encode(kNumbering));
  peer_->send(other.encode(kNumbering));
  run();
  ASSERT_EQ(rdma().size(), 7u);
  EXPECT_EQ(rdma()[4].reason, nic::exanet::RdmaReason::kQueued);
  EXPECT_EQ(rdma()[5].kind, nic::exanet::Kind::kAck);
  EXPECT_EQ(rdma()[5].channel, 5);
  EXPECT_EQ(rdma()[6].reason, nic::exanet::RdmaReason::kTurn);
  EXPECT_EQ(rdma()[6].channel, 6);
}

TEST_F(NiPeer, TheQueueForContextsIsBounded) {
  make({}, 1);
  peer_->send(cell(1, 0, false).encode(kNumbering));
  for (uint16_t i = 1; i <= 65; ++i) {
    nic::exanet::RdmaPacket other = cell(1, 0, true);
    other.channel = 100 + i;
    peer_->send(other.encode(kNumbering));
  }
  run();
  ASSERT_EQ(rdma().size(), 65u);
  EXPECT_EQ(rdma()[63].reason, nic::exanet::RdmaReason::kQueued);
  EXPECT_EQ(rdma()[64].reason, nic::exanet::RdmaReason::kBusy);
  EXPECT_EQ(ni_->rdma_receiver().queued(), 64u);
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
  // It waits until its turn, but not for the turn of an attempt that is over.
  answer(nic::exanet::RdmaReason::kQueued);
  run(Time::from_us(20));
  answer(nic::exanet::RdmaReason::kTurn);
  run(Time::from_us(20));
  ASSERT_EQ(rdma().size(), 9u);
  EXPECT_EQ(rdma().back().attempt, 2);
  answer(nic::exanet::RdmaReason::kPdid);
  run();
  ASSERT_EQ(failures_.size(), 1u);
  EXPECT_EQ(failures_[0], "RDMA channel 3: 300 bytes to node 0x9: that refuses the protection domain");
}

TEST_F(NiPeer, AMarkedCellIsWrittenAndCausesANotice) {
  make();
  nic::exanet::Words words = cell(1, 0, false).encode(kNumbering);
  words.words[words.count - size_t{1}].hi |= link::kMarkBit;
  peer_->send(words);
  nic::exanet::Words answer = message(7, 3).encode(kNumbering);
  answer.words[answer.count - size_t{1}].hi |= link::kMarkBit;
  peer_->send(answer);
  run();
  EXPECT_EQ(written_.size(), 17u);
  EXPECT_EQ(messages_.size(), 1u);
  ASSERT_EQ(rdma().size(), 1u) << "none of the message";
  EXPECT_EQ(rdma()[0].kind, nic::exanet::Kind::kNotice);
  EXPECT_EQ(rdma()[0].destination, kPeer);
  EXPECT_EQ(rdma()[0].transfer, 1);
  EXPECT_FALSE(rdma()[0].marked);
  EXPECT_EQ(ni_->counters().notices, 1u);
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
