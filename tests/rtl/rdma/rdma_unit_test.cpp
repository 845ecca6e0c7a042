// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the RDMA unit does in each named case: descriptors, protection, faults, silence, bad packets, and full queues.
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "VRdmaUnit.h"
#include "tests/rtl/rdma/rdma_network.h"

namespace fabrictwin::test {
namespace {

constexpr uint16_t kPdid = 0x1234;
constexpr uint64_t kSource = 0x100000, kDestination = 0x800000, kNotify = 0x40000, kLocalNotify = 0x50000;

/// Two nodes with page 0 in use and buffers that everybody may touch.
class RdmaUnit : public testing::Test {
 protected:
  RdmaUnit() : net(2, 9, {.latency = 10}, {}) {
    for (int i = 0; i < 2; ++i) {
      net.node(i).set_page(0, kPdid);
      net.node(i).configure(100, 10, 3, 1600);
      net.node(i).memory.grant(0, 0x4000000, kPdid);
      net.node(i).memory.watch(kNotify);
      net.node(i).memory.watch(kLocalNotify);
      net.node(i).memory.on_watched = [this](uint64_t address, uint64_t) {
        ++(address == kNotify ? notified : completed);
      };
    }
  }

  static Transfer write(uint32_t length, unsigned offset = 0) {
    return {.pdid = kPdid,
            .node = 2,
            .remote = kDestination + offset,
            .local = kSource + offset,
            .length = length,
            .data = 0x1122334455667788,
            .notify = true,
            .notify_va = kNotify,
            .local_notify = true,
            .local_notify_va = kLocalNotify};
  }
  static Transfer read(uint32_t length, unsigned offset = 0) {
    Transfer t = write(length, offset);
    t.read = true;
    t.remote = kSource + offset;
    t.local = kDestination + offset;
    return t;
  }
  AxiMemory& source(const Transfer& t) { return net.node(t.read ? 1 : 0).memory; }
  AxiMemory& destination(const Transfer& t) { return net.node(t.read ? 0 : 1).memory; }
  void fill(const Transfer& t) {
    for (uint32_t i = 0; i < t.length; ++i)
      source(t).bytes().write(t.source() + i, static_cast<uint8_t>(fill_.next() | 1));
  }
  bool arrived(const Transfer& t) {
    for (uint32_t i = 0; i < t.length; ++i)
      if (destination(t).bytes().read(t.destination() + i) != source(t).bytes().read(t.source() + i)) return false;
    // And nothing around it.
    return destination(t).bytes().read(t.destination() - 1) == 0 &&
           destination(t).bytes().read(t.destination() + t.length) == 0;
  }
  Code run(const Transfer& t, int64_t limit = 400000) {
    bool error = true;
    net.node(0).start(t, [&](const std::vector<Word128>&, bool e) { error = e; });
    EXPECT_TRUE(net.run_until([&] { return net.node(0).host_idle(); }, 5000));
    EXPECT_FALSE(error);
    return net.finish(0, t, limit);
  }
  uint32_t count(int node, Counter counter) { return net.counters(node)[static_cast<size_t>(counter)]; }
  void expect_works() {
    Transfer t = write(1000, 3);
    t.channel = 31;
    notified = completed = 0;
    destination(t).bytes() = {};
    fill(t);
    EXPECT_EQ(run(t), Code::kDone);
    EXPECT_TRUE(arrived(t));
    EXPECT_EQ(notified, 1);
    EXPECT_EQ(completed, 1);
  }

