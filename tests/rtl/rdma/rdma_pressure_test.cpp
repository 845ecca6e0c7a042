// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the RDMA unit does when it is pressed: all channels at once, full queues, streams that stand still, and packets
// that are anything.
#include <gtest/gtest.h>

#include <array>
#include <map>
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

/// The only cell of a block of a transfer, or, if it is not the last one, the first of a block that stays incomplete.
RdmaPacket lone_cell(uint32_t source, uint32_t channel, bool last) {
  RdmaPacket packet;
  packet.kind = RdmaPacket::kWrite;
  packet.source = source;
  packet.destination = 1;
  packet.bytes = 16;
  packet.payload = {make_word(source, channel)};
  packet.channel = channel;
  packet.transfer = 1;
  packet.last_cell = last;
  packet.last_block = true;
  packet.pdid = kPdid;
  packet.va = kDestination + 16 * (128 * source + channel);
  return packet;
}

/// Counts attempts beyond the first of each block, by node that sends it, as packets say.
struct Attempts {
  void add(const RdmaPacket& p) {
    if (p.kind != RdmaPacket::kWrite && p.kind != RdmaPacket::kRead) return;
    const auto [last, first] =
        latest.try_emplace({p.source, uint32_t{p.served}, p.channel, p.transfer, p.block}, p.attempt);
    again += static_cast<int>((p.attempt - last->second) & 15);
    last->second = p.attempt;
  }
  std::map<std::array<uint32_t, 5>, uint32_t> latest;
  int again = 0;
};

// Silence, missing pages at either end, a queue at the receiver and one that is full.
TEST_F(RdmaUnit, SaysOfEachBlockThatItIsSentAgain) {
  Attempts attempts;
  net.monitor = [&](const RdmaPacket& p) {
    if (p.source == 1 || p.source == 2) attempts.add(p);
  };
  const auto repeats = [&] { return net.node(0).repeats() + net.node(1).repeats(); };
  int before = 0;
  const auto expect_repeats = [&](const char* cause) {
    EXPECT_EQ(repeats(), attempts.again) << cause;
    EXPECT_GT(repeats(), before) << cause;
    before = repeats();
  };
  EXPECT_EQ(run(write(3000)), Code::kDone);
  EXPECT_EQ(repeats(), 0);
  int acks = 0;
  net.filter = [&](const RdmaPacket& p) { return p.kind == RdmaPacket::kAck && ++acks <= 2; };
  EXPECT_EQ(run(write(3000)), Code::kDone);
  expect_repeats("silence");
  net.filter = [&](const RdmaPacket& p) { return p.kind == RdmaPacket::kRead && ++acks <= 4; };
  EXPECT_EQ(run(read(3000)), Code::kDone);
  expect_repeats("a request without an answer");
  net.filter = {};
  for (const bool is_read : {false, true}) {
    const Transfer t = is_read ? read(40000) : write(40000);
    source(t).make_absent(t.source() + 9000, 500);
    EXPECT_EQ(run(t), Code::kDone);
    expect_repeats("a fault in the own memory");
    destination(t).make_absent(t.destination() + 21000, 700);
    EXPECT_EQ(run(t), Code::kDone);
    expect_repeats("a refusal");
  }
  constexpr uint32_t kContexts = 32, kPlaces = 64;
  for (const bool full : {false, true}) {
    const auto inject = [&](uint32_t from, uint32_t channel, bool last) {
      RdmaPacket packet = lone_cell(from, channel, last);
      packet.destination = 2;
      packet.transfer = full ? 3 : 2;
      net.inject(1, packet.encode());
    };
    for (uint32_t i = 0; i < kContexts; ++i) inject(9, i, false);
    net.run(400);
    for (uint32_t i = 0; full && i < kPlaces; ++i) inject(10, i, true);
    net.run(1200);
    EXPECT_EQ(run(write(64)), Code::kDone);
    expect_repeats(full ? "busy" : "queued");
  }
}

