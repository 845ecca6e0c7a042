// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Rings of the mailbox in the host's memory, one situation after the other.
#include <gtest/gtest.h>

#include <vector>

#include "tests/rtl/ni/ni_host.h"

namespace fabrictwin::test {
namespace {

constexpr int kPdid = 0xabcd;
constexpr int kInterface = 9;
constexpr int kBits = 2;
constexpr int kDepth = 1 << kBits;
constexpr uint64_t kBase = 0x5500000400;

class NiRing : public testing::Test {
 protected:
  NiRing() {
    for (NiHost& host : host_) {
      host.set_timeout(40, 3, 4);
      for (int i = 0; i < 8; ++i) host.enable_packetizer(i, kPdid, 3);
      host.configure_mailbox(kInterface, kPdid);
      host.wait_ready();
    }
    EXPECT_FALSE(host_[1].place_ring(kInterface, ni_ring(kBase, kBits)));
    network_.on_sent = [this](int from, const NiPacket& packet) {
      if (from == 1) verdicts_.push_back(static_cast<int>(packet.va));
    };
    memory().on_write = [this](const NiMemory::Burst& burst) { bursts_.push_back(burst); };
  }
  NiMemory& memory() { return network_.device(1).memory(); }
  std::optional<NiEntry> entry(uint64_t count) { return host_[1].memory_entry(kBase, kBits, count); }