  RdmaNetwork<VRdmaUnit> net;
  RandomSource fill_{4};
  int notified = 0, completed = 0;
};

TEST_F(RdmaUnit, AnyLengthAndOffset) {
  for (bool is_read : {false, true}) {
    for (uint32_t length :
         {1u, 2u, 15u, 16u, 17u, 64u, 255u, 256u, 257u, 4095u, 4096u, 16383u, 16384u, 16385u, 49153u, 100000u}) {
      for (unsigned offset : {0u, 1u, 15u, 250u, 4081u}) {
        Transfer t = is_read ? read(length, offset) : write(length, offset);
        // Different places in their pages.
        t.local += 16 * fill_.below(300);
        t.remote += 16 * fill_.below(300);
        destination(t).bytes() = {};
        notified = completed = 0;
        fill(t);
        ASSERT_EQ(run(t), Code::kDone) << length << " at " << offset;
        ASSERT_TRUE(arrived(t)) << length << " at " << offset;
        ASSERT_EQ(notified, 1);
        ASSERT_EQ(completed, 1);
        EXPECT_EQ(destination(t).bytes().read_word(kNotify), t.data);
      }
    }
  }
  EXPECT_EQ(count(0, Counter::kDuplicateCells) + count(1, Counter::kDuplicateCells), 0u);
}

TEST_F(RdmaUnit, DescriptorErrors) {
  int packets = 0;
  net.monitor = [&](const RdmaPacket&) { ++packets; };
  Transfer t = write(64);
  t.local += 1;
  EXPECT_EQ(run(t), Code::kAlignment);
  t = write(64);
  t.notify_va += 4;
  EXPECT_EQ(run(t), Code::kAlignment);
  t = write(64);
  t.local_notify_va += 1;
  EXPECT_EQ(run(t), Code::kAlignment);
  EXPECT_EQ(run(write(0)), Code::kLength);
  t = write(64);
  t.pdid = kPdid + 1;
  EXPECT_EQ(run(t), Code::kProtection);
  t = write(64);
  t.page = 1;  // Not in use.
  EXPECT_EQ(run(t), Code::kProtection);
  EXPECT_EQ(packets, 0);
  expect_works();
}

TEST_F(RdmaUnit, HeadersSayWhereTheyGo) {
  RandomSource any(5);
  std::vector<RdmaPacket> seen;
  net.filter = [&](const RdmaPacket& p) {
    seen.push_back(p);
    return true;
  };
  for (int i = 0; i < 60; ++i) {
    seen.clear();
    const auto tile_bits = static_cast<unsigned>(i % 4), x_bits = static_cast<unsigned>(any.below(9)),
               y_bits = static_cast<unsigned>(any.below(9));
    net.node(0).model().tile_bits_i = tile_bits;
    net.node(0).model().x_bits_i = x_bits;
    net.node(0).model().y_bits_i = y_bits;
    Transfer t = i % 2 == 0 ? write(64) : read(64);
    t.channel = i / 2;
    t.notify = false;  // Only one kind of packet leaves.
    t.node = static_cast<uint32_t>(any.below(1 << 22));
    net.node(0).start(t);
    ASSERT_TRUE(net.run_until([&] { return !seen.empty(); }, 2000));
    const uint32_t place = t.node >> tile_bits;
    const uint32_t x = place & ((1u << x_bits) - 1), y = place >> x_bits & ((1u << y_bits) - 1),
                   z = place >> (x_bits + y_bits) & 0xff;
    EXPECT_EQ(seen.front().destination, t.node);
    EXPECT_EQ(seen.front().coordinates, x | y << 8 | z << 16);
    EXPECT_EQ(seen.front().tile_port, t.node & ((1u << tile_bits) - 1));
    EXPECT_EQ(seen.front().kind, t.read ? RdmaPacket::kRead : RdmaPacket::kWrite);
    EXPECT_EQ(net.finish(0, t, 40000), Code::kTimeout);
  }
}

TEST_F(RdmaUnit, ABusyChannelIsNotTouched) {
  Transfer t = write(60000);
  fill(t);
  net.node(0).start(t);
  bool error = false;
  Transfer other = write(64);
  net.node(0).start(other, [&](const std::vector<Word128>&, bool e) { error = e; });
  EXPECT_EQ(net.finish(0, t, 100000), Code::kDone);
  EXPECT_TRUE(error);
  EXPECT_TRUE(arrived(t));
  EXPECT_EQ(notified, 1);
}

TEST_F(RdmaUnit, DescriptorInHalves) {
  const Transfer t = write(100);
  fill(t);
  const auto words = t.descriptor();
  for (uint32_t w = 0; w < 4; ++w) {
    for (uint32_t strobe : {0x00ffu, 0xff00u}) net.node(0).host_write_strobed(t.address() + 16 * w, words[w], strobe);
  }
  EXPECT_TRUE(net.run_until([&] { return completed == 1; }, 5000));
  EXPECT_TRUE(arrived(t));
}

TEST_F(RdmaUnit, RemoteProtection) {
  net.node(1).set_page(0, kPdid, false);
  net.node(1).set_page(3, kPdid + 1);
  net.run(100);
  const Transfer t = write(20000);
  fill(t);
  EXPECT_EQ(run(t), Code::kRemotePdid);
  EXPECT_EQ(destination(t).bytes().read(t.destination()), 0);
  EXPECT_GT(count(1, Counter::kRefused), 0u);
  EXPECT_EQ(run(read(64)), Code::kRemotePdid);
  EXPECT_EQ(notified + completed, 0);
  net.node(1).set_page(0, kPdid);
  net.run(100);
  expect_works();
}

TEST_F(RdmaUnit, SilenceEndsAtTheRetryLimit) {
  std::set<uint32_t> attempts;
  net.filter = [&](const RdmaPacket& p) {
    if (p.kind == RdmaPacket::kWrite || p.kind == RdmaPacket::kRead) attempts.insert(p.attempt);
    return true;
  };
  EXPECT_EQ(run(write(64)), Code::kTimeout);
  EXPECT_EQ(attempts.size(), 4u);
  attempts.clear();
  EXPECT_EQ(run(read(64)), Code::kTimeout);
  EXPECT_EQ(attempts.size(), 4u);
  net.filter = {};
  net.run(100);
  expect_works();
}

TEST_F(RdmaUnit, LostAckIsGivenAgain) {
  int acks = 0;
  net.filter = [&](const RdmaPacket& p) { return p.kind == RdmaPacket::kAck && ++acks <= 2; };
  const Transfer t = write(3000);
  fill(t);
  EXPECT_EQ(run(t), Code::kDone);
  EXPECT_EQ(acks, 3);
  EXPECT_EQ(notified, 1) << "a notification is never repeated";
  EXPECT_EQ(count(0, Counter::kTimeouts), 2u);
  EXPECT_GT(count(1, Counter::kLateCells), 20u);
}

TEST_F(RdmaUnit, LateAndDoubledAcks) {
  RdmaPacket kept;
  net.monitor = [&](const RdmaPacket& p) {
    if (p.kind == RdmaPacket::kAck) kept = p;
  };
  Transfer t = write(64);
  EXPECT_EQ(run(t), Code::kDone);
  net.monitor = {};
  for (int i = 0; i < 3; ++i) net.inject(0, kept.encode());
  net.run(200);
  EXPECT_EQ(count(0, Counter::kLateAnswers), 3u);
  // Not even while the next transfer of the channel is at it.
  t.length = 40000;
  fill(t);
  net.node(0).start(t);
  for (int i = 0; i < 5; ++i) net.inject(0, kept.encode(), net.now() + 400 * i);
  EXPECT_EQ(net.finish(0, t, 100000), Code::kDone);
  EXPECT_TRUE(arrived(t));
}

TEST_F(RdmaUnit, OneLostCellIsSentAgainAndNothingElseWritten) {
  bool lost = false;
  net.filter = [&](const RdmaPacket& p) {
    return p.kind == RdmaPacket::kWrite && p.index == 20 && !std::exchange(lost, true);
  };
  const Transfer t = write(16384);
  fill(t);
  EXPECT_EQ(run(t), Code::kDone);
  EXPECT_TRUE(arrived(t));
  // The cells before it; the ones after it only until the ack is there.
  EXPECT_GE(count(1, Counter::kDuplicateCells), 20u);
  EXPECT_LE(count(1, Counter::kDuplicateCells) + count(1, Counter::kLateCells), 64u);
  EXPECT_EQ(notified, 1);
}

TEST_F(RdmaUnit, FaultInTheMidstOfABlock) {
  for (bool is_read : {false, true}) {
    const Transfer t = is_read ? read(40000) : write(40000);
    fill(t);
    source(t).make_absent(t.source() + 9000, 500);
    destination(t).make_absent(t.destination() + 21000, 700);
    EXPECT_EQ(run(t), Code::kDone);
    EXPECT_TRUE(arrived(t));
    EXPECT_GT(source(t).read_faults(), 0);
    EXPECT_GT(destination(t).write_faults(), 0);
    EXPECT_GT(count(is_read ? 1 : 0, Counter::kLocalFaults), 0u);
    EXPECT_GT(count(is_read ? 1 : 0, Counter::kRefusals), 0u);
    EXPECT_GT(count(is_read ? 0 : 1, Counter::kFaults), 0u);
  }
  EXPECT_EQ(notified, 2);
}

TEST_F(RdmaUnit, FaultsThatStay) {
  struct Case {
    bool read;
    uint64_t address;  ///< Of the absent page.
    int node;
    Code code;
  };
  for (const Case& c : {Case{false, kSource, 0, Code::kLocalFault}, Case{false, kDestination, 1, Code::kRemoteFault},
                        Case{false, kNotify, 1, Code::kRemoteFault}, Case{false, kLocalNotify, 0, Code::kNotifyFault},
                        Case{true, kSource, 1, Code::kRemoteFault}, Case{true, kDestination, 0, Code::kRemoteFault}}) {
    net.node(c.node).memory.make_absent(c.address, AxiMemory::kForever);
    const Transfer t = c.read ? read(5000) : write(5000);
    EXPECT_EQ(run(t), c.code) << (c.read ? "read " : "write ") << std::hex << c.address;
    net.node(c.node).memory.make_absent(c.address, 0);
    net.run(3000);
    expect_works();
  }
}

TEST_F(RdmaUnit, NotificationsThatFaultComeOnce) {
  net.node(1).memory.make_absent(kNotify, 400);
  net.node(0).memory.make_absent(kLocalNotify, 400);
  const Transfer t = write(300);
  fill(t);
  EXPECT_EQ(run(t), Code::kDone);
  EXPECT_TRUE(arrived(t));
  EXPECT_EQ(notified, 1);
  EXPECT_EQ(completed, 1);
}

TEST_F(RdmaUnit, EarlyNotificationsAreThereWithTheData) {
  for (bool is_read : {false, true}) {
    for (uint32_t length : {1u, 64u, 256u, 257u, 5000u, 16384u, 16400u, 50000u}) {
      Transfer t = is_read ? read(length, 5) : write(length, 5);
      t.early = true;
      destination(t).bytes() = {};
      notified = completed = 0;
      fill(t);
      bool whole = false;
      destination(t).on_watched = [&](uint64_t address, uint64_t) {
        if (address == kNotify) whole = arrived(t);
        ++(address == kNotify ? notified : completed);
      };
      ASSERT_EQ(run(t), Code::kDone) << length;
      EXPECT_TRUE(whole) << length;
      EXPECT_EQ(notified, 1);
    }
  }
}

TEST_F(RdmaUnit, AnEarlyNotificationDoesNotKnowOfFaults) {
  Transfer t = write(64);
  t.early = true;
  fill(t);
  destination(t).make_absent(t.destination(), 300);
  EXPECT_EQ(run(t), Code::kDone);
  EXPECT_TRUE(arrived(t));
  EXPECT_GE(notified, 2) << "with the data that faulted, and when they had come";
  EXPECT_EQ(completed, 1);
  // A page that stays away is an error of the transfer nevertheless.
  destination(t).make_absent(t.destination(), AxiMemory::kForever);
  EXPECT_EQ(run(t), Code::kRemoteFault);
  destination(t).make_absent(t.destination(), 0);
  net.run(3000);
  expect_works();
}

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
  // The ninth request, from a node that does not exist, finds no place.
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
      words.front().data =
          make_word(uint64_t{1} << 24 | noise.below(280) << 48 | noise.below(64) << 58, noise.next() << 24 | 2);
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

TEST_F(RdmaUnit, RegistersKeepWhatIsWritten) {
  std::vector<Word128> got;
  net.node(0).set_page(5, 0xbeef);
  net.node(0).host_read(0x10050, 1, [&](const std::vector<Word128>& words, bool) { got = words; });
  net.node(0).host_read(0x10100, 1, [&](const std::vector<Word128>& words, bool) { got.push_back(words[0]); });
  ASSERT_TRUE(net.run_until([&] { return got.size() == 2; }, 100));
  EXPECT_EQ(got[0][0], 0x1beefu);
  EXPECT_EQ(got[1], make_word(100 | 10 << 16 | uint64_t{3} << 32 | uint64_t{1600} << 36, 0));
  bool error = false;
  net.node(0).host_write(0x10800, {make_word(0, 0)}, [&](const std::vector<Word128>&, bool e) { error = e; });
  net.run(20);
  EXPECT_TRUE(error);
}

}  // namespace
}  // namespace fabrictwin::test
