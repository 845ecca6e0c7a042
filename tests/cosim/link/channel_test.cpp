// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>

#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "rapidcheck/gtest.h"
#include "tests/cosim/link/ring_memory.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

// A clock whose period is no whole number of femtoseconds.
link::ChannelSpec spec() { return {7, "a->b", Time::from_ns(50), Clock(Frequency{78'125'001})}; }

// One word or credit as the receiver sees it, so that the grouping into bursts does not show.
using Item = std::tuple<int64_t, link::RecordKind, int, int, uint64_t>;  // time, kind, vc, flags, value

std::vector<Item> drain(link::ChannelReceiver& receiver) {
  std::vector<Item> items;
  EXPECT_TRUE(receiver.poll().ok());
  for (; const link::Record* record = receiver.front(); receiver.pop()) {
    if (record->kind == link::RecordKind::kCredit) {
      items.emplace_back(record->time().fs(), record->kind, record->vc, record->flags, record->count);
      continue;
    }
    if (record->kind == link::RecordKind::kHost) {
      EXPECT_EQ(record->words[2], (link::Word{~record->words[0].lo, 77}));
      items.emplace_back(record->time().fs(), record->kind, record->count, record->flags, record->words[0].lo);
      continue;
    }
    const int64_t slot = receiver.first_slot(*record);
    for (int i = 0; i < record->count; ++i) {
      int flags = i == 0 ? record->flags & link::kStartOfPacket : 0;
      if (i == record->count - 1) flags |= record->flags & link::kEndOfPacket;
      const Time time = receiver.spec().word_clock.edge(slot + i + 1) + receiver.spec().latency;
      items.emplace_back(time.fs(), record->kind, record->vc, flags, record->words[i].lo);
    }
  }
  return items;
}

struct Sent {
  link::RecordKind kind;
  int64_t slot;  // For a credit or host record: its time is edge(slot) + offset.
  int vc;
  int flags;
};