  NiNetwork network_{1, NiStalls{}};
  NiHost host_[2] = {NiHost(network_, 0), NiHost(network_, 1)};
  std::vector<int> verdicts_;
  std::vector<NiMemory::Burst> bursts_;
  const int channel_ = 4 * 5 + 2;
};

TEST_F(NiRing, EveryLengthAndLap) {
  for (int bytes = 0; bytes <= 64; ++bytes) {
    const auto count = static_cast<uint64_t>(bytes);
    const auto data = message_data(count, bytes);
    EXPECT_FALSE(entry(count).has_value()) << "what the last lap left counts as new";
    bursts_.clear();
    ASSERT_FALSE(host_[0].send(channel_, kInterface, data));
    ASSERT_EQ(host_[0].outcome(channel_), kAcked);
    const NiEntry want{data, 3, NiNetwork::node(0), channel_, static_cast<uint32_t>(bytes + 1)};
    EXPECT_EQ(entry(count), want);
    // The description follows the data.
    const uint64_t slot = kBase + count % kDepth * 128;
    ASSERT_EQ(bursts_.size(), bytes > 0 ? 2u : 1u);
    if (bytes > 0) {
      EXPECT_EQ(bursts_[0].address, slot);
      EXPECT_EQ(bursts_[0].words, (bytes + 15) / 16);
    }
    EXPECT_EQ(bursts_.back().address, slot + 64);
    EXPECT_EQ(bursts_.back().words, 1);
    for (const NiMemory::Burst& burst : bursts_) EXPECT_EQ(burst.user, static_cast<uint32_t>(kPdid));
    ASSERT_EQ(host_[1].tail(kInterface), (bytes + 1) % (2 * kDepth));
    host_[1].set_head(kInterface, (bytes + 1) % (2 * kDepth));
  }
  EXPECT_EQ(network_.counter(1, kCountAccepted), 65u);
}

TEST_F(NiRing, CarriesTheRankOfTheDestination) {
  ASSERT_FALSE(host_[0].send(channel_, kInterface, message_data(1, 8), 5));
  ASSERT_EQ(host_[0].outcome(channel_), kAcked);
  ASSERT_EQ(bursts_.size(), 2u);
  EXPECT_EQ(bursts_[0].user, 5u << 16 | kPdid);
}

TEST_F(NiRing, AnswersWhenTheMemoryHas) {
  memory().hold_answers(true);
  ASSERT_FALSE(host_[0].send(channel_, kInterface, message_data(1, 20)));
  network_.run(200);
  EXPECT_EQ(memory().unanswered(), 2u);
  EXPECT_EQ(host_[0].state(channel_), kOngoing);
  EXPECT_TRUE(verdicts_.empty());
  EXPECT_EQ(network_.counter(1, kCountAccepted), 0u);
  memory().hold_answers(false);
  EXPECT_EQ(host_[0].outcome(channel_), kAcked);
  EXPECT_EQ(network_.counter(1, kCountAccepted), 1u);
}

TEST_F(NiRing, CopiesWaitForTheFirst) {
  memory().hold_answers(true);
  ASSERT_FALSE(host_[0].send(channel_, kInterface, message_data(1, 20)));
  network_.run(2 * 40 * 16 + 600);  // Two copies follow.
  EXPECT_EQ(network_.counter(0, kCountRetransmitted), 2u);
  EXPECT_EQ(memory().unanswered(), 2u) << "a copy was written";
  EXPECT_EQ(network_.counter(1, kCountNoAnswerRoom), 2u);
  memory().hold_answers(false);
  EXPECT_EQ(host_[0].outcome(channel_), kAcked);
  EXPECT_EQ(host_[1].tail(kInterface), 1);
  EXPECT_EQ(network_.counter(1, kCountDuplicate), 0u);
}

TEST_F(NiRing, NackWhenFullAndSpaceAfterTheHead) {
  for (int k = 0; k < kDepth; ++k) {
    ASSERT_FALSE(host_[0].send(channel_, kInterface, message_data(static_cast<uint64_t>(k), 8)));
    ASSERT_EQ(host_[0].outcome(channel_), kAcked);
  }
  ASSERT_FALSE(host_[0].send(channel_, kInterface, message_data(99, 8)));
  EXPECT_EQ(host_[0].outcome(channel_), kNacked);
  EXPECT_EQ(verdicts_.back(), kVerdictFull);
  host_[1].set_head(kInterface, 1);
  ASSERT_FALSE(host_[0].send(channel_, kInterface, message_data(100, 8)));
  EXPECT_EQ(host_[0].outcome(channel_), kAcked);
  ASSERT_TRUE(entry(kDepth).has_value());
  EXPECT_EQ(entry(kDepth)->data, message_data(100, 8));
}

TEST_F(NiRing, TellsEntriesIfAsked) {
  std::vector<int> events;
  network_.on_event = [&events](int, int interface_number) { events.push_back(interface_number); };
  ASSERT_FALSE(host_[0].send(channel_, kInterface, message_data(1, 8)));
  ASSERT_EQ(host_[0].outcome(channel_), kAcked);
  EXPECT_TRUE(events.empty());
  EXPECT_FALSE(host_[1].place_ring(kInterface, ni_ring(kBase, kBits, true)));
  memory().hold_answers(true);
  ASSERT_FALSE(host_[0].send(channel_, kInterface, message_data(2, 8)));
  network_.run(100);
  EXPECT_TRUE(events.empty()) << "told before it was written";
  memory().hold_answers(false);
  ASSERT_EQ(host_[0].outcome(channel_), kAcked);
  EXPECT_EQ(events, std::vector<int>{kInterface});
}

// The first write of an entry, or the second, is refused.
TEST_F(NiRing, RefusedByTheMemory) {
  for (const uint64_t offset : {uint64_t{0}, uint64_t{64}}) {
    verdicts_.clear();
    EXPECT_FALSE(host_[1].place_ring(kInterface, ni_ring(kBase, kBits)));
    memory().fault = [offset](const NiMemory::Burst& burst) { return burst.address == kBase + 128 + offset; };
    memory().hold_answers(true);
    // Three on their way: the second is refused, and with it the third.
    for (int k = 0; k < 3; ++k)
      ASSERT_FALSE(host_[0].send(4 * k, kInterface, message_data(static_cast<uint64_t>(k), 24)));
    network_.run(100);
    memory().hold_answers(false);
    EXPECT_EQ(host_[0].outcome(0), kAcked);
    EXPECT_EQ(host_[0].outcome(4), kNacked);
    EXPECT_EQ(host_[0].outcome(8), kNacked);
    EXPECT_EQ(verdicts_, (std::vector<int>{kVerdictAccepted, kVerdictMemory, kVerdictMemory}));
    EXPECT_NE(network_.read(1, ni_ring_address(kInterface)) & kNiRingBroken, 0u);
    // So is whatever comes, until the ring is placed anew.
    memory().fault = [](const NiMemory::Burst&) { return false; };
    ASSERT_FALSE(host_[0].send(12, kInterface, message_data(3, 8)));
    EXPECT_EQ(host_[0].outcome(12), kNacked);
    EXPECT_EQ(verdicts_.back(), kVerdictMemory);
    EXPECT_FALSE(host_[1].place_ring(kInterface, ni_ring(kBase + 0x8000, kBits)));
    EXPECT_EQ(network_.read(1, ni_ring_address(kInterface)), ni_ring(kBase + 0x8000, kBits));
    EXPECT_EQ(host_[1].tail(kInterface), 0);
    ASSERT_FALSE(host_[0].send(12, kInterface, message_data(4, 8)));
    EXPECT_EQ(host_[0].outcome(12), kAcked);
    const auto first = host_[1].memory_entry(kBase + 0x8000, kBits, 0);
    ASSERT_TRUE(first.has_value() || offset != 0);
    if (first.has_value()) EXPECT_EQ(first->data, message_data(4, 8));
  }
  EXPECT_EQ(network_.counter(1, kCountNackMemory), 6u);
}

// As many as can wait for the memory; the next is dropped, and sent again.
TEST_F(NiRing, DropsWhatTheMemoryIsTooSlowFor) {
  constexpr int kWrites = 32 < kNiAnswerDepth ? 32 : kNiAnswerDepth;
  host_[0].set_timeout(100, 7, 4);
  for (int i = 0; i < 16; ++i) host_[0].enable_packetizer(i, kPdid);
  EXPECT_FALSE(host_[1].place_ring(kInterface, ni_ring(0x10000, 8)));
  memory().hold_answers(true);
  for (int c = 0; c < kWrites + 2; ++c)
    ASSERT_FALSE(host_[0].send(c, kInterface, message_data(static_cast<uint64_t>(c), 64)));
  network_.run(200);
  EXPECT_EQ(memory().unanswered(), 2u * kWrites);
  EXPECT_GE(network_.counter(1, kCountNoAnswerRoom), 2u);
  memory().hold_answers(false);
  for (int c = 0; c < kWrites + 2; ++c) EXPECT_EQ(host_[0].outcome(c), kAcked);
  for (uint64_t k = 0; k < kWrites + 2; ++k) {
    const auto read = host_[1].memory_entry(0x10000, 8, k);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->data, message_data(static_cast<uint64_t>(read->channel), 64));
  }
  EXPECT_EQ(network_.counter(1, kCountAccepted), static_cast<uint64_t>(kWrites) + 2);
}

TEST_F(NiRing, RefusesRingsThatCannotBe) {
  const uint64_t good = ni_ring(kBase, kBits);
  const auto refused = [this](uint64_t value) { return host_[1].place_ring(kInterface, value); };
  EXPECT_TRUE(refused(ni_ring(kBase, 0))) << "one entry";
  EXPECT_TRUE(refused(ni_ring(kBase, 13)));
  EXPECT_TRUE(refused(ni_ring(kBase + 0x80, kBits))) << "not aligned to its size";
  EXPECT_TRUE(refused(good | 8)) << "not aligned to an entry";
  EXPECT_TRUE(refused(good | uint64_t{1} << 43)) << "a bit that is reserved";
  EXPECT_EQ(network_.read(1, ni_ring_address(kInterface)), good) << "what was refused changes nothing";
  EXPECT_FALSE(refused(ni_ring(0, 12)));
  EXPECT_EQ(network_.read(1, ni_ring_address(kInterface)), ni_ring(0, 12));
}

TEST_F(NiRing, EntriesInMemoryHaveNoRegisters) {
  bool failed = false;
  network_.device(1).read(ni_entry_address(kInterface, 0, 0), [&failed](uint64_t, bool error) { failed = error; });
  network_.finish_host(1);
  EXPECT_TRUE(failed);
}

TEST_F(NiRing, GoesBackToBlockRam) {
  ASSERT_FALSE(host_[0].send(channel_, kInterface, message_data(1, 8)));
  ASSERT_EQ(host_[0].outcome(channel_), kAcked);
  EXPECT_FALSE(host_[1].place_ring(kInterface, 0));
  EXPECT_EQ(host_[1].tail(kInterface), 0);
  bursts_.clear();
  ASSERT_FALSE(host_[0].send(channel_, kInterface, message_data(2, 8)));
  ASSERT_EQ(host_[0].outcome(channel_), kAcked);
  EXPECT_TRUE(bursts_.empty());
  EXPECT_EQ(host_[1].entry(kInterface, 0).data, message_data(2, 8));
}

// What is in flight has been remembered when a node is forgotten, and is forgotten with the rest.
TEST_F(NiRing, ForgettingWaitsForEntriesInFlight) {
  memory().hold_answers(true);
  ASSERT_FALSE(host_[0].send(channel_, kInterface, message_data(1, 8)));
  network_.run(100);
  bool done = false;
  network_.device(1).write(kNiForgetAddress, NiNetwork::node(0), [&done](uint64_t, bool error) {
    EXPECT_FALSE(error);
    done = true;
  });
  network_.run(100);
  EXPECT_FALSE(done);
  memory().hold_answers(false);
  network_.finish_host(1);
  EXPECT_TRUE(done);
  EXPECT_EQ(host_[0].outcome(channel_), kAcked);
  // A node that was reset sends the same number again: it is new.
  host_[1].wait_ready();
  std::vector<NiPacket> copies;
  network_.on_sent = [&copies](int from, const NiPacket& packet) {
    if (from == 0) copies.push_back(packet);
  };
  NiPacket again;
  again.kind = kKindMessage;
  again.source = NiNetwork::node(0);
  again.source_rank = 3;
  again.destination = NiNetwork::node(1);
  again.pdid = kPdid;
  again.va = mailbox_va(kInterface);
  again.sequence = 1;
  again.channel = channel_;
  again.data = message_data(2, 8);
  network_.inject(1, ni_frame(again.words(), 0));
  network_.run(100);
  ASSERT_TRUE(entry(1).has_value());
  EXPECT_EQ(entry(1)->data, message_data(2, 8));
}

}  // namespace
}  // namespace fabrictwin::test
