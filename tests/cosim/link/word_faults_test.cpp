// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/link/word_faults.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "rapidcheck/gtest.h"
#include "tests/cosim/link/ring_memory.h"

namespace fabrictwin {
namespace {

using link::WordFault;
using link::WordFaults;

// A clock whose period is no whole number of femtoseconds.
const Clock kWords(Frequency{78'125'001});
const Time kLatency = Time::from_ns(120);
const Time kBack = Time::from_ns(130);
const Time kRefresh = Time::from_us(26);
constexpr uint64_t kBadBit = uint64_t{1} << 63;

WordFaults::Config config(std::vector<WordFault> faults, Time refresh = kRefresh) {
  WordFaults::Config config;
  config.seed = 5;
  config.channel = 7;
  config.word_clock = kWords;
  config.latency = kLatency;
  config.back_latency = kBack;
  config.refresh = refresh;
  config.faults = std::move(faults);
  return config;
}

/// The word at `index` of a packet of `words` in slot `slot`; its content says which it is.
WordFaults::Sent word_of(int64_t slot, int32_t index, int32_t words, uint8_t vc = 0) {
  uint8_t flags = 0;
  if (index == 0) flags |= link::kStartOfPacket;
  if (index == words - 1) flags |= link::kEndOfPacket;
  return {slot, {static_cast<uint64_t>(slot) + 1, static_cast<uint64_t>(index) + 1}, vc, flags};
}

std::vector<WordFaults::Returned> returned_by(WordFaults& faults) {
  std::vector<WordFaults::Returned> all;
  for (WordFaults::Returned one; faults.take_returned(one);) all.push_back(one);
  return all;
}

TEST(BitErrors, AreAsFrequentAsTheirRate) {
  const link::BitErrors errors(1e-3);
  const RandomStream stream(3, 4, RandomPurpose::kTest);
  std::array<uint64_t, 4> by_quarter{};
  uint64_t hit = 0;
  constexpr uint64_t kSamples = 200'000;
  for (uint64_t number = 0; number < kSamples; ++number) {
    bool any = false;
    errors.sample(stream, number, 128, [&](int32_t bit) {
      any = true;
      ++by_quarter[static_cast<size_t>(bit / 32)];
    });
    if (any) ++hit;
  }
  EXPECT_NEAR(static_cast<double>(hit), kSamples * 0.12017, 5 * 145.0) << "1 - (1 - 0.001)^128";
  for (const uint64_t quarter : by_quarter) EXPECT_NEAR(static_cast<double>(quarter), kSamples * 0.032, 5 * 80.0);
}

TEST(BitErrors, NoneAtRateZero) {
  const link::BitErrors errors(0);
  const RandomStream stream(3, 4, RandomPurpose::kTest);
  for (uint64_t number = 0; number < 10'000; ++number) errors.sample(stream, number, 192, [](int32_t) { FAIL(); });
}

// Every packet is corrected, marked or lost as its wrong bits demand; all words are delivered or given back.
TEST(WordFaults, BitErrorsDamageOrLosePackets) {
  WordFaults faults(config({{Time::zero(), Time::never(), 1e-4}}));
  constexpr int32_t kPacket = 18;
  uint64_t delivered = 0;
  uint64_t given_back = 0;
  uint64_t differing_bits = 0;
  uint64_t marked = 0;
  int64_t slot = 0;
  constexpr int kPackets = 5000;
  for (int packet = 0; packet < kPackets; ++packet) {
    bool wrong = false;
    for (int32_t index = 0; index < kPacket; ++index, ++slot) {
      const WordFaults::Sent sent = word_of(slot, index, kPacket);
      std::optional<WordFaults::Sent> passed = faults.pass(sent);
      if (!passed.has_value()) continue;
      ++delivered;
      EXPECT_EQ(passed->slot, slot);
      EXPECT_EQ(passed->flags, sent.flags);
      if (index == 0) {
        EXPECT_EQ(passed->word, sent.word) << "headers that are delivered are right";
      }
      const bool mark = index == kPacket - 1 && (passed->word.hi & kBadBit) != 0;
      if (mark) {
        ++marked;
        passed->word.hi &= ~kBadBit;
      }
      const auto differ = static_cast<uint64_t>(__builtin_popcountll(passed->word.lo ^ sent.word.lo) +
                                                __builtin_popcountll(passed->word.hi ^ sent.word.hi));
      differing_bits += differ;
      wrong = wrong || differ > 0;
      if (index == kPacket - 1 && wrong) {
        EXPECT_TRUE(mark);
      }
    }
    const Time arrived = kWords.edge(slot) + kLatency;
    for (const WordFaults::Returned& returned : returned_by(faults)) {
      EXPECT_EQ(returned.count, kPacket);
      EXPECT_EQ(returned.arrival, arrived + kRefresh + kBack + Time::from_fs(1));
      given_back += returned.count;
    }
  }
  const link::WordFaultCounters& counters = faults.counters()[0];
  EXPECT_EQ(delivered + given_back, uint64_t{kPackets} * kPacket);
  EXPECT_EQ(counters.lost_words.get(), given_back);
  EXPECT_EQ(counters.lost_packets.get() * kPacket, given_back);
  EXPECT_EQ(counters.damaged_packets.get(), marked);
  EXPECT_NEAR(static_cast<double>(counters.lost_packets.get()), kPackets * (1 - std::exp(-0.0064)), 5 * 5.7)
      << "a wrong bit in 64 of the frame";
  EXPECT_NEAR(static_cast<double>(counters.corrected_headers.get()), kPackets * 0.0127, 5 * 8.0) << "one of 128";
  EXPECT_NEAR(static_cast<double>(marked), kPackets * (1 - std::exp(-0.2208)), 5 * 31.5) << "one of 17 x 128 + 32";
  EXPECT_GT(differing_bits, 500u);
}

TEST(WordFaults, ALinkThatFailsLosesWholePackets) {
  const Time at = kWords.edge(95);
  const Time until = kWords.edge(300);
  WordFaults faults(config({{at, until}}));
  constexpr int32_t kPacket = 10;
  std::map<int64_t, int32_t> words;  // By first slot of the packet.
  std::vector<WordFaults::Returned> returned;
  for (int64_t slot = 0; slot < 400; ++slot) {
    const auto index = static_cast<int32_t>(slot % kPacket);
    const auto passed = faults.pass(word_of(slot, index, kPacket));
    if (passed.has_value()) {
      ++words[slot - index];
      const bool whole = kWords.edge(slot + 1) + kLatency < at || kWords.edge(slot + 1) >= until;
      EXPECT_EQ(passed->word.lo, whole ? static_cast<uint64_t>(slot) + 1 : 0u) << slot;
      if (index == kPacket - 1) {
        EXPECT_EQ((passed->word.hi & kBadBit) != 0, words[slot - index] > 0 && slot - index == 80) << slot;
      }
    }
    const auto more = returned_by(faults);
    returned.insert(returned.end(), more.begin(), more.end());
  }
  // The wire holds 9.4 words, so half of the packet that begins in slot 80 has arrived, and nothing of that in slot 90.
  for (const auto& [first, count] : words) EXPECT_EQ(count, kPacket) << first;
  EXPECT_TRUE(words.contains(80));
  EXPECT_FALSE(words.contains(90));
  EXPECT_FALSE(words.contains(290));
  EXPECT_TRUE(words.contains(300));
  ASSERT_EQ(returned.size(), 21u);
  for (const WordFaults::Returned& one : returned)
    EXPECT_EQ(one.arrival,
              std::max(until, one.arrival - kRefresh - kBack - Time::from_fs(1)) + kRefresh + kBack + Time::from_fs(1));
  EXPECT_EQ(returned.front().arrival, until + kRefresh + kBack + Time::from_fs(1));
  EXPECT_EQ(faults.counters()[0].lost_packets.get(), 21u);
  EXPECT_EQ(faults.counters()[0].damaged_packets.get(), 1u);
}

TEST(WordFaults, CreditsOfLostWordsWaitForTheOtherDirection) {
  WordFaults::Config both = config({{Time::zero(), Time::from_us(1)}});
  both.back_faults = {{Time::zero(), Time::from_us(100)}, {Time::from_us(110), Time::from_us(130)}};
  WordFaults faults(both);
  EXPECT_FALSE(faults.pass(word_of(0, 0, 1)).has_value());
  const auto returned = returned_by(faults);
  ASSERT_EQ(returned.size(), 1u);
  EXPECT_EQ(returned[0].arrival, Time::from_us(130) + kRefresh + kBack + Time::from_fs(1));
}

TEST(WordFaults, NothingComesBackFromALinkThatStaysAway) {
  WordFaults faults(config({{Time::zero(), Time::never()}}));
  EXPECT_FALSE(faults.pass(word_of(0, 0, 1)).has_value());
  EXPECT_TRUE(returned_by(faults).empty());
  EXPECT_TRUE(faults.credit(Time::from_us(1), 0).is_never());
}

TEST(WordFaults, CreditsComeWithTheFirstFrameAfterAFailure) {
  WordFaults faults(config({{Time::from_us(10), Time::from_us(20)}, {Time::from_us(40), Time::from_us(50)}}));
  EXPECT_EQ(faults.credit(Time::from_us(9), 0), Time::from_us(9));
  EXPECT_EQ(faults.credit(Time::from_us(10) - kLatency, 0), Time::from_us(50) + kRefresh + Time::from_fs(1))
      << "on the wire, and the first frame after that meets the second fault";
  EXPECT_EQ(faults.credit(Time::from_us(20), 1), Time::from_us(20));
  EXPECT_EQ(faults.credit(Time::from_us(45), 1), Time::from_us(50) + kRefresh + Time::from_fs(1));
  EXPECT_EQ(faults.counters()[0].late_credits.get(), 1u);
  EXPECT_EQ(faults.counters()[1].late_credits.get(), 1u);
}

TEST(WordFaults, BitErrorsDelayCredits) {
  WordFaults faults(config({{Time::zero(), Time::never(), 1e-3}}));
  int late = 0;
  for (int64_t credit = 0; credit < 10'000; ++credit) {
    const Time sent = Time::from_ns(credit * 64);
    const Time leaves = faults.credit(sent, 0);
    if (leaves == sent) continue;
    ++late;
    EXPECT_EQ(leaves, sent + kRefresh + Time::from_fs(1));
  }
  EXPECT_NEAR(late, 10'000 * (1 - std::exp(-0.064)), 5 * 24.1);
}

// Words of two VCs, without a protocol that makes losses good.
TEST(WordFaults, PacketsWaitForALinkThatReturns) {
  const Time at = kWords.edge(5);
  const Time until = kWords.edge(50);
  WordFaults faults(config({{at, until}}, Time::zero()));
  std::vector<std::tuple<int64_t, int, uint64_t>> out;  // Slot, VC, which word.
  const auto send = [&](int64_t slot, int32_t index, int32_t words, uint8_t vc) {
    if (const auto passed = faults.pass(word_of(slot, index, words, vc)); passed.has_value())
      out.emplace_back(passed->slot, passed->vc, passed->word.lo - 1);
  };
  // VC 0 has begun in slot 4 and goes on; VC 1 begins in slot 5 and waits; so does the next of VC 0.
  send(4, 0, 3, 0);
  send(5, 0, 2, 1);
  send(6, 1, 3, 0);
  send(7, 1, 2, 1);
  send(8, 2, 3, 0);
  send(9, 0, 1, 0);
  // These come while the link returns, and queue behind.
  send(50, 0, 1, 1);
  send(51, 0, 1, 0);
  send(60, 0, 1, 0);
  const std::vector<std::tuple<int64_t, int, uint64_t>> expected{
      {4, 0, 4}, {50, 1, 5}, {6, 0, 6}, {51, 1, 7}, {8, 0, 8}, {52, 0, 9}, {53, 1, 50}, {54, 0, 51}, {60, 0, 60}};
  EXPECT_EQ(out, expected);
  EXPECT_EQ(faults.counters()[0].held_words.get(), 3u);
  EXPECT_EQ(faults.credit(kWords.edge(20), 0), kWords.edge(20)) << "credits pass";
}

// Whatever faults there are, packets come whole, in order, in slots of their own and not while the link is down.
RC_GTEST_PROP(WordFaultsHold, ForAnyPacketsAndFaults, ()) {
  std::vector<WordFault> downs;
  int64_t edge = 0;
  for (int i = 0; i < *rc::gen::inRange(1, 4); ++i) {
    const int64_t from = edge + *rc::gen::inRange(0, 40);
    edge = from + *rc::gen::inRange(1, 40);
    downs.push_back({kWords.edge(from), kWords.edge(edge)});
  }
  WordFaults faults(config(downs, Time::zero()));
  std::array<int32_t, link::kVcs> left{};
  std::array<std::vector<uint64_t>, link::kVcs> sent;
  std::map<int64_t, std::pair<int, uint64_t>> out;
  const auto more = *rc::gen::container<std::vector<int>>(200, rc::gen::inRange(0, 12));
  int64_t slot = 0;
  for (const int step : more) {
    slot += step < 3 ? step : 0;
    const auto vc = static_cast<uint8_t>(step % 2);
    const bool starts = left[vc] == 0;
    if (starts) left[vc] = 1 + step / 2;
    --left[vc];
    const auto flags =
        static_cast<uint8_t>((starts ? link::kStartOfPacket : 0) | (left[vc] == 0 ? link::kEndOfPacket : 0));
    const uint64_t number = sent[vc].size();
    sent[vc].push_back(number);
    const auto passed = faults.pass({slot, {number, flags}, vc, flags});
    RC_ASSERT(passed.has_value());
    RC_ASSERT(passed->slot >= slot);
    RC_ASSERT(out.emplace(passed->slot, std::pair<int, uint64_t>(vc, number)).second);
    if (starts) {
      const Time begins = kWords.edge(passed->slot);
      for (const WordFault& down : downs) RC_ASSERT(begins < down.at || begins >= down.until);
    }
    ++slot;
  }
  std::array<std::vector<uint64_t>, link::kVcs> arrived;
  for (const auto& [at, word] : out) arrived[static_cast<size_t>(word.first)].push_back(word.second);
  RC_ASSERT(arrived == sent);
}

// Whatever faults there are, each packet comes whole or not at all; then the credits of its words come back, once.
RC_GTEST_PROP(WordFaultsLose, WholePacketsForAnyFaults, ()) {
  const auto random_downs = [] {
    std::vector<WordFault> downs;
    int64_t edge = 0;
    const int count = *rc::gen::inRange(0, 3);
    for (int i = 0; i < count; ++i) {
      const int64_t from = edge + *rc::gen::inRange(0, 80);
      edge = from + *rc::gen::inRange(1, 80);
      downs.push_back({kWords.edge(from), kWords.edge(edge)});
    }
    return downs;
  };
  WordFaults::Config of = config(random_downs());
  of.back_faults = random_downs();
  of.faults.push_back({Time::zero(), Time::never(), *rc::gen::element(1e-9, 1e-4, 1e-3)});
  of.seed = *rc::gen::inRange<uint64_t>(0, 1000);
  WordFaults faults(of);
  const auto sizes = *rc::gen::container<std::vector<int32_t>>(40, rc::gen::inRange(2, 19));
  int64_t slot = 0;
  for (const int32_t words : sizes) {
    const auto vc = static_cast<uint8_t>(words % 2);
    int32_t delivered = 0;
    bool changed = false;
    bool marked = false;
    for (int32_t index = 0; index < words; ++index, ++slot) {
      const WordFaults::Sent sent = word_of(slot, index, words, vc);
      auto passed = faults.pass(sent);
      if (!passed.has_value()) continue;
      ++delivered;
      RC_ASSERT(passed->slot == slot);
      if (index == words - 1) marked = (std::exchange(passed->word.hi, passed->word.hi & ~kBadBit) & kBadBit) != 0;
      changed = changed || passed->word != sent.word;
    }
    RC_ASSERT(delivered == 0 || delivered == words);
    RC_ASSERT(marked || !changed);
    const auto returned = returned_by(faults);
    RC_ASSERT(returned.size() == (delivered == 0 ? 1u : 0u));
    if (returned.empty()) continue;
    RC_ASSERT(returned[0].count == words && returned[0].vc == vc);
    RC_ASSERT(returned[0].arrival > kWords.edge(slot) + kLatency + kRefresh + kBack);
    const Time left = returned[0].arrival - kBack;
    for (const WordFault& down : of.back_faults) RC_ASSERT(returned[0].arrival < down.at || left >= down.until);
  }
}

using Arrived = std::tuple<int64_t, int, int, uint64_t>;  // time, VC, count of a credit or -1, word

std::vector<Arrived> arrived_from(link::ChannelReceiver& receiver) {
  std::vector<Arrived> items;
  EXPECT_TRUE(receiver.poll().ok());
  for (; const link::Record* record = receiver.front(); receiver.pop()) {
    if (record->kind == link::RecordKind::kCredit) {
      items.emplace_back(record->time().fs(), record->vc, record->count, 0);
      continue;
    }
    const int64_t slot = receiver.first_slot(*record);
    for (int i = 0; i < record->count; ++i) {
      items.emplace_back((receiver.spec().word_clock.edge(slot + i + 1) + kLatency).fs(), record->vc, -1,
                         record->words[static_cast<size_t>(i)].lo);
    }
  }
  return items;
}

/// What arrives over both directions of a link if words and credits leave on one, and faults befall them at either end.
std::pair<std::vector<Arrived>, std::vector<Arrived>> both_ways(const WordFaults::Config& faults_config, bool at_sender,
                                                                int packets) {
  const link::ChannelSpec there{7, "a->b", kLatency, kWords};
  const link::ChannelSpec back{6, "b->a", kBack, kWords};
  TestRing there_ring(4096);
  TestRing back_ring(4096);
  link::ChannelSender a_out(there, there_ring.get());
  link::ChannelReceiver b_in(there, there_ring.get());
  link::ChannelSender b_out(back, back_ring.get());
  link::ChannelReceiver a_in(back, back_ring.get());
  WordFaults faults(faults_config);
  at_sender ? a_out.bind_faults(faults, a_in) : b_in.bind_faults(faults, b_out);
  std::pair<std::vector<Arrived>, std::vector<Arrived>> items;
  const auto flush = [&](Time until) {
    a_out.flush(until);
    const std::vector<Arrived> arrived = arrived_from(b_in);
    items.first.insert(items.first.end(), arrived.begin(), arrived.end());
    b_out.flush(until);
    const std::vector<Arrived> returned = arrived_from(a_in);
    items.second.insert(items.second.end(), returned.begin(), returned.end());
  };
  int64_t slot = 0;
  for (int packet = 0; packet < packets; ++packet) {
    for (int32_t index = 0; index < 6; ++index, ++slot) {
      const WordFaults::Sent word = word_of(slot, index, 6, static_cast<uint8_t>(packet % 2));
      a_out.send_word(slot, word.vc, word.flags, word.word);
      if (index == 3) a_out.send_credit(kWords.edge(slot), 0, 4);
    }
  }
  flush(kWords.edge(slot) + Time::from_us(500));
  std::sort(items.first.begin(), items.first.end());
  std::sort(items.second.begin(), items.second.end());
  return items;
}

TEST(WordFaults, AreTheSameAtBothEndsOfAChannel) {
  const std::vector<WordFault> faults{{Time::from_us(2), Time::from_us(5)}, {Time::zero(), Time::never(), 1e-4}};
  for (const Time refresh : {kRefresh, Time::zero()}) {
    const WordFaults::Config of = config(faults, refresh);
    const auto at_sender = both_ways(of, true, 200);
    const auto at_receiver = both_ways(of, false, 200);
    EXPECT_EQ(at_sender.first, at_receiver.first);
    EXPECT_EQ(at_sender.second, at_receiver.second);
    EXPECT_EQ(at_sender.second.empty(), refresh == Time::zero());
  }
}

}  // namespace
}  // namespace fabrictwin
