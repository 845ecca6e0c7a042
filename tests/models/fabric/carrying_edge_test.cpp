// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Packets that come as words by one edge and leave as words by another.
#include "models/fabric/carrying_edge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace fabrictwin {
namespace {

using fabric::CarriedPackets;
using fabric::CarryingEdge;
using ::testing::HasSubstr;
using Words = std::vector<link::Word>;

constexpr Time kInLatency = Time::from_ns(120);
constexpr int32_t kInBufferWords = 64;
const Clock kRouterClock{Frequency{156'250'000}};

/// The edges 0, by which packets come, and 1, by which they leave, and what leaves.
class Edges : public CarryingEdge::Neighbour {
 public:
  struct Word {
    int64_t slot = 0;
    uint8_t vc = 0;
    uint8_t flags = 0;
    link::Word word;
  };
  struct Credit {
    Time sent;
    uint8_t vc = 0;
    uint8_t words = 0;
  };

  explicit Edges(bool whole = false, Bandwidth out_rate = Bandwidth{10'000'000'000})
      : in(config(0, whole, Bandwidth{10'000'000'000}), packets, *this),
        out(config(1, false, out_rate), packets, *this) {}

  static CarryingEdge::Config config(int32_t number, bool whole, Bandwidth rate) {
    return {number, kRouterClock, Clock::of_words(rate, link::kWordBits), kInLatency, kInBufferWords, whole};
  }

  std::string take(int64_t slot, uint8_t flags, const Words& words, uint8_t vc = 0) {
    std::vector<int32_t> leaving;
    std::string wrong = in.take(slot, vc, flags, words, arrivals, leaving);
    for (const int32_t edge : leaving) {
      EXPECT_EQ(edge, 1);
      out.go_on();
    }
    return wrong;
  }

  void words_leave(int32_t edge, int64_t slot, uint8_t vc, uint8_t flags, std::span<const link::Word> words) override {
    EXPECT_EQ(edge, 1);
    for (size_t i = 0; i < words.size(); ++i) {
      int of_word = 0;
      if (i == 0) of_word |= flags & link::kStartOfPacket;
      if (i + 1 == words.size()) of_word |= flags & link::kEndOfPacket;
      left.push_back({slot + static_cast<int64_t>(i), vc, static_cast<uint8_t>(of_word), words[i]});
    }
  }
  void credit_leaves(int32_t edge, Time sent, uint8_t vc, uint8_t words) override {
    EXPECT_EQ(edge, 0);
    credits.push_back({sent, vc, words});
  }

  CarriedPackets packets;
  std::vector<CarryingEdge::Arrival> arrivals;
  std::vector<Word> left;
  std::vector<Credit> credits;
  CarryingEdge in;
  CarryingEdge out;
};

/// A packet of `count` words whose body means nothing to a network.
Words packet_of(int32_t count) {
  link::PacketHeader header;
  header.destination = 5;
  header.source = 3;
  header.payload_bytes = static_cast<uint16_t>((count - 2) * link::kWordBytes);
  Words words{header.encode()};
  for (int32_t i = 1; i < count; ++i)
    words.push_back({0x1234'5678'9abc'def0ULL * static_cast<uint64_t>(i + 1), static_cast<uint64_t>(i) << 57});
  return words;
}

Time slot_end(int64_t slot) { return Clock::of_words(Bandwidth{10'000'000'000}, link::kWordBits).edge(slot + 1); }

TEST(CarryingEdgeTest, AWholePacketLeavesBitForBitWhenTheNetworkSays) {
  Edges edges(true);
  const Words words = packet_of(7);
  ASSERT_EQ(edges.take(10, link::kStartOfPacket | link::kEndOfPacket, words, 1), "");
  ASSERT_EQ(edges.arrivals.size(), 1u);
  EXPECT_EQ(edges.arrivals[0].vc, 1);
  EXPECT_EQ(edges.arrivals[0].head, slot_end(10) + kInLatency);
  EXPECT_EQ(edges.arrivals[0].tail, slot_end(16) + kInLatency);
  EXPECT_EQ(edges.arrivals[0].header.destination, 5u);
  edges.out.send(edges.arrivals[0].packet, 0, slot_end(40), slot_end(50));
  ASSERT_EQ(edges.left.size(), 7u);
  for (int64_t i = 0; i < 7; ++i) {
    EXPECT_EQ(edges.left[static_cast<size_t>(i)].word, words[static_cast<size_t>(i)]);
    EXPECT_EQ(edges.left[static_cast<size_t>(i)].slot, i == 0 ? 40 : 44 + i) << "as late as the last word";
    EXPECT_EQ(edges.left[static_cast<size_t>(i)].vc, 0);
    EXPECT_EQ(edges.left[static_cast<size_t>(i)].flags, i == 0   ? link::kStartOfPacket
                                                        : i == 6 ? link::kEndOfPacket
                                                                 : 0);
  }
}

TEST(CarryingEdgeTest, WordsFollowTheirHeaderAsTheyCome) {
  Edges edges;
  const Words words = packet_of(4);
  ASSERT_EQ(edges.take(10, link::kStartOfPacket, {words[0]}), "");
  // The header leaves four edges after it has come: two slots.
  edges.out.send(edges.arrivals[0].packet, 0, slot_end(23), slot_end(26));
  ASSERT_EQ(edges.left.size(), 1u);
  EXPECT_EQ(edges.left[0].slot, 23);
  ASSERT_EQ(edges.take(11, 0, {words[1]}), "");
  ASSERT_EQ(edges.left.size(), 2u);
  EXPECT_EQ(edges.left[1].slot, 24);
  // There is a gap of many slots: the word leaves two edges after it has come.
  ASSERT_EQ(edges.take(30, link::kEndOfPacket, {words[2], words[3]}), "");
  ASSERT_EQ(edges.left.size(), 4u);
  const int64_t taken = kRouterClock.edge_at_or_after(slot_end(30) + kInLatency);
  EXPECT_GE(slot_end(edges.left[2].slot - 1), kRouterClock.edge(taken + 2));
  EXPECT_LT(slot_end(edges.left[2].slot - 2), kRouterClock.edge(taken + 2));
  EXPECT_EQ(edges.left[3].slot, edges.left[2].slot + 1);
  EXPECT_EQ(edges.left[3].flags, link::kEndOfPacket);
}

TEST(CarryingEdgeTest, NamesPacketsThatHaveComeInPart) {
  Edges edges;
  const Words words = packet_of(4);
  EXPECT_TRUE(edges.in.waits().empty());
  ASSERT_EQ(edges.take(10, link::kStartOfPacket, {words[0], words[1], words[2]}, 1), "");
  EXPECT_THAT(edges.in.waits(), ::testing::ElementsAre("VC 1: 3 of 4 words have come"));
  ASSERT_EQ(edges.take(13, link::kEndOfPacket, {words[3]}, 1), "");
  EXPECT_TRUE(edges.in.waits().empty());
}

TEST(CarryingEdgeTest, APacketWaitsForTheWordsOfTheOneBeforeIt) {
  Edges edges;
  const Words words = packet_of(3);
  ASSERT_EQ(edges.take(0, link::kStartOfPacket, {words[0]}, 0), "");
  edges.out.send(edges.arrivals[0].packet, 0, slot_end(12), slot_end(14));
  ASSERT_EQ(edges.take(1, link::kStartOfPacket | link::kEndOfPacket, words, 1), "");
  edges.out.send(edges.arrivals[1].packet, 1, slot_end(15), slot_end(17));
  EXPECT_EQ(edges.left.size(), 1u);
  ASSERT_EQ(edges.take(20, link::kEndOfPacket, {words[1], words[2]}, 0), "");
  ASSERT_EQ(edges.left.size(), 6u);
  for (size_t i = 1; i < 6; ++i) EXPECT_GT(edges.left[i].slot, edges.left[i - 1].slot);
  EXPECT_EQ(edges.left[3].vc, 1);
  EXPECT_EQ(edges.left[3].slot, edges.left[2].slot + 1);
}

TEST(CarryingEdgeTest, ACreditLeavesWithTheLastWordAtTheEarliest) {
  Edges edges;
  const Words words = packet_of(3);
  ASSERT_EQ(edges.take(0, link::kStartOfPacket | link::kEndOfPacket, words, 0), "");
  ASSERT_EQ(edges.take(3, link::kStartOfPacket, {words[0]}, 1), "");
  edges.in.give_back(slot_end(40), 0);
  ASSERT_EQ(edges.credits.size(), 1u);
  EXPECT_EQ(edges.credits[0].sent, slot_end(40));
  EXPECT_EQ(edges.credits[0].words, 3);
  edges.in.give_back(slot_end(5), 1);
  EXPECT_EQ(edges.credits.size(), 1u) << "two of its words have not come";
  ASSERT_EQ(edges.take(60, link::kEndOfPacket, {words[1], words[2]}, 1), "");
  ASSERT_EQ(edges.credits.size(), 2u);
  EXPECT_EQ(edges.credits[1].sent, slot_end(61) + kInLatency);
  EXPECT_EQ(edges.credits[1].vc, 1);
}

TEST(CarryingEdgeTest, SaysWhatIsWrongWithWords) {
  const Words words = packet_of(3);
  Edges edges;
  EXPECT_THAT(edges.take(0, 0, {words[1]}), HasSubstr("belongs to no packet"));
  ASSERT_EQ(edges.take(1, link::kStartOfPacket, {words[0]}), "");
  EXPECT_THAT(edges.take(2, link::kStartOfPacket, {words[0]}), HasSubstr("within another one"));
  EXPECT_THAT(edges.take(3, link::kEndOfPacket, {words[1]}), HasSubstr("a packet of 2 words, whose header says 3"));
  EXPECT_THAT(edges.take(4, 0, {words[1], words[2]}), HasSubstr("a packet of 3 words, whose header says 3"));
  link::PacketHeader header;
  header.payload_bytes = 300;
  EXPECT_THAT(edges.take(5, link::kStartOfPacket, {header.encode()}, 1), HasSubstr("announces 300 bytes"));
  Edges full;
  for (int64_t i = 0; i < 3; ++i)
    ASSERT_EQ(full.take(18 * i, link::kStartOfPacket | link::kEndOfPacket, packet_of(18)), "");
  EXPECT_THAT(full.take(54, link::kStartOfPacket | link::kEndOfPacket, packet_of(18)),
              HasSubstr("beyond its buffer of 64"));
  EXPECT_THAT(full.out.take_credit(0, 1), HasSubstr("a credit of 1 words, and 0 are owed"));
}

// However words come, they leave once, in order and in slots of their own, and none before a router could pass it on.
RC_GTEST_PROP(CarryingEdgeTest, NothingLeavesBeforeItComes, ()) {
  const auto rate = *rc::gen::element(10, 16, 20);
  Edges edges(false, Bandwidth{rate * 1'000'000'000LL});
  const Clock slots = Clock::of_words(Bandwidth{rate * 1'000'000'000LL}, link::kWordBits);
  int64_t slot = 0;
  std::vector<std::pair<link::Word, Time>> came;
  const int packets = *rc::gen::inRange(1, 5);
  for (int p = 0; p < packets; ++p) {
    const Words words = packet_of(*rc::gen::inRange(2, 19));
    const auto gone_after = *rc::gen::inRange<size_t>(1, words.size() + 1);
    for (size_t i = 0; i < words.size(); ++i) {
      slot += *rc::gen::weightedElement<int64_t>({{6, 1}, {1, 2}, {1, 40}});
      const int flags = (i == 0 ? link::kStartOfPacket : 0) | (i + 1 == words.size() ? link::kEndOfPacket : 0);
      RC_ASSERT(edges.take(slot, static_cast<uint8_t>(flags), {words[i]}) == "");
      came.emplace_back(words[i], slot_end(slot) + kInLatency);
      if (i + 1 != gone_after) continue;
      const Time begin = edges.arrivals.back().head + kRouterClock.edge(4);
      edges.out.send(edges.arrivals.back().packet, 0, begin, begin + slots.edge(static_cast<int64_t>(words.size())));
    }
    edges.in.give_back(Time::zero(), 0);
  }
  RC_ASSERT(edges.left.size() == came.size());
  for (size_t i = 0; i < came.size(); ++i) {
    RC_ASSERT(edges.left[i].word == came[i].first);
    if (i > 0) RC_ASSERT(edges.left[i].slot > edges.left[i - 1].slot);
    RC_ASSERT(slots.edge(edges.left[i].slot) >= came[i].second + kRouterClock.edge(2));
  }
  RC_ASSERT(edges.credits.size() == static_cast<size_t>(packets));
}

}  // namespace
}  // namespace fabrictwin