/// What the queue has to hold is in the order in which it came; what has no room there is told to come again.
TEST_F(RdmaUnit, BlocksWithoutAContextWaitInOrder) {
  constexpr uint32_t kContexts = 32, kPlaces = 64;
  std::vector<std::pair<uint32_t, uint32_t>> answers;  // Reason and channel.
  net.monitor = [&](const RdmaPacket& p) {
    if (p.kind == RdmaPacket::kNack) answers.emplace_back(p.reason, p.channel);
  };
  for (uint32_t i = 0; i < kContexts; ++i) net.inject(0, lone_cell(9, i, false).encode());
  net.run(400);
  for (uint32_t i = 0; i <= kPlaces; ++i) net.inject(0, lone_cell(10, i, true).encode());
  net.run(1200);
  ASSERT_EQ(answers.size(), kPlaces + 1);
  for (uint32_t i = 0; i <= kPlaces; ++i)
    EXPECT_EQ(answers[i], (std::pair{i < kPlaces ? 5u : 3u, i})) << "queued, and the last one busy";
  EXPECT_EQ(count(0, Counter::kQueued), kPlaces);
  EXPECT_TRUE(net.node(0).memory.bytes().read(kDestination + 16 * 128 * 10) == 0) << "nothing is written for them";
  // One ends, and the first of the queue has its context, which nobody else gets.
  RdmaPacket rest = lone_cell(9, 7, true);
  rest.index = 1;
  net.inject(0, rest.encode());
  net.run(300);
  ASSERT_EQ(answers.size(), kPlaces + 2);
  EXPECT_EQ(answers.back(), (std::pair{6u, 0u}));
  net.inject(0, lone_cell(11, 3, true).encode());
  net.run(100);
  ASSERT_EQ(answers.size(), kPlaces + 3);
  EXPECT_EQ(answers.back(), (std::pair{5u, 3u})) << "in the place that is free in the queue";
  RdmaPacket again = lone_cell(10, 0, true);
  again.attempt = 1;
  net.inject(0, again.encode());
  net.run(300);
  ASSERT_EQ(answers.size(), kPlaces + 4) << "the next one has the context";
  EXPECT_EQ(answers.back(), (std::pair{6u, 1u}));
  EXPECT_EQ(net.node(0).memory.bytes().read(kDestination + 16 * 128 * 10), 10);
  // Those that nobody ends are given up, and so are those whose turn nobody takes: the queue empties.
  net.run(110000);
  ASSERT_EQ(answers.size(), kPlaces + 4 + kPlaces - 1);
  for (uint32_t i = 2; i < kPlaces; ++i) EXPECT_EQ(answers[kPlaces + 2 + i], (std::pair{6u, i}));
  EXPECT_EQ(answers.back(), (std::pair{6u, 3u}));
  expect_works();
}

/// Five nodes send eight transfers each to one that receives 32 at once. With no repetitions allowed none may fail.
TEST(RdmaPressure, MoreTransfersThanContextsWait) {
  RdmaNetwork<VRdmaUnit> net(6, 4, {.latency = 16}, {});
  constexpr uint32_t kLength = 20000;
  for (int i = 0; i < 6; ++i) {
    net.node(i).set_page(0, kPdid);
    net.node(i).configure(16000, 10, 0, 32000);
    net.node(i).memory.grant(0, 0x4000000, kPdid);
  }
  std::vector<std::array<uint32_t, 3>> queued, turns;
  net.monitor = [&](const RdmaPacket& p) {
    if (p.kind != RdmaPacket::kNack) return;
    EXPECT_TRUE(p.reason == 5 || p.reason == 6) << p.reason;
    (p.reason == 5 ? queued : turns).push_back({p.destination, p.channel, p.block});
  };
  std::vector<std::pair<int, Transfer>> all;
  for (int c = 0; c < 8; ++c) {
    for (int n = 1; n < 6; ++n) {
      const uint64_t at = kDestination + 0x8000 * static_cast<uint64_t>(8 * n + c);
      Transfer t{.channel = c, .pdid = kPdid, .node = 1, .remote = at, .local = at, .length = kLength};
      for (uint32_t k = 0; k < kLength; ++k)
        net.node(n).memory.bytes().write(at + k, static_cast<uint8_t>(k * 7 + 3 * c + n));
      net.node(n).start(t);
      all.emplace_back(n, t);
    }
  }
  for (const auto& [n, t] : all) {
    ASSERT_EQ(net.finish(n, t, 1000000), Code::kDone) << "node " << n << " channel " << t.channel;
    for (uint32_t k = 0; k < kLength; ++k)
      ASSERT_EQ(net.node(0).memory.bytes().read(t.remote + k), net.node(n).memory.bytes().read(t.local + k));
  }
  EXPECT_GE(queued.size(), 8u);
  EXPECT_EQ(turns, queued) << "in the order in which they came";
  for (int n = 1; n < 6; ++n) EXPECT_EQ(net.counters(n)[static_cast<size_t>(Counter::kTimeouts)], 0u);
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
