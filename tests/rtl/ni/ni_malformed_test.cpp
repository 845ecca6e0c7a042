// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What no network interface sends: every kind is counted, dropped, and neither stops the port nor costs credits.
#include <gtest/gtest.h>

#include <array>

#include "tests/rtl/ni/ni_host.h"

namespace fabrictwin::test {
namespace {

constexpr int kPdid = 77;

class NiMalformed : public testing::Test {
 protected:
  NiMalformed() {
    for (int i = 0; i < 64; ++i) host_.configure_mailbox(i, kPdid);
    NiHost(network_, 0).enable_packetizer(0, kPdid);
    host_.wait_ready();
  }

  static NiPacket message(int bytes) {
    NiPacket packet;
    packet.kind = kKindMessage;
    packet.source = NiNetwork::node(0);
    packet.destination = NiNetwork::node(1);
    packet.pdid = kPdid;
    packet.va = mailbox_va(3);
    packet.channel = 17;
    packet.sequence = next_sequence_++;
    packet.data = message_data(packet.sequence, bytes);
    return packet;
  }
  /// With a footer that fits the words before it.
  static std::vector<NiWord> signed_words(std::vector<NiWord> words) {
    words.pop_back();
    words.push_back({ni_crc32(words), 0});
    return words;
  }
  /// Gives device 1 these words, then a good message, and expects exactly this in the counters.
  void expect(const std::vector<NiLinkWord>& words, std::array<int, kNiCounters> counts) {
    for (int vc = 0; vc < 2; ++vc) {
      std::array<uint64_t, kNiCounters> before;
      for (int c = 0; c < kNiCounters; ++c) before[static_cast<size_t>(c)] = network_.counter(1, c);
      std::vector<NiLinkWord> on_vc = words;
      for (NiLinkWord& word : on_vc) word.vc = vc;
      if (!on_vc.empty()) network_.inject(1, on_vc);
      network_.inject(1, ni_frame(message(24).words(), vc));
      ASSERT_TRUE(network_.drain()) << "credits are missing";
      for (int c = 0; c < kNiCounters; ++c) {
        const int want = counts[static_cast<size_t>(c)] + (c == kCountAccepted ? 1 : 0);
        EXPECT_EQ(network_.counter(1, c) - before[static_cast<size_t>(c)], static_cast<uint64_t>(want))
            << "counter " << c << " VC " << vc;
      }
      host_.set_head(3, host_.tail(3));
      ++cases_;
    }
  }
  static std::array<int, kNiCounters> one(int counter, int count = 1) {
    std::array<int, kNiCounters> counts{};
    counts[static_cast<size_t>(counter)] = count;
    return counts;
  }

