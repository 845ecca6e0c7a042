// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the RDMA unit does about congestion marks: notices of marked cells, and gaps between cells for who gets them.
#include <gtest/gtest.h>

#include <vector>

#include "cosim/experiment/hardware_congestion.h"
#include "tests/rtl/rdma/rdma_unit_fixture.h"

namespace fabrictwin::test {
namespace {

constexpr int64_t kUnit = 160;  ///< Cycles of 1.024 us.

class RdmaCongestion : public RdmaUnit {
 protected:
  RdmaCongestion() {
    net.monitor = [this](const RdmaPacket& packet) {
      if (packet.kind == RdmaPacket::kWrite) cells_.push_back(net.now());
      if (packet.kind == RdmaPacket::kNotice) notices_.push_back(packet);
    };
  }
  /// Entry i of the table is i.
  void enable(uint32_t increase, uint32_t limit, uint32_t least, uint32_t timer, uint32_t shift = 0) {
    std::vector<Word128> entries;
    for (uint64_t i = 0; i < 128; i += 8) {
      const uint64_t four = i | (i + 1) << 16 | (i + 2) << 32 | (i + 3) << 48;
      entries.push_back(make_word(four, four + 0x0004'0004'0004'0004));
    }
    net.node(0).host_write(0x10800, entries);
    net.node(0).host_write(0x10300, {make_word(uint64_t{timer} << 24 | uint64_t{1} << 23 | uint64_t{shift} << 21 |
                                                   uint64_t{least} << 14 | uint64_t{limit} << 7 | increase,
                                               0)});
    ASSERT_TRUE(net.run_until([&] { return net.node(0).host_idle(); }, 5000));
  }
  Transfer full_blocks(uint32_t length) {
    Transfer t = write(length);
    t.notify = t.local_notify = false;
    fill(t);
    return t;
  }
  /// Cycles between the ends of cells `first` and `first` + 1.
  int64_t interval(size_t first) const { return cells_.at(first + 1) - cells_.at(first); }
  bool idle() { return net.node(0).model().idle_o != 0; }

  std::vector<int64_t> cells_;  ///< When each has left.
  std::vector<RdmaPacket> notices_;
};

TEST_F(RdmaCongestion, EachMarkedCellCausesANotice) {
  int marked = 0;
  net.marks = [&](const RdmaPacket& packet) {
    // What is not a cell causes none.
    if (packet.kind != RdmaPacket::kWrite) return true;
    marked += packet.index % 2 == 0;
    return packet.index % 2 == 0;
  };
  Transfer t = write(5000, 7);
  t.channel = 9;
  fill(t);
  EXPECT_EQ(run(t), Code::kDone);
  EXPECT_TRUE(arrived(t));
  EXPECT_EQ(notified, 1);
  ASSERT_EQ(notices_.size(), static_cast<size_t>(marked));
  EXPECT_GT(marked, 5);
  for (const RdmaPacket& notice : notices_) {
    EXPECT_EQ(notice.source, 2u);
    EXPECT_EQ(notice.destination, 1u);
    EXPECT_EQ(notice.bytes, 0u);
    EXPECT_EQ(notice.channel, 9u);
    EXPECT_EQ(notice.transfer, 1u);
    EXPECT_FALSE(notice.served);
  }
  EXPECT_EQ(count(1, Counter::kNoticesSent), static_cast<uint32_t>(marked));
  EXPECT_EQ(count(0, Counter::kNotices), static_cast<uint32_t>(marked));
  EXPECT_EQ(count(0, Counter::kMalformed), 0u);
}

TEST_F(RdmaCongestion, GapsFollowTheTable) {
  // A timer so long that no index falls.
  enable(3, 5, 0, 60000);
  int sent = 0;
  net.marks = [&](const RdmaPacket& packet) { return packet.kind == RdmaPacket::kWrite && sent++ < 2; };
  const Transfer t = full_blocks(16384);
  EXPECT_EQ(run(t), Code::kDone);
  EXPECT_TRUE(arrived(t));
  ASSERT_EQ(cells_.size(), 64u);
  ASSERT_EQ(notices_.size(), 2u);
  // The first cells follow each other; after two notices the index is at its limit of 5.
  EXPECT_EQ(interval(0), 18);
  for (size_t i = 40; i < 63; ++i) EXPECT_EQ(interval(i), 18 * (1 + 5)) << "cell " << i;
}

TEST_F(RdmaCongestion, TheTableMayBeInParts) {
  enable(2, 127, 0, 60000, 2);
  int sent = 0;
  net.marks = [&](const RdmaPacket& packet) { return packet.kind == RdmaPacket::kWrite && sent++ == 0; };
  EXPECT_EQ(run(full_blocks(16384)), Code::kDone);
  ASSERT_EQ(cells_.size(), 64u);
  // An entry of 2, in quarters of a cell.
  for (size_t i = 40; i < 63; ++i) EXPECT_EQ(interval(i), 18 + 18 * 2 / 4) << "cell " << i;
}

TEST_F(RdmaCongestion, IndicesFallWithTheTimerAndKeepTheUnitAwake) {
  enable(4, 127, 0, 2);
  int sent = 0;
  net.marks = [&](const RdmaPacket& packet) { return packet.kind == RdmaPacket::kWrite && sent++ == 0; };
  int64_t begin = 0;
  net.probe = [&] {
    if (begin == 0 && !notices_.empty()) begin = net.now();
  };
  EXPECT_EQ(run(full_blocks(256)), Code::kDone);
  ASSERT_EQ(notices_.size(), 1u);
  EXPECT_FALSE(idle());
  ASSERT_TRUE(net.run_until([&] { return idle(); }, 5000));
  // Four periods, and the way of the notice.
  EXPECT_NEAR(static_cast<double>(net.now() - begin), 4 * 2 * kUnit, 60);
  // Then cells follow each other again.
  cells_.clear();
  EXPECT_EQ(run(full_blocks(4096)), Code::kDone);
  EXPECT_EQ(interval(4), 18);
}

TEST_F(RdmaCongestion, GapsAreForTheDestinationOfTheNotice) {
  // Notices come from another node than that to which the cells go.
  enable(5, 127, 0, 60000);
  RdmaPacket notice{.kind = RdmaPacket::kNotice, .source = 7, .destination = 1};
  for (int k = 0; k < 3; ++k) net.inject(0, notice.encode());
  EXPECT_EQ(run(full_blocks(8192)), Code::kDone);
  EXPECT_EQ(count(0, Counter::kNotices), 3u);
  for (size_t i = 0; i < 30; ++i) EXPECT_EQ(interval(i), 18) << "cell " << i;
  // And of a node that shares the index of node 2.
  cells_.clear();
  notice.source = 2 + 128;
  net.inject(0, notice.encode());
  EXPECT_EQ(run(full_blocks(8192)), Code::kDone);
  for (size_t i = 10; i < 30; ++i) EXPECT_EQ(interval(i), 18 * 6) << "cell " << i;
}

TEST_F(RdmaCongestion, OneSlowTransferDoesNotHoldUpAnother) {
  enable(20, 127, 0, 60000);
  std::vector<int64_t> slow_cells, fast_cells;
  net.monitor = [&](const RdmaPacket& packet) {
    if (packet.kind == RdmaPacket::kWrite) (packet.destination == 2 ? slow_cells : fast_cells).push_back(net.now());
  };
  RdmaPacket notice{.kind = RdmaPacket::kNotice, .source = 2, .destination = 1};
  net.inject(0, notice.encode());
  net.run(50);
  Transfer slow = full_blocks(8192);
  Transfer fast = slow;
  fast.channel = 1;
  fast.node = 3;  // Nobody is there; its cells leave all the same.
  fast.length = 4096;
  net.node(0).start(slow);
  net.node(0).start(fast);
  EXPECT_EQ(net.finish(0, slow, 400000), Code::kDone);
  ASSERT_GE(slow_cells.size(), 32u);
  ASSERT_GE(fast_cells.size(), 16u);
  // Up to eight cells of the other one are before a cell on the link.
  EXPECT_NEAR(static_cast<double>(slow_cells[30] - slow_cells[0]), 30 * 18 * 21, 8 * 18);
  EXPECT_LE(fast_cells[15] - fast_cells[0], 15 * 18 + 2 * 18);
}

// Short transfers one after the other use one slot.
TEST_F(RdmaCongestion, TheNextTransferToTheSameDestinationWaits) {
  enable(100, 127, 0, 60000);
  RdmaPacket notice{.kind = RdmaPacket::kNotice, .source = 2, .destination = 1};
  net.inject(0, notice.encode());
  net.run(50);
  Transfer t = full_blocks(256);
  EXPECT_EQ(run(t), Code::kDone);
  EXPECT_EQ(run(t), Code::kDone);
  t.node = 3;  // Nobody is there.
  net.node(0).start(t);
  ASSERT_TRUE(net.run_until([&] { return cells_.size() == 3; }, 1000));
  EXPECT_EQ(interval(0), 18 * 101);
  EXPECT_LT(interval(1), 1000) << "another destination";
}

TEST_F(RdmaCongestion, WithoutTheSchemeNoticesChangeNothing) {
  RdmaPacket notice{.kind = RdmaPacket::kNotice, .source = 2, .destination = 1};
  for (int k = 0; k < 5; ++k) net.inject(0, notice.encode());
  net.run(200);
  EXPECT_EQ(run(full_blocks(8192)), Code::kDone);
  for (size_t i = 0; i < 30; ++i) EXPECT_EQ(interval(i), 18) << "cell " << i;
  ASSERT_TRUE(net.run_until([&] { return idle(); }, 2000));
}

TEST_F(RdmaCongestion, RegistersAndWhatIsBesideThem) {
  enable(1, 2, 1, 7, 3);
  std::vector<Word128> words;
  net.node(0).host_read(0x10300, 1, [&](const std::vector<Word128>& w, bool) { words = w; });
  ASSERT_TRUE(net.run_until([&] { return !words.empty(); }, 1000));
  EXPECT_EQ(RdmaPacket::low(words[0]), uint64_t{7} << 24 | 1 << 23 | 3 << 21 | 1 << 14 | 2 << 7 | 1);
  for (const uint32_t address : {0x10310u, 0x10400u, 0x10700u, 0x10900u, 0x11000u, 0x10200u}) {
    bool error = false, done = false;
    net.node(0).host_write(address, {make_word(1, 0)}, [&](const std::vector<Word128>&, bool e) {
      error = e;
      done = true;
    });
    ASSERT_TRUE(net.run_until([&] { return done; }, 1000));
    EXPECT_TRUE(error) << std::hex << address;
  }
  expect_works();
}

// Of a block whose cells come more slowly than that, no two are ever there at the same time, so experiments must not
// ask for such gaps (models/congestion/ib_cca.cpp).
TEST_F(RdmaCongestion, GapsMustBeShorterThanTheLifetimeOfAReceiver) {
  constexpr uint32_t kLifetime = 100;  // Ticks of 16 cycles.
  constexpr uint32_t kLongest = 87;    // With its gap, a full cell takes 18 * 88 cycles, which are 99 ticks.
  constexpr uint32_t kTooLong = 93;    // 18 * 94 cycles, or 105.75 ticks: all contexts are looked at within two ticks.
  for (int i = 0; i < 2; ++i) net.node(i).configure(100, 10, 3, kLifetime);
  RdmaPacket notice{.kind = RdmaPacket::kNotice, .source = 2, .destination = 1};
  enable(kLongest, kTooLong, 0, 60000);
  net.inject(0, notice.encode());
  net.run(50);
  Transfer t = full_blocks(2048);
  EXPECT_EQ(run(t), Code::kDone);
  EXPECT_TRUE(arrived(t));
  EXPECT_EQ(cells_.size(), 8u) << "none is sent twice";

  net.inject(0, notice.encode());
  net.run(50);
  cells_.clear();
  t.channel = 1;
  net.node(0).start(t);
  EXPECT_TRUE(net.run_until([&] { return cells_.size() > 50; }, 200'000)) << "all are sent again and again";
}

// The check of experiments knows how long a receiver waits for the next cell.
TEST(RdmaLifetime, IsThatOfTheCheckAfterReset) {
  RdmaNetwork<VRdmaUnit> net(1, 9, {.latency = 10}, {});
  std::vector<Word128> words;
  net.node(0).host_read(0x10100, 1, [&](const std::vector<Word128>& w, bool) { words = w; });
  ASSERT_TRUE(net.run_until([&] { return !words.empty(); }, 5000));
  EXPECT_EQ(RdmaPacket::low(words[0]) >> 36 & 0xffff, uint64_t{experiment::GapReaction::kLifetime});
}

}  // namespace
}  // namespace fabrictwin::test
