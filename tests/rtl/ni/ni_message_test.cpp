// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Packetizer and mailbox, one situation after the other.
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "tests/rtl/ni/ni_host.h"

namespace fabrictwin::test {
namespace {

constexpr int kPdid = 0xabcd;

class NiMessage : public testing::Test {
 protected:
  NiMessage() {
    for (int d = 0; d < 2; ++d) {
      host_[d].set_timeout(40, 3, 4);
      host_[d].enable_packetizer(5, kPdid, 3);
      host_[d].configure_mailbox(9, kPdid);
      host_[d].wait_ready();
    }
  }
  NiNetwork network_{1, NiStalls{}};
  NiHost host_[2] = {NiHost(network_, 0), NiHost(network_, 1)};
  const int channel_ = 4 * 5 + 2;
};

TEST_F(NiMessage, ArrivesWholeWithEverySize) {
  for (int bytes = 0; bytes <= 64; ++bytes) {
    const auto data = message_data(static_cast<uint64_t>(bytes), bytes);
    ASSERT_FALSE(host_[0].send(channel_, 9, data));
    ASSERT_EQ(host_[0].outcome(channel_), kAcked);
    ASSERT_EQ(host_[1].tail(9), (bytes + 1) % (2 * kNiMailboxDepth)) << "ring pointers wrap at twice the depth";
    const NiEntry want{data, 3, NiNetwork::node(0), channel_, static_cast<uint32_t>(bytes + 1)};
    EXPECT_EQ(host_[1].entry(9, bytes % kNiMailboxDepth), want);
    host_[1].set_head(9, (bytes + 1) % (2 * kNiMailboxDepth));
  }
  EXPECT_EQ(network_.counter(0, kCountSent), 65u);
  EXPECT_EQ(network_.counter(0, kCountAcked), 65u);
  EXPECT_EQ(network_.counter(1, kCountAccepted), 65u);
  EXPECT_EQ(network_.counter(0, kCountRetransmitted), 0u);
}

TEST_F(NiMessage, ATickThatChangesMovesNoDeadline) {
  // 200 ticks, of which half are over when a tick becomes 16 times as short, or as long.
  for (const auto& [before, after] : {std::pair(4, 0), std::pair(0, 4)}) {
    network_.run(5000);
    host_[0].set_timeout(200, 0, static_cast<uint64_t>(before));
    network_.fate = [](int, const NiPacket&) { return NiFate{.drop = true}; };
    ASSERT_FALSE(host_[0].send(channel_, 9, message_data(1, 8)));
    network_.run(100 << before);
    host_[0].set_timeout(200, 0, static_cast<uint64_t>(after));
    network_.run((70 << after) - 10);
    EXPECT_EQ(host_[0].state(channel_), kOngoing) << before << " to " << after;
    network_.run((40 << after) + 300);
    EXPECT_EQ(host_[0].state(channel_), kTimedOut) << before << " to " << after;
  }
}

TEST_F(NiMessage, EveryChannelOfEveryInterface) {
  std::set<int> seen;
  for (int i = 0; i < 64; ++i) {
    host_[0].enable_packetizer(i, 100 + i);
    host_[1].configure_mailbox(63 - i, 100 + i);
  }
  network_.on_delivered = [&seen](int to, const NiPacket& packet) {
    if (to == 1) seen.insert(packet.channel);
  };
  for (int c = 0; c < 256; ++c) ASSERT_FALSE(host_[0].send(c, 63 - c / 4, message_data(static_cast<uint64_t>(c), 40)));
  for (int c = 0; c < 256; ++c) ASSERT_EQ(host_[0].outcome(c), kAcked);
  EXPECT_EQ(seen.size(), 256u);
  for (int i = 0; i < 64; ++i) {
    ASSERT_EQ(host_[1].tail(i), 4);
    for (int slot = 0; slot < 4; ++slot) {
      const NiEntry entry = host_[1].entry(i, slot);
      EXPECT_EQ(entry.channel, 4 * (63 - i) + slot);
      EXPECT_EQ(entry.data, message_data(static_cast<uint64_t>(entry.channel), 40));
    }
  }
}

// The reference makes all of the header from the numbers of both nodes, the bits that choose among ways as well.
TEST_F(NiMessage, NamesAnyDestination) {
  host_[0].set_timeout(4, 0, 4);
  std::vector<uint32_t> seen;
  network_.fate = [](int, const NiPacket&) { return NiFate{.drop = true}; };
  network_.on_sent = [&seen](int from, const NiPacket& packet) {
    if (from == 0) seen.push_back(packet.destination);
  };
  for (uint32_t bit = 0; bit < 22; ++bit) {
    for (const uint32_t destination : {1u << bit, 0x3fffffu ^ 1u << bit}) {
      const uint64_t address = uint64_t{destination} << 42 | mailbox_va(9);
      ASSERT_FALSE(network_.write(0, ni_channel_address(channel_, 8), address));
      seen.clear();
      ASSERT_FALSE(host_[0].ring(channel_, 0));
      ASSERT_EQ(host_[0].outcome(channel_), kTimedOut);
      EXPECT_EQ(seen, std::vector<uint32_t>{destination});
    }
  }
}

TEST_F(NiMessage, RefusesDoorbells) {
  network_.fate = [](int, const NiPacket&) { return NiFate{.drop = true}; };
  EXPECT_TRUE(host_[0].ring(channel_, 65)) << "too long";
  EXPECT_TRUE(host_[0].ring(4 * 6, 8)) << "interface not enabled";
  EXPECT_EQ(host_[0].state(channel_), kIdle);
  EXPECT_FALSE(host_[0].send(channel_, 9, message_data(1, 8)));
  EXPECT_TRUE(host_[0].ring(channel_, 8)) << "ongoing";
  EXPECT_EQ(network_.counter(0, kCountRefused), 3u);
}

TEST_F(NiMessage, AnswersErrorsOfTheHost) {
  EXPECT_TRUE(network_.write(0, ni_channel_address(channel_, 10), 1)) << "no such register";
  EXPECT_TRUE(network_.write(0, ni_channel_address(channel_, 0), 1, 0x0f)) << "partial strobes";
  EXPECT_TRUE(network_.write(1, ni_tail_address(9), 1)) << "the tail is not the host's";
  EXPECT_EQ(host_[1].tail(9), 0);
  EXPECT_TRUE(network_.write(1, ni_entry_address(9, 0, 0), 1)) << "entries are read-only";
  EXPECT_TRUE(network_.write(1, kNiStatusAddress, 1));
  bool failed = false;
  network_.device(1).read(ni_entry_address(9, 0, 9), [&failed](uint64_t, bool error) { failed = error; });
  network_.finish_host(1);
  EXPECT_TRUE(failed);
  EXPECT_EQ(network_.read(0, kNiStatusAddress) & 0x3fffff, NiNetwork::node(0));
  EXPECT_EQ(network_.read(0, kNiStatusAddress) >> 32, 0x4e490001u);
  EXPECT_EQ(network_.read(0, kNiTimeoutAddress), 40u | 3u << 16 | 4u << 20);
}

TEST_F(NiMessage, NackForTheWrongDomain) {
  host_[1].configure_mailbox(9, kPdid + 1);
  ASSERT_FALSE(host_[0].send(channel_, 9, message_data(1, 8)));
  EXPECT_EQ(host_[0].outcome(channel_), kNacked);
  EXPECT_EQ(host_[1].tail(9), 0);
  EXPECT_EQ(network_.counter(1, kCountNackPdid), 1u);
  EXPECT_EQ(network_.counter(0, kCountNacked), 1u);
}

TEST_F(NiMessage, NackForADisabledMailbox) {
  ASSERT_FALSE(host_[0].send(channel_, 10, message_data(1, 8)));
  EXPECT_EQ(host_[0].outcome(channel_), kNacked);
  EXPECT_EQ(network_.counter(1, kCountNackDisabled), 1u);
}

TEST_F(NiMessage, NackForAFullRingAndRoomAgainAfterTheHead) {
  std::vector<int> reasons;
  network_.on_sent = [&reasons](int from, const NiPacket& packet) {
    if (from == 1 && packet.kind == kKindNack) reasons.push_back(static_cast<int>(packet.va));
  };
  for (int k = 0; k < kNiMailboxDepth; ++k) {
    ASSERT_FALSE(host_[0].send(channel_, 9, message_data(static_cast<uint64_t>(k), 8)));
    ASSERT_EQ(host_[0].outcome(channel_), kAcked);
  }
  ASSERT_FALSE(host_[0].send(channel_, 9, message_data(99, 8)));
  EXPECT_EQ(host_[0].outcome(channel_), kNacked);
  EXPECT_EQ(reasons, std::vector<int>{kVerdictFull});
  EXPECT_EQ(host_[1].tail(9), kNiMailboxDepth);
  for (int k = 0; k < kNiMailboxDepth; ++k)
    EXPECT_EQ(host_[1].entry(9, k).data, message_data(static_cast<uint64_t>(k), 8));
  host_[1].set_head(9, 1);
  ASSERT_FALSE(host_[0].send(channel_, 9, message_data(100, 8)));
  EXPECT_EQ(host_[0].outcome(channel_), kAcked);
  EXPECT_EQ(host_[1].entry(9, 0).data, message_data(100, 8));
}

TEST_F(NiMessage, LostMessageIsSentAgain) {
  int lost = 0;
  network_.fate = [&lost](int from, const NiPacket&) { return NiFate{.drop = from == 0 && ++lost <= 2}; };
  std::vector<int64_t> times;
  network_.on_sent = [&](int from, const NiPacket&) {
    if (from == 0) times.push_back(network_.now());
  };
  ASSERT_FALSE(host_[0].send(channel_, 9, message_data(1, 20)));
  EXPECT_EQ(host_[0].outcome(channel_), kAcked);
  EXPECT_EQ(network_.counter(0, kCountRetransmitted), 2u);
  EXPECT_EQ(host_[1].tail(9), 1);
  ASSERT_EQ(times.size(), 3u);
  for (size_t k = 1; k < 3; ++k) {
    // The last tick counts in part; the timer looks at each channel once in 256 cycles, or later by what else happens.
    EXPECT_GE(times[k] - times[k - 1], 39 * 16);
    EXPECT_LE(times[k] - times[k - 1], 40 * 16 + 256 + 64);
  }
}

TEST_F(NiMessage, LostAckMakesADuplicateThatIsNotDelivered) {
  int lost = 0;
  network_.fate = [&lost](int from, const NiPacket&) { return NiFate{.drop = from == 1 && ++lost <= 2}; };
  ASSERT_FALSE(host_[0].send(channel_, 9, message_data(1, 20)));
  EXPECT_EQ(host_[0].outcome(channel_), kAcked);
  EXPECT_EQ(host_[1].tail(9), 1);
  EXPECT_EQ(network_.counter(1, kCountAccepted), 1u);
  EXPECT_EQ(network_.counter(1, kCountDuplicate), 2u);
}

TEST_F(NiMessage, NackIsRemembered) {
  // The first copy finds the ring full; its nack is lost; when the second comes there is room. It must not be
  // delivered, since a late nack could still tell the sender otherwise.
  for (int k = 0; k < kNiMailboxDepth; ++k) {
    ASSERT_FALSE(host_[0].send(channel_, 9, message_data(1, 8)));
    ASSERT_EQ(host_[0].outcome(channel_), kAcked);
  }
  bool lost = false;
  network_.fate = [&lost](int from, const NiPacket&) {
    const bool drop = from == 1 && !lost;
    lost = lost || drop;
    return NiFate{.drop = drop};
  };
  ASSERT_FALSE(host_[0].send(channel_, 9, message_data(2, 8)));
  network_.run(200);
  ASSERT_TRUE(lost);
  host_[1].set_head(9, kNiMailboxDepth);
  EXPECT_EQ(host_[0].outcome(channel_), kNacked);
  EXPECT_EQ(host_[1].tail(9), kNiMailboxDepth);
  EXPECT_EQ(network_.counter(1, kCountDuplicate), 1u);
}

TEST_F(NiMessage, TimesOutAfterTheLastRetryAndIgnoresTheLateAck) {
  std::optional<NiPacket> ack;
  network_.fate = [](int from, const NiPacket&) { return NiFate{.drop = from == 1}; };
  network_.on_sent = [&ack](int from, const NiPacket& packet) {
    if (from == 1) ack = packet;
  };
  ASSERT_FALSE(host_[0].send(channel_, 9, message_data(1, 20)));
  EXPECT_EQ(host_[0].outcome(channel_), kTimedOut);
  EXPECT_EQ(network_.counter(0, kCountSent), 4u);
  EXPECT_EQ(network_.counter(0, kCountTimedOut), 1u);
  ASSERT_TRUE(ack.has_value());
  EXPECT_EQ(ack->kind, kKindAck);
  network_.inject(0, ni_frame(ack->words(), 0));
  ASSERT_TRUE(network_.drain());
  EXPECT_EQ(host_[0].state(channel_), kTimedOut);
  EXPECT_EQ(network_.counter(0, kCountIgnored), 1u);
  // The channel works on; the late ack of the message before does nothing to the next.
  ASSERT_FALSE(host_[0].send(channel_, 9, message_data(2, 20)));
  network_.inject(0, ni_frame(ack->words(), 1));
  network_.run(100);
  EXPECT_EQ(host_[0].state(channel_), kOngoing);
  EXPECT_EQ(network_.counter(0, kCountIgnored), 2u);
  network_.fate = [](int, const NiPacket&) { return NiFate{}; };
  EXPECT_EQ(host_[0].outcome(channel_), kAcked);
  EXPECT_EQ(host_[1].tail(9), 2);
}

TEST_F(NiMessage, DuplicatedPacketsAndAcks) {
  network_.fate = [](int, const NiPacket&) { return NiFate{.copies = 3}; };
  ASSERT_FALSE(host_[0].send(channel_, 9, message_data(1, 20)));
  EXPECT_EQ(host_[0].outcome(channel_), kAcked);
  ASSERT_TRUE(network_.drain());
  EXPECT_EQ(host_[1].tail(9), 1);
  EXPECT_EQ(network_.counter(1, kCountDuplicate), 2u);
  EXPECT_EQ(network_.counter(0, kCountAcked), 1u);
  EXPECT_EQ(network_.counter(0, kCountIgnored), 8u);
}

TEST_F(NiMessage, AnswersPassWhileMessagesLackCredits) {
  network_.set_credits_flow(false);
  const int words = 7;
  for (int c = 0; c < 6; ++c) host_[1].enable_packetizer(c, kPdid);
  // Device 1 uses up its credits for messages, which nobody takes.
  network_.fate = [](int from, const NiPacket& packet) {
    return NiFate{.drop = from == 1 && packet.kind == kKindMessage};
  };
  for (int c = 0; c < 4 + kNiBufferWords / words; ++c) host_[1].send(c, 9, message_data(1, 64));
  network_.run(100);
  EXPECT_GT(network_.stall_cycles(1), 0);
  // Its answers have credits of their own.
  ASSERT_FALSE(host_[0].send(channel_, 9, message_data(1, 20)));
  EXPECT_EQ(host_[0].outcome(channel_), kAcked);
  EXPECT_EQ(network_.counter(0, kCountRetransmitted), 0u);
  network_.set_credits_flow(true);
  ASSERT_TRUE(network_.drain());
}

TEST_F(NiMessage, MessagesWithoutPlaceForTheAnswerAreDroppedAndComeAgain) {
  host_[0].set_timeout(400, 15, 4);
  host_[0].enable_packetizer(0, kPdid);
  network_.set_credits_flow(false);
  // No credits: the answers of device 1 stay in its queue, which overflows.
  int copies = 0;
  network_.fate = [&copies](int from, const NiPacket&) {
    if (from != 0) return NiFate{};
    ++copies;
    return NiFate{.copies = kNiBufferWords / 3 + kNiAnswerDepth + 5};
  };
  ASSERT_FALSE(host_[0].send(0, 9, message_data(1, 4)));
  network_.run(3000);
  EXPECT_EQ(network_.counter(1, kCountNoAnswerRoom), 5u) << "as many answers left as there were credits for";
  EXPECT_EQ(network_.room(1, 0), kNiBufferWords) << "the port must not wait for the answers";
  network_.set_credits_flow(true);
  EXPECT_EQ(host_[0].outcome(0), kAcked);
  ASSERT_TRUE(network_.drain());
  EXPECT_EQ(host_[1].tail(9), 1);
}

TEST_F(NiMessage, ForgetsAResetNode) {
  ASSERT_FALSE(host_[0].send(channel_, 9, message_data(1, 20)));
  ASSERT_EQ(host_[0].outcome(channel_), kAcked);
  // A node that begins anew uses sequence number 1 again.
  NiPacket packet;
  packet.kind = kKindMessage;
  packet.source = NiNetwork::node(0);
  packet.destination = NiNetwork::node(1);
  packet.pdid = kPdid;
  packet.va = mailbox_va(9);
  packet.channel = channel_;
  packet.sequence = 1;
  network_.inject(1, ni_frame(packet.words(), 0));
  ASSERT_TRUE(network_.drain());
  EXPECT_EQ(host_[1].tail(9), 1) << "a duplicate";
  EXPECT_FALSE(network_.write(1, kNiForgetAddress, NiNetwork::node(0)));
  network_.inject(1, ni_frame(packet.words(), 0));
  ASSERT_TRUE(network_.drain());
  EXPECT_EQ(network_.counter(1, kCountClearing), 1u) << "dropped while the memory is cleared";
  host_[1].wait_ready();
  network_.inject(1, ni_frame(packet.words(), 0));
  ASSERT_TRUE(network_.drain());
  EXPECT_EQ(host_[1].tail(9), 2);
}

}  // namespace
}  // namespace fabrictwin::test
