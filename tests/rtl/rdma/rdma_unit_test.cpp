// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the RDMA unit does in each named case: descriptors, protection, faults, silence, early notifications.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "tests/rtl/rdma/rdma_unit_fixture.h"

namespace fabrictwin::test {
namespace {

TEST_F(RdmaUnit, AnyLengthAndOffset) {
  for (bool is_read : {false, true}) {
    for (uint32_t length :
         {1u, 2u, 15u, 16u, 17u, 64u, 255u, 256u, 257u, 4095u, 4096u, 16383u, 16384u, 16385u, 49153u, 100000u}) {
      for (unsigned offset : {0u, 1u, 15u, 250u, 4081u}) {
        Transfer t = is_read ? read(length, offset) : write(length, offset);
        // Different offsets in their pages.
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

TEST_F(RdmaUnit, AFaultIsSaidOnceWhenAllWritesAreOver) {
  std::map<std::pair<uint32_t, uint32_t>, int> nacks;
  net.monitor = [&](const RdmaPacket& p) {
    if (p.kind == RdmaPacket::kNack) ++nacks[{p.block, p.attempt}];
  };
  const Transfer t = write(16384);
  fill(t);
  destination(t).make_absent(t.destination(), 700);
  EXPECT_EQ(run(t), Code::kDone);
  EXPECT_TRUE(arrived(t));
  EXPECT_GT(count(1, Counter::kFaults), 1u);
  EXPECT_FALSE(nacks.empty());
  for (const auto& [attempt, number] : nacks) EXPECT_EQ(number, 1) << "attempt " << attempt.second;
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

TEST_F(RdmaUnit, RegistersKeepWhatIsWritten) {
  std::vector<Word128> got;
  net.node(0).set_page(5, 0xbeef);
  net.node(0).host_read(0x10050, 1, [&](const std::vector<Word128>& words, bool) { got = words; });
  net.node(0).host_read(0x10100, 1, [&](const std::vector<Word128>& words, bool) { got.push_back(words[0]); });
  ASSERT_TRUE(net.run_until([&] { return got.size() == 2; }, 100));
  EXPECT_EQ(got[0][0], 0x1beefu);
  EXPECT_EQ(got[1], make_word(100 | 10 << 16 | uint64_t{3} << 32 | uint64_t{1600} << 36, 0));
  bool error = false;
  net.node(0).host_write(0x11000, {make_word(0, 0)}, [&](const std::vector<Word128>&, bool e) { error = e; });
  net.run(20);
  EXPECT_TRUE(error);
}

/// All registers beside what was written to them, and zeros where there are none.
TEST_F(RdmaUnit, EveryRegisterReadsAsWritten) {
  std::map<uint32_t, uint64_t> masks{
      {0x10100, (uint64_t{1} << 52) - 1}, {0x10110, (1 << 20) - 1}, {0x10120, 1}, {0x10300, (uint64_t{1} << 40) - 1}};
  for (uint32_t page = 0; page < 16; ++page) masks[0x10000 + 16 * page] = (1 << 17) - 1;
  const auto expect_registers = [&](const std::map<uint32_t, uint64_t>& values) {
    for (uint32_t block = 0x10000; block < 0x12000; block += 0x100) {
      std::vector<Word128> got;
      net.node(0).host_read(block, 16, [&](const std::vector<Word128>& words, bool error) {
        EXPECT_FALSE(error);
        got = words;
      });
      ASSERT_TRUE(net.run_until([&] { return net.node(0).host_idle(); }, 1000));
      ASSERT_EQ(got.size(), 16u);
      for (uint32_t i = 0; i < 16; ++i) {
        const auto it = values.find(block + 16 * i);
        EXPECT_EQ(got[i], make_word(it == values.end() ? 0 : it->second, 0)) << std::hex << block + 16 * i;
      }
    }
  };
  for (int round = 0; round < 5; ++round) {
    std::map<uint32_t, uint64_t> values;
    for (const auto& [address, mask] : masks) {
      const uint64_t value = fill_.next();
      net.node(0).host_write(address, {make_word(value, fill_.next())});
      values[address] = value & mask;
    }
    ASSERT_TRUE(net.run_until([&] { return net.node(0).host_idle(); }, 1000));
    expect_registers(values);
  }
}

TEST(RdmaRegisters, BeginAsTheContractSays) {
  RdmaNetwork<VRdmaUnit> net(1, 9, {}, {});
  std::map<uint32_t, Word128> got;
  for (const uint32_t address : {0x10000u, 0x100f0u, 0x10100u, 0x10110u, 0x10120u, 0x10300u})
    net.node(0).host_read(address, 1,
                          [&, address](const std::vector<Word128>& words, bool) { got[address] = words[0]; });
  ASSERT_TRUE(net.run_until([&] { return net.node(0).host_idle(); }, 1000));
  for (const auto& [address, word] : got) {
    const uint64_t times = 2048 | 64 << 16 | uint64_t{8} << 32 | uint64_t{8192} << 36;
    EXPECT_EQ(word, make_word(address == 0x10100 ? times : 0, 0)) << std::hex << address;
  }
  EXPECT_EQ(got.size(), 6u);
}

// The rank of the remote address goes to the other node's memory, also for the notification beside the data. The own
// memory knows no rank.
TEST_F(RdmaUnit, RanksAreForTheOtherNodesMemory) {
  std::array<std::set<uint32_t>, 2> read_ranks, written_ranks;
  net.probe = [&] {
    for (int i = 0; i < 2; ++i) {
      const VRdmaUnit& m = net.node(i).model();
      if (m.m_arvalid_o && m.m_arready_i) read_ranks[static_cast<size_t>(i)].insert(m.m_aruser_o >> 16);
      if (m.m_awvalid_o && m.m_awready_i) written_ranks[static_cast<size_t>(i)].insert(m.m_awuser_o >> 16);
    }
  };
  using Ranks = std::set<uint32_t>;
  for (const bool is_read : {false, true}) {
    for (const int rank : {5, 2}) {
      Transfer t = is_read ? read(20000) : write(20000);
      t.rank = rank;
      fill(t);
      read_ranks = written_ranks = {};
      EXPECT_EQ(run(t), Code::kDone);
      EXPECT_TRUE(arrived(t));
      const auto remote = static_cast<uint32_t>(rank);
      EXPECT_EQ(read_ranks[0], is_read ? Ranks{} : Ranks{0});
      EXPECT_EQ(read_ranks[1], is_read ? Ranks{remote} : Ranks{});
      EXPECT_EQ(written_ranks[0], Ranks{0}) << "data of a read, and the local notification";
      EXPECT_EQ(written_ranks[1], is_read ? Ranks{} : Ranks{remote});
    }
  }
  EXPECT_EQ(notified, 4);
}

// Each field of a read request and of a notification; what belongs to cells and blocks only is zero.
TEST_F(RdmaUnit, MessagesSayWhatTheContractNames) {
  for (int i = 0; i < 2; ++i) net.node(i).configure(2000, 10, 3, 16000);  // Nothing is repeated.
  std::vector<RdmaPacket> messages;
  net.monitor = [&](const RdmaPacket& p) {
    if (p.kind == RdmaPacket::kRead || p.kind == RdmaPacket::kNotify) messages.push_back(p);
  };
  for (const bool is_read : {false, true}) {
    Transfer t = is_read ? read(40000, 3) : write(40000, 3);
    t.channel = 21;
    t.rank = 6;
    t.early = true;
    fill(t);
    messages.clear();
    EXPECT_EQ(run(t), Code::kDone);
    ASSERT_EQ(messages.size(), is_read ? 2u : 1u);
    if (is_read) {
      const RdmaPacket& request = messages[0];
      EXPECT_EQ(request.kind, RdmaPacket::kRead);
      EXPECT_EQ(request.va, t.source());
      EXPECT_EQ(request.rank, 6u);
      EXPECT_EQ(request.block, 0u);
      EXPECT_FALSE(request.last_block);
      EXPECT_FALSE(request.served);
      ASSERT_EQ(request.payload.size(), 2u);
      EXPECT_EQ(request.payload[0], make_word(t.data, t.notify_va | uint64_t{1} << 63));
      EXPECT_EQ(request.payload[1], make_word(t.destination() | uint64_t{t.length} << 48, t.length >> 16));
    }
    const RdmaPacket& notification = messages.back();
    EXPECT_EQ(notification.kind, RdmaPacket::kNotify);
    EXPECT_EQ(notification.rank, is_read ? 0u : 6u);
    EXPECT_EQ(notification.block, 2u);
    EXPECT_TRUE(notification.last_block);
    EXPECT_EQ(notification.served, is_read);
    ASSERT_EQ(notification.payload.size(), 1u);
    EXPECT_EQ(RdmaPacket::low(notification.payload[0]), t.data);
    EXPECT_EQ(RdmaPacket::high(notification.payload[0]) & 0x7fffffffff, t.notify_va);
    for (const RdmaPacket& p : messages) {
      EXPECT_EQ(p.channel, is_read ? 32u + 21 : 21u);
      EXPECT_EQ(p.transfer, 1u);
      EXPECT_EQ(p.pdid, kPdid);
      EXPECT_EQ(p.attempt, 0u);
      EXPECT_EQ(p.reason, 0u);
      EXPECT_EQ(p.index, 0u);
      EXPECT_TRUE(p.early);
      EXPECT_FALSE(p.last_cell || p.notify || p.request || p.marked);
    }
  }
}

TEST_F(RdmaUnit, TwoBlocksOfATransferTakeTurns) {
  for (const bool is_read : {false, true}) {
    std::vector<uint32_t> blocks;
    net.monitor = [&](const RdmaPacket& p) {
      if (p.kind == RdmaPacket::kWrite) blocks.push_back(p.block);
    };
    Transfer t = is_read ? read(4 * 16384) : write(4 * 16384);
    t.notify = t.local_notify = false;
    fill(t);
    EXPECT_EQ(run(t), Code::kDone);
    EXPECT_TRUE(arrived(t));
    ASSERT_EQ(blocks.size(), 256u);
    // A block whose turn comes first may be one or two cells ahead.
    for (size_t i = 2; i < 120; ++i) EXPECT_NE(blocks[i], blocks[i + 1]) << "cells " << i << " and the next";
    for (size_t i = 0; i < 128; ++i) EXPECT_LT(blocks[i], 2u) << "a third block only when one of them is acknowledged";
  }
}

TEST_F(RdmaUnit, AnAnsweredReadRequestIsRepeatedOnlyAfterSilence) {
  constexpr int64_t kTimeout = 1600, kDelay = 1200;  // The fixture's timeout is 100 ticks.
  std::vector<int64_t> requests;
  net.monitor = [&](const RdmaPacket& p) {
    if (p.kind == RdmaPacket::kRead) requests.push_back(net.now());
  };
  net.filter = [&](const RdmaPacket& p) {
    if (p.kind != RdmaPacket::kAck || !p.request) return false;
    net.inject(0, p.encode(), net.now() + kDelay);
    return true;
  };
  const Transfer t = read(64);
  fill(t);
  // No data leave, and the other node has patience with that.
  net.node(1).configure(20000, 10, 15, 1600);
  net.run(50);
  net.block(1, 1);
  net.node(0).start(t);
  // Far more requests than retries: each answer begins the count anew.
  ASSERT_TRUE(net.run_until([&] { return requests.size() == 8; }, 8 * (kTimeout + kDelay + 200)));
  for (size_t i = 0; i + 1 < requests.size(); ++i) {
    EXPECT_GE(requests[i + 1] - requests[i], kDelay + kTimeout) << "request " << i;
    EXPECT_LE(requests[i + 1] - requests[i], kDelay + kTimeout + 200) << "request " << i;
  }
  net.block(1, 0);
  EXPECT_EQ(net.finish(0, t, 20000), Code::kDone);
  EXPECT_TRUE(arrived(t));
  EXPECT_EQ(notified, 1);
}

}  // namespace
}  // namespace fabrictwin::test