// Sends `items` (by time) with a flush at each of `flushes`, the last after everything.
std::vector<Item> through_channel(const std::vector<Sent>& items, std::vector<int64_t> flushes, uint32_t slots) {
  TestRing ring(slots);
  link::ChannelSender sender(spec(), ring.get());
  link::ChannelReceiver receiver(spec(), ring.get());
  std::vector<Item> received;
  const auto collect = [&] {
    const std::vector<Item> more = drain(receiver);
    received.insert(received.end(), more.begin(), more.end());
  };
  std::sort(flushes.begin(), flushes.end());
  flushes.push_back(10'000);
  size_t next = 0;
  for (const int64_t flush : flushes) {
    for (; next < items.size() && items[next].slot < flush; ++next) {
      const Sent& item = items[next];
      if (item.kind == link::RecordKind::kHost) {
        link::Record record;
        record.kind = link::RecordKind::kHost;
        record.flags = static_cast<uint8_t>(item.flags);
        record.count = 3;
        record.words = {link::Word{next, 0}, link::Word{}, link::Word{~uint64_t{next}, 77}};
        sender.send_record(spec().word_clock.edge(item.slot), record);
      } else if (item.kind == link::RecordKind::kCredit) {
        sender.send_credit(spec().word_clock.edge(item.slot), static_cast<uint8_t>(item.vc), 5);
      } else {
        sender.send_word(item.slot, static_cast<uint8_t>(item.vc), static_cast<uint8_t>(item.flags),
                         {static_cast<uint64_t>(next), 0});
      }
    }
    const Time until = spec().word_clock.edge(flush);
    sender.flush(until);
    do collect();
    while (!sender.drain());
    collect();
  }
  return received;
}

// Neither where the flushes fall nor how large the ring is shows in what arrives, and stamps never go back.
RC_GTEST_PROP(Channel, IsIndependentOfFlushesAndRingSize, ()) {
  std::vector<Sent> items;
  std::set<int64_t> used;
  const auto count = *rc::gen::inRange(0, 60);
  for (int i = 0; i < count; ++i) {
    const auto kind = *rc::gen::element(link::RecordKind::kBurst, link::RecordKind::kCredit, link::RecordKind::kHost);
    const int64_t slot = *rc::gen::inRange<int64_t>(0, 100);
    if (kind == link::RecordKind::kBurst && !used.insert(slot).second) continue;
    items.push_back({kind, slot, *rc::gen::inRange(0, 2), *rc::gen::inRange(0, 4)});
  }
  std::stable_sort(items.begin(), items.end(), [](const Sent& a, const Sent& b) { return a.slot < b.slot; });
  const std::vector<Item> once = through_channel(items, {}, 256);
  RC_ASSERT(once.size() == items.size());
  RC_ASSERT(std::is_sorted(once.begin(), once.end(),
                           [](const Item& a, const Item& b) { return std::get<0>(a) < std::get<0>(b); }));
  // Host records keep the order in which they were given, also those of one time.
  uint64_t last = 0;
  for (const Item& item : once) {
    if (std::get<1>(item) != link::RecordKind::kHost) continue;
    RC_ASSERT(std::get<4>(item) >= last);
    last = std::get<4>(item);
  }
  const auto flushes = *rc::gen::container<std::vector<int64_t>>(rc::gen::inRange<int64_t>(0, 110));
  RC_ASSERT(through_channel(items, flushes, 256) == once);
  RC_ASSERT(through_channel(items, flushes, 2) == once);
}

TEST(Channel, PutsHostRecordsWhereTheirTimeSays) {
  TestRing ring(16);
  link::ChannelSender sender(spec(), ring.get());
  link::ChannelReceiver receiver(spec(), ring.get());
  const auto host = [&](int64_t ns, uint8_t flags) {
    link::Record record;
    record.kind = link::RecordKind::kHost;
    record.flags = flags;
    record.count = 1;
    sender.send_record(Time::from_ns(ns), record);
  };
  host(9, 1);
  host(5, 2);
  host(9, 3);
  host(5, 4);
  sender.send_credit(Time::from_ns(9), 0, 1);
  EXPECT_EQ(sender.next_departure(), Time::from_ns(5));
  EXPECT_EQ(sender.flush(Time::from_ns(9)), 2) << "what leaves at the flush is still to come";
  EXPECT_EQ(sender.next_departure(), Time::from_ns(9));
  host(9, 5);
  sender.flush(Time::from_ns(10));
  ASSERT_TRUE(receiver.poll().ok());
  std::vector<std::pair<int64_t, int>> seen;
  for (; const link::Record* record = receiver.front(); receiver.pop()) {
    EXPECT_EQ(record->channel, 7u);
    seen.emplace_back((record->time() - spec().latency).fs() / 1000000,
                      record->kind == link::RecordKind::kHost ? record->flags : 0);
  }
  EXPECT_THAT(seen, ::testing::ElementsAre(std::pair(5, 2), std::pair(5, 4), std::pair(9, 0), std::pair(9, 1),
                                           std::pair(9, 3), std::pair(9, 5)));
}

// At one time: credits in the order of their VCs, host records, the word whose last bit has left then.
TEST(Channel, WhatSharesATimeHasOneOrder) {
  const link::ChannelSpec even{7, "a->b", Time::from_ns(50), Clock(Frequency{100'000'000})};
  const Time time = even.word_clock.edge(4);
  const std::vector<std::function<void(link::ChannelSender&)>> calls = {
      [&](link::ChannelSender& sender) { sender.send_word(3, 0, link::kStartOfPacket, {}); },
      [&](link::ChannelSender& sender) {
        link::Record record;
        record.kind = link::RecordKind::kHost;
        sender.send_record(time, record);
      },
      [&](link::ChannelSender& sender) { sender.send_credit(time, 1, 1); },
      [&](link::ChannelSender& sender) { sender.send_credit(time, 0, 1); }};
  std::vector<size_t> order = {0, 1, 2, 3};
  do {
    TestRing ring(16);
    link::ChannelSender sender(even, ring.get());
    link::ChannelReceiver receiver(even, ring.get());
    for (const size_t call : order) calls[call](sender);
    sender.flush(time + Time::from_fs(1));
    ASSERT_TRUE(receiver.poll().ok());
    std::vector<std::pair<link::RecordKind, int>> seen;
    for (; const link::Record* record = receiver.front(); receiver.pop()) {
      EXPECT_EQ(record->time(), time + even.latency);
      seen.emplace_back(record->kind, record->vc);
    }
    EXPECT_THAT(seen,
                ::testing::ElementsAre(std::pair(link::RecordKind::kCredit, 0), std::pair(link::RecordKind::kCredit, 1),
                                       std::pair(link::RecordKind::kHost, 0), std::pair(link::RecordKind::kBurst, 0)));
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Channel, PromisesTheLatencyAhead) {
  TestRing ring(4);
  link::ChannelSender sender(spec(), ring.get());
  link::ChannelReceiver receiver(spec(), ring.get());
  EXPECT_EQ(receiver.horizon(), Time::zero());
  sender.flush(Time::from_ns(10));
  ASSERT_TRUE(receiver.poll().ok());
  EXPECT_EQ(receiver.horizon(), Time::from_ns(60));
  EXPECT_EQ(receiver.front(), nullptr);
  sender.finish(Time::from_ns(10));
  ASSERT_TRUE(receiver.poll().ok());
  EXPECT_TRUE(receiver.ended());
  EXPECT_TRUE(receiver.horizon().is_never());
}

TEST(Channel, AFullRingHoldsBackInOrderAndLosesNothing) {
  TestRing ring(2);
  link::ChannelSender sender(spec(), ring.get());
  link::ChannelReceiver receiver(spec(), ring.get());
  for (int i = 0; i < 10; ++i) sender.send_credit(Time::from_ns(i), 0, 1);
  EXPECT_EQ(sender.flush(Time::from_ns(20)), 10);
  EXPECT_TRUE(sender.blocked());
  EXPECT_EQ(sender.sent(), 10u) << "held back is sent, as far as snapshots are concerned";
  int received = 0;
  while (!sender.drain()) received += static_cast<int>(drain(receiver).size());
  received += static_cast<int>(drain(receiver).size());
  EXPECT_EQ(received, 10);
}

TEST(Channel, KnowsWhenWhatItHoldsLeaves) {
  TestRing ring(4);
  link::ChannelSender sender(spec(), ring.get());
  EXPECT_TRUE(sender.next_departure().is_never());
  sender.send_word(9, 0, 0, {});
  EXPECT_EQ(sender.next_departure(), spec().word_clock.edge(10));
  sender.send_word(7, 0, 0, {});
  EXPECT_EQ(sender.next_departure(), spec().word_clock.edge(8));
  sender.send_credit(Time::from_ns(1), 0, 1);
  EXPECT_EQ(sender.next_departure(), Time::from_ns(1));
  sender.flush(spec().word_clock.edge(10));
  EXPECT_EQ(sender.next_departure(), spec().word_clock.edge(10)) << "what leaves at the flush is still to come";
  sender.flush(Time::from_us(1));
  EXPECT_TRUE(sender.next_departure().is_never());
}

class ChannelError : public ::testing::Test {
 protected:
  std::string error_of(const link::Record& record) {
    producer_.try_push(record);
    const absl::Status status = receiver_.poll();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    return std::string(status.message());
  }
  link::Record valid_burst(int64_t slot) {
    link::Record record;
    record.channel = 7;
    record.kind = link::RecordKind::kBurst;
    record.count = 1;
    record.set_time(spec().word_clock.edge(slot + 1) + spec().latency);
    return record;
  }
  TestRing ring_{8};
  link::RingProducer producer_{ring_.get()};
  link::ChannelReceiver receiver_{spec(), ring_.get()};
};

TEST_F(ChannelError, TimeThatGoesBackwards) {
  producer_.try_push(valid_burst(9));
  EXPECT_THAT(error_of(valid_burst(8)), HasSubstr("a->b"));
  EXPECT_THAT(std::string(receiver_.poll().message()), HasSubstr("time goes backwards"));
}
TEST_F(ChannelError, BeforeWhatWasPromised) {
  // What the sync table says is a promise, too.
  receiver_.raise_horizon(spec().word_clock.edge(9) + spec().latency);
  producer_.try_push(valid_burst(8));
  EXPECT_TRUE(receiver_.poll().ok()) << "at that time it is in time";
  receiver_.raise_horizon(spec().word_clock.edge(20) + spec().latency);
  EXPECT_THAT(error_of(valid_burst(18)), HasSubstr("the record comes too late, nothing was to come before"));
}
TEST_F(ChannelError, UnknownVc) {
  link::Record record = valid_burst(3);
  record.vc = 2;
  EXPECT_THAT(error_of(record), HasSubstr("VC 2"));
}
TEST_F(ChannelError, TooManyWords) {
  link::Record record = valid_burst(3);
  record.count = 4;
  EXPECT_THAT(error_of(record), HasSubstr("burst of 4 words"));
}
TEST_F(ChannelError, OffTheWordClock) {
  link::Record record = valid_burst(3);
  record.stamp += 1;
  EXPECT_THAT(error_of(record), HasSubstr("word clock"));
}
TEST_F(ChannelError, BeforeTheFirstPossibleArrival) {
  link::Record record = valid_burst(3);
  record.stamp = 5;
  EXPECT_THAT(error_of(record), HasSubstr("word clock"));
}
TEST_F(ChannelError, AnotherChannel) {
  link::Record record = valid_burst(3);
  record.channel = 8;
  EXPECT_THAT(error_of(record), HasSubstr("channel 8"));
}
TEST_F(ChannelError, UnknownKind) {
  link::Record record = valid_burst(3);
  record.kind = static_cast<link::RecordKind>(99);
  EXPECT_THAT(error_of(record), HasSubstr("kind 99"));
}
TEST_F(ChannelError, CreditOfNothing) {
  link::Record record = valid_burst(3);
  record.kind = link::RecordKind::kCredit;
  record.count = 0;
  EXPECT_THAT(error_of(record), HasSubstr("credit of no words"));
}
TEST_F(ChannelError, PacketsOnALinkOfWords) {
  link::Record record = valid_burst(3);
  record.kind = link::RecordKind::kPacket;
  EXPECT_THAT(error_of(record), HasSubstr("a record of kind 6 on a link that carries words"));
}

TEST_F(ChannelError, WordsThatAreTooWide) {
  link::ChannelSpec narrow = spec();
  narrow.type.word_bits = 32;
  receiver_ = link::ChannelReceiver(narrow, ring_.get());
  link::Record record = valid_burst(3);
  record.words = {};
  record.words[0].lo = 0xffffffff;
  producer_.try_push(record);
  EXPECT_TRUE(receiver_.poll().ok());
  record = valid_burst(4);
  record.words = {};
  record.words[0].lo = uint64_t{1} << 32;
  EXPECT_THAT(error_of(record), HasSubstr("a word of more than 32 bits"));
}

class PacketChannelError : public ChannelError {
 protected:
  PacketChannelError() {
    link::ChannelSpec packets = spec();
    packets.type = {link::LinkType::Content::kPackets, 4};
    receiver_ = link::ChannelReceiver(packets, ring_.get());
  }
};

TEST_F(PacketChannelError, WordsOnALinkOfPackets) {
  EXPECT_THAT(error_of(valid_burst(3)), HasSubstr("a record of kind 2 on a link that carries packets"));
}
TEST_F(PacketChannelError, UnknownVc) {
  link::Record record = valid_burst(3);
  record.kind = link::RecordKind::kPacket;
  record.vc = 3;
  producer_.try_push(record);
  EXPECT_TRUE(receiver_.poll().ok());
  record.vc = 4;
  EXPECT_THAT(error_of(record), HasSubstr("VC 4"));
}
TEST_F(PacketChannelError, CreditOfNothing) {
  link::Record record = valid_burst(3);
  record.kind = link::RecordKind::kReturned;
  EXPECT_THAT(error_of(record), HasSubstr("credit of no bytes"));
}

TEST_F(ChannelError, AfterTheEnd) {
  link::Record record = valid_burst(3);
  record.kind = link::RecordKind::kEnd;
  producer_.try_push(record);
  EXPECT_THAT(error_of(valid_burst(4)), HasSubstr("after the end"));
}

}  // namespace
}  // namespace fabrictwin