  NiNetwork network_{3, NiStalls{.tx = 80, .rx = 80, .credit = 60, .axi = 90}};
  NiHost host_{network_, 1};
  int cases_ = 0;
  static uint32_t next_sequence_;
};
uint32_t NiMalformed::next_sequence_ = 1;

TEST_F(NiMalformed, EveryWordOfAMessageSpoilt) {
  for (size_t w = 2; w < 7; ++w) {
    for (int bit : {0, 31, 63, 64, 100, 127}) {
      std::vector<NiWord> words = message(60).words();
      (bit < 64 ? words[w].lo : words[w].hi) ^= uint64_t{1} << (bit % 64);
      expect(ni_frame(words, 0), one(kCountCrc));
    }
  }
  EXPECT_EQ(cases_, 60);
}

TEST_F(NiMalformed, WrongNodeInEitherHeader) {
  NiPacket packet = message(8);
  packet.destination = 2;
  expect(ni_frame(packet.words(), 0), one(kCountNode));
  std::vector<NiWord> words = message(8).words();
  words[1].lo ^= uint64_t{1} << 42;
  expect(ni_frame(signed_words(words), 0), one(kCountNode));
}

TEST_F(NiMalformed, LengthsThatDoNotFit) {
  // More than a packet can hold, less than the own header, more than a message may have, data after an answer, and two
  // lengths that disagree.
  std::vector<NiWord> words = message(8).words();
  words[0].lo = (words[0].lo & ~(uint64_t{0x3ff} << 48)) | uint64_t{257} << 48;
  expect(ni_frame(words, 0), one(kCountLength));
  words[0].lo = (words[0].lo & ~(uint64_t{0x3ff} << 48)) | uint64_t{15} << 48;
  expect(ni_frame(words, 0), one(kCountLength));
  expect(ni_frame(message(65).words(), 0), one(kCountLength));
  expect(ni_frame(message(240).words(), 0), one(kCountLength));
  NiPacket answer = message(1);
  answer.kind = kKindAck;
  expect(ni_frame(answer.words(), 0), one(kCountLength));
  words = message(8).words();
  words[1].hi ^= uint64_t{1} << 48;
  expect(ni_frame(signed_words(words), 0), one(kCountLength));
}

TEST_F(NiMalformed, UnknownKinds) {
  for (int kind : {0, 4, 5, 6, 7, 8, 15}) {
    NiPacket packet = message(8);
    packet.kind = kind;
    expect(ni_frame(packet.words(), 0), one(kCountKind));
  }
}

TEST_F(NiMalformed, StrangeSources) {
  NiPacket packet = message(8);
  packet.source = 1u << kNiPeerBits;
  expect(ni_frame(packet.words(), 0), one(kCountStranger));
}

TEST_F(NiMalformed, Frames) {
  std::vector<NiLinkWord> words;
  // Cut off after each word: the next packet's beginning ends it.
  for (size_t length = 2; length < 7; ++length) {
    words = ni_frame(message(60).words(), 0);
    words.resize(length - 1);
    expect(words, one(kCountFrame));
  }
  // End too early, after each word.
  for (size_t length = 1; length < 6; ++length) {
    words = ni_frame(message(60).words(), 0);
    words.resize(length);
    words.back().eop = true;
    expect(words, one(kCountFrame));
  }
  // The end is missing where it should be; two more words follow, the last with the flag.
  words = ni_frame(message(20).words(), 0);
  words.back().eop = false;
  words.push_back(words[2]);
  words.push_back(words[2]);
  words.back().eop = true;
  expect(words, one(kCountFrame));
  // The same of an RDMA packet, whose words are held back.
  NiPacket rdma = message(200);
  rdma.packet_kind = 1;
  for (size_t length : {3u, 8u, 14u}) {
    words = ni_frame(rdma.words(), 0);
    words.resize(length);
    expect(words, one(kCountFrame));
    words.back().eop = true;
    expect(words, one(kCountFrame));
  }
  // A packet that begins within it is seen without its words.
  std::vector<std::vector<NiWord>> seen;
  network_.on_rdma = [&seen](int to, const std::vector<NiWord>& received) {
    if (to == 1) seen.push_back(received);
  };
  words = ni_frame(rdma.words(), 0);
  words.resize(8);
  for (const NiLinkWord& word : ni_frame(rdma.words(), 0)) words.push_back(word);
  std::array<int, kNiCounters> counts = one(kCountFrame);
  counts[kCountRdma] = 1;
  expect(words, counts);
  EXPECT_EQ(seen, (std::vector<std::vector<NiWord>>(2, rdma.words())));
  // Words without a beginning.
  words = {{{1, 2}, 0, false, false}, {{3, 4}, 0, false, true}, {{5, 6}, 0, false, false}};
  expect(words, one(kCountStray, 3));
}

TEST_F(NiMalformed, RdmaPacketsAreNotLookedInto) {
  std::vector<std::vector<NiWord>> seen;
  network_.on_rdma = [&seen](int to, const std::vector<NiWord>& words) {
    if (to == 1) seen.push_back(words);
  };
  std::vector<std::vector<NiWord>> sent;
  NiPacket rdma = message(240);
  rdma.packet_kind = 5;
  for (size_t w = 1; w < 18; ++w) {
    std::vector<NiWord> words = rdma.words();
    words[w].hi ^= 1;
    sent.insert(sent.end(), 2, words);  // Once on each VC.
    expect(ni_frame(words, 0), one(kCountRdma));
  }
  EXPECT_EQ(seen, sent);
  // The shortest has no payload.
  std::vector<NiWord> words = rdma.words();
  words[0].lo &= ~(uint64_t{0x3ff} << 48);
  words = {words.front(), words.back()};
  seen.clear();
  expect(ni_frame(words, 1), one(kCountRdma));
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen.front(), words);
}

TEST_F(NiMalformed, AnswersThatNobodyAskedFor) {
  for (int kind : {kKindAck, kKindNack}) {
    NiPacket answer = message(0);
    answer.kind = kind;
    expect(ni_frame(answer.words(), 0), one(kCountIgnored));
  }
}

TEST_F(NiMalformed, NoiseDoesNotWedgeThePort) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<NiLinkWord> words;
    const int vc = static_cast<int>(random() % 2);
    for (uint64_t k = 1 + random() % 30; k > 0; --k) {
      NiLinkWord word{{random(), random()}, vc, random() % 4 == 0, random() % 4 == 0};
      // Half of the beginnings look like a packet for this node.
      if (word.sop && random() % 2 == 0) word.word = message(static_cast<int>(random() % 64)).words()[0];
      words.push_back(word);
    }
    network_.inject(1, words);
  }
  ASSERT_TRUE(network_.drain());
  EXPECT_GT(network_.counter(1, kCountStray), 0u);
  expect({}, {});
}

}  // namespace
}  // namespace fabrictwin::test
