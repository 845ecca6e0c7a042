// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the RDMA unit does when it is pressed: all channels at once, full queues, streams that stand still, and packets
// that are anything.
#include <gtest/gtest.h>

#include <set>

#include "tests/rtl/rdma/rdma_unit_fixture.h"

namespace fabrictwin::test {
namespace {

TEST_F(RdmaUnit, AllChannelsAtOnceInTurn) {
  std::vector<int> pages;
  net.monitor = [&](const RdmaPacket& p) {
    if (p.kind == RdmaPacket::kWrite && !p.served) pages.push_back(static_cast<int>(p.channel >> 6));
  };
  for (int p = 0; p < 16; ++p) {
    net.node(0).set_page(p, kPdid);
    net.node(1).set_page(p, kPdid);
  }
  // The first eight hold the slots until all others wait.
  net.block(0, 1);
  std::vector<Transfer> all;
  for (int p = 0; p < 16; ++p) {
    for (int c = 0; c < 64; ++c) {
      Transfer t = c < 32 ? write(64) : read(64);
      t.page = p;
      t.channel = c % 32;
      t.notify = t.local_notify = false;
      t.local += 0x1000 + 64 * (64 * p + c);
      t.remote += 0x1000 + 64 * (64 * p + c);
      fill(t);
      all.push_back(t);
      net.node(0).start(t);
    }
  }
  ASSERT_TRUE(net.run_until([&] { return net.node(0).host_idle(); }, 50000));
  net.block(0, 0);
  for (const Transfer& t : all) EXPECT_EQ(net.finish(0, t, 200000), Code::kDone);
  for (const Transfer& t : all) {
    for (uint32_t i = 0; i < t.length; ++i)
      ASSERT_EQ(destination(t).bytes().read(t.destination() + i), source(t).bytes().read(t.source() + i));
  }
  // After the head start of the first page: each page in each round.
  ASSERT_GE(pages.size(), 512u);
  for (size_t round = 2; round < 20; ++round) {
    const std::set<int> seen(pages.begin() + 16 * static_cast<int64_t>(round),
                             pages.begin() + 16 * static_cast<int64_t>(round) + 16);
    EXPECT_GE(seen.size(), 12u) << "round " << round;
  }
}

TEST_F(RdmaUnit, MoreReadsThanPlaces) {
  net.node(0).configure(400, 20, 15, 6400);
  // Reads that take long, as their data cannot leave.
  for (int c = 0; c < 8; ++c) {
    Transfer t = read(3000);
    t.channel = c;
    t.notify = t.local_notify = false;
    net.node(0).start(t);
  }
  net.block(1, 1);
  net.run(1500);
  // The ninth request, from a node that does not exist, finds no slot.
  RdmaPacket nack;
  net.monitor = [&](const RdmaPacket& p) { nack = p; };
  RdmaPacket request;
  request.kind = RdmaPacket::kRead;
  request.source = 9;
  request.destination = 2;
  request.bytes = 32;
  request.pdid = kPdid;
  request.va = kSource;
  request.payload = {make_word(0, 0), make_word(kDestination | uint64_t{64} << 48, 0)};
  net.inject(1, request.encode());
  net.run(200);
  EXPECT_EQ(nack.kind, RdmaPacket::kNack);
  EXPECT_EQ(nack.reason, 3u);
  net.monitor = {};
  net.block(1, 0);
  for (int c = 0; c < 8; ++c) {
    Transfer t = read(3000);
    t.channel = c;
    EXPECT_EQ(net.finish(0, t, 200000), Code::kDone);
  }
}

TEST_F(RdmaUnit, AnswersPassBlockedRequests) {
  // Neither node gets a data packet out for a while, yet what was sent before is acknowledged.
  Transfer t = write(200);
  fill(t);
  net.node(0).start(t);
  ASSERT_TRUE(net.run_until([&] { return notified == 1; }, 2000));
  Transfer back = write(50000);
  back.node = 1;
  net.node(1).start(back);
  net.block(0, 1);
  net.block(1, 1);
  EXPECT_EQ(net.finish(0, t, 2000), Code::kDone);
  net.block(0, 0);
  net.block(1, 0);
  net.run(20000);
  expect_works();
}

TEST_F(RdmaUnit, BlockedAnswersNeverBlockWhatComesIn) {
  net.node(0).configure(400, 20, 15, 6400);
  net.block(1, 2);
  std::vector<Transfer> all;
  for (int c = 0; c < 32; ++c) {
    Transfer t = write(64);
    t.channel = c;
    t.notify = t.local_notify = false;
    all.push_back(t);
    net.node(0).start(t);
  }
  // Many times the 32 acks that can wait.
  net.run(60000);
  EXPECT_GT(count(1, Counter::kAnswersLost), 0u);
  net.block(1, 0);
  for (const Transfer& t : all) EXPECT_EQ(net.finish(0, t, 200000), Code::kDone);
}

TEST_F(RdmaUnit, AcksPassAFrozenMemory) {
  const Transfer t = write(20000);
  fill(t);
  net.node(0).start(t);
  ASSERT_TRUE(net.run_until([&] { return net.node(0).memory.max_reads() == 8; }, 2000));
  net.run(1100);
  // All is read; now the memory takes nothing, and data for it come in.
  net.node(0).memory.set_frozen(true);
  Transfer back = write(2000);
  back.node = 1;
  net.node(1).start(back);
  net.run(600);
  EXPECT_EQ(count(0, Counter::kTimeouts), 0u);
  net.node(0).memory.set_frozen(false);
  EXPECT_EQ(net.finish(0, t, 20000), Code::kDone);
  EXPECT_TRUE(arrived(t));
}

TEST_F(RdmaUnit, NoiseIsDroppedAndCounted) {
  RandomSource noise(8);
  for (int i = 0; i < 3000; ++i) {
    std::vector<FlitWord> words(1 + noise.below(22));
    for (FlitWord& word : words) {
      for (uint32_t& part : word.data) part = static_cast<uint32_t>(noise.next());
      word.sop = noise.percent(10);
      word.eop = noise.percent(10);
    }
    words.front().sop = noise.percent(80);
    words.back().eop = noise.percent(80);
    if (noise.percent(70)) {
      // A header that could be.
      const uint64_t bytes = noise.below(280);
      const uint64_t kind = noise.below(64);
      words.front().data = make_word(uint64_t{1} << 24 | bytes << 48 | kind << 58, noise.next() << 24 | 2);
    }
    net.inject(0, words);
  }
  net.run(60000);
  EXPECT_GT(count(0, Counter::kMalformed), 3000u);
  expect_works();
}

TEST_F(RdmaUnit, PacketsThatNobodySent) {
  // Their CRC is right and their fields are anything: nothing may be written and nothing may stop.
  RandomSource noise(9);
  for (int i = 0; i < 4000; ++i) {
    RdmaPacket p;
    p.kind = static_cast<int>(noise.between(1, 5));
    p.source = static_cast<uint32_t>(noise.between(1, 5));
    p.destination = 1;
    p.bytes = static_cast<uint32_t>(noise.percent(50) ? (p.kind == RdmaPacket::kRead     ? 32
                                                         : p.kind == RdmaPacket::kNotify ? 16
                                                         : p.kind == RdmaPacket::kWrite  ? noise.below(257)
                                                                                         : 0)
                                                      : noise.below(257));
    p.payload.resize((p.bytes + 15) / 16);
    p.channel = static_cast<uint32_t>(noise.below(1024));
    p.transfer = static_cast<uint32_t>(noise.below(4096));
    p.index = static_cast<uint32_t>(noise.below(128));
    p.slot = static_cast<uint32_t>(noise.below(16));
    p.served = noise.percent(50);
    p.last_cell = noise.percent(50);
    p.early = noise.percent(50);
    p.notify = noise.percent(50);
    p.request = noise.percent(50);
    p.last_block = noise.percent(50);
    p.reason = static_cast<uint32_t>(noise.below(16));
    p.block = static_cast<uint32_t>(noise.below(4));
    p.attempt = static_cast<uint32_t>(noise.below(16));
    p.peer_slot = static_cast<uint32_t>(noise.below(16));
    p.va = noise.next() & 0x7fffffffff;
    // Reads and writes of a domain that is not here; answers of any.
    p.pdid = static_cast<uint16_t>(p.kind == RdmaPacket::kAck || p.kind == RdmaPacket::kNack ? kPdid : kPdid + 1);
    net.inject(0, p.encode());
  }
  net.run(80000);
  EXPECT_TRUE(net.node(0).memory.bytes().pages().empty());
  EXPECT_EQ(net.node(0).memory.max_reads(), 0);
  EXPECT_GT(count(0, Counter::kRefused), 100u);
  EXPECT_GT(count(0, Counter::kLateAnswers), 100u);
  expect_works();
}

}  // namespace
}  // namespace fabrictwin::test
