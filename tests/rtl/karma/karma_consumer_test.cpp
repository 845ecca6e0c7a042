// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The consumer of the self-test against packets as docs/models/karma.md has them, and with one mistake each.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include "VKarmaConsumer__inputs.h"
#include "tests/rtl/karma/karma_words.h"
#include "tests/rtl/module_test.h"

namespace fabrictwin::test {
namespace {

constexpr int kSources = 8;

using Word = KarmaWord;

/// What the consumer says of a packet when its last word has come.
struct Verdict {
  bool wrong = false;
  uint32_t bytes = 0;
  uint32_t born = 0;
};

enum Mistake { kNone, kBit, kTooFew, kTooMany, kMarked, kFooterZero, kFooterNumber, kLostBefore, kCutOff, kMistakes };

class KarmaConsumer : public ModuleTest<VKarmaConsumer> {
 protected:
  KarmaConsumer() : ModuleTest(91) { reset(); }

  uint32_t word() { return static_cast<uint32_t>(random_()); }

  /// A packet for a VC, of any source that the other VC does not have.
  void make_packet(int vc, Mistake mistake) {
    const int source = 2 * draw(kSources / 2) + vc;
    if (mistake == kLostBefore) ++next_[static_cast<size_t>(source)];
    const uint32_t number = next_[static_cast<size_t>(source)]++;
    // Those with a mistake in their payload have one.
    const auto bytes = static_cast<uint32_t>(1 + draw(512));
    const uint32_t words = (bytes + 15) / 16;
    std::deque<Word> packet;
    const uint64_t far = random_() & 0xffff'fff8;  // The other bits of the source's number are those of its router.
    packet.push_back({.low = uint64_t{bytes} << 48 | (random_() & 0xffff'ffff),
                      .high = (far & 0xff'fff8) | static_cast<uint64_t>(source) | uint64_t{number} << 24 |
                              uint64_t{random_() & 0xff} << 56,
                      .sop = true});
    for (uint32_t i = 0; i < words; ++i) packet.push_back(karma_payload(model_.pattern_i, number, i));
    const uint32_t born = word();
    Word footer{.low = born | uint64_t{number} << 32, .high = 0, .eop = true};
    const auto changed = static_cast<size_t>(1 + draw(static_cast<int>(words)));
    if (mistake == kBit) (chance(50) ? packet[changed].low : packet[changed].high) ^= uint64_t{1} << draw(64);
    if (mistake == kTooFew) packet.pop_back();
    if (mistake == kTooMany) packet.push_back(karma_payload(model_.pattern_i, number, words));
    if (mistake == kMarked) footer.high |= uint64_t{1} << 63;
    if (mistake == kFooterZero) footer.high |= uint64_t{1} << draw(63);
    if (mistake == kFooterNumber) footer.low ^= uint64_t{1} << (32 + draw(32));
    packet.push_back(footer);
    if (mistake == kCutOff) {
      // The next packet begins in the middle of this one, and is blamed for it.
      packet.resize(changed);
      next_[static_cast<size_t>(source)] = number;
      blamed_.at(static_cast<size_t>(vc)) = true;
    } else {
      verdicts_.at(static_cast<size_t>(vc))
          .push_back({mistake != kNone || blamed_.at(static_cast<size_t>(vc)), bytes, born});
      blamed_.at(static_cast<size_t>(vc)) = false;
    }
    auto& queue = words_.at(static_cast<size_t>(vc));
    queue.insert(queue.end(), packet.begin(), packet.end());
    seen_[std::to_string(mistake)] += 1;
  }

  void step() {
    const size_t vc = words_[0].empty() ? 1 : words_[1].empty() ? 0 : random_() % 2;
    auto& m = model_;
    m.stall_i = chance(20);
    m.rx_valid_i = !words_.at(vc).empty() && chance(80);
    m.rx_vc_i = vc != 0;
    const Word sent = words_.at(vc).empty() ? Word() : words_.at(vc).front();
    m.rx_sop_i = sent.sop;
    m.rx_eop_i = sent.eop;
    m.rx_data_i[0] = static_cast<uint32_t>(sent.low);
    m.rx_data_i[1] = static_cast<uint32_t>(sent.low >> 32);
    m.rx_data_i[2] = static_cast<uint32_t>(sent.high);
    m.rx_data_i[3] = static_cast<uint32_t>(sent.high >> 32);
    m.eval();
    ASSERT_EQ(m.rx_ready_o, !m.stall_i);
    const bool taken = m.rx_valid_i && m.rx_ready_o;
    edge();
    ASSERT_EQ(m.first_o, taken && sent.sop);
    ASSERT_EQ(m.last_o, taken && sent.eop);
    ASSERT_EQ(m.credit_valid_o, taken && !sent.sop);
    if (!taken) return;
    words_.at(vc).pop_front();
    if (!sent.sop) {
      // A payload word, or the slot of a packet.
      ASSERT_EQ(m.credit_vc_o, vc);
      ASSERT_EQ(m.credit_words_o, sent.eop ? 0 : 1);
      ASSERT_EQ(m.credit_packets_o, sent.eop ? 1 : 0);
    }
    if (!sent.eop) return;
    const Verdict expected = verdicts_.at(vc).front();
    verdicts_.at(vc).pop_front();
    ASSERT_EQ(m.wrong_o, expected.wrong);
    ASSERT_EQ(m.payload_bytes_o, expected.bytes);
    ASSERT_EQ(m.born_o, expected.born);
    ++seen_[expected.wrong ? "wrong" : "right"];
  }
  void drain() {
    while (!(words_[0].empty() && words_[1].empty()) && !HasFatalFailure()) step();
  }
  void clear() {
    model_.clear_i = 1;
    model_.rx_valid_i = 0;
    edge();
    model_.clear_i = 0;
    next_ = {};
  }

  std::array<std::deque<Word>, 2> words_;
  std::array<std::deque<Verdict>, 2> verdicts_;
  std::array<uint32_t, kSources> next_{};
  std::array<bool, 2> blamed_{};  ///< The packet before was cut off.
};

TEST_F(KarmaConsumer, FindsEachMistakeOnce) {
  for (int pattern = 0; pattern < 3; ++pattern) {
    clear();
    model_.pattern_i = static_cast<uint8_t>(pattern);
    for (int i = 0; i < 1000 && !HasFatalFailure(); ++i) {
      make_packet(draw(2), chance(50) ? kNone : static_cast<Mistake>(1 + draw(kMistakes - 1)));
      if (i % 8 == 7) drain();
    }
    // Nothing is left open.
    for (const int vc : {0, 1}) make_packet(vc, kNone);
    drain();
  }
  for (int mistake = 0; mistake < kMistakes; ++mistake) EXPECT_GT(seen_[std::to_string(mistake)], 100) << mistake;
  EXPECT_GT(seen_["right"], 1000);
  EXPECT_GT(seen_["wrong"], 1000);
}

TEST_F(KarmaConsumer, BeginsAnewWithAReset) {
  model_.pattern_i = 2;
  for (int round = 0; round < 100 && !HasFatalFailure(); ++round) {
    for (const int vc : {0, 1}) make_packet(vc, chance(50) ? kNone : kBit);
    for (int i = draw(30); i > 0; --i) step();
    model_.rx_valid_i = 1;
    reset();
    ASSERT_EQ(model_.credit_valid_o, 0);
    ASSERT_EQ(model_.first_o, 0);
    ASSERT_EQ(model_.last_o, 0);
    words_ = {};
    verdicts_ = {};
    blamed_ = {};
    next_ = {};
    make_packet(draw(2), kNone);
    drain();
  }
}

}  // namespace
}  // namespace fabrictwin::test
