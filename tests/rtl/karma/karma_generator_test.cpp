// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The generator of the self-test against what its pins are said to do, cycle by cycle.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

#include "VKarmaGenerator__inputs.h"
#include "tests/rtl/karma/karma_words.h"
#include "tests/rtl/module_test.h"

namespace fabrictwin::test {
namespace {

constexpr uint32_t kStream = 0, kReflect = 1, kPing = 2;
// Parameters of the instance.
constexpr int kInitialWords = 40, kInitialPackets = 3;

class KarmaGenerator : public ModuleTest<VKarmaGenerator> {
 protected:
  KarmaGenerator() : ModuleTest(57) { reset(); }

  uint32_t payload_words() const { return (model_.payload_bytes_i + 15u) / 16; }

  /// Sets what a series of packets is to be.
  void choose(uint32_t mode) {
    model_.mode_i = static_cast<uint8_t>(mode);
    model_.pattern_i = static_cast<uint8_t>(draw(3));
    model_.payload_bytes_i = static_cast<uint16_t>(chance(20) ? draw(3) : draw(513));
    model_.coordinates_i = static_cast<uint32_t>(random_() & 0xff'ffff);
    model_.tile_port_i = static_cast<uint8_t>(draw(8));
    model_.source_i = static_cast<uint32_t>(random_() & 0xff'ffff);
    model_.gap_i = static_cast<uint16_t>(chance(50) ? 0 : draw(9));
    model_.packets_i = static_cast<uint32_t>(draw(6));
  }

  /// The word that is to be on the pins, if any.
  std::optional<KarmaWord> expected() const {
    const uint32_t words = payload_words();
    const bool begins = active_ && gap_ == 0 && (model_.mode_i == kStream || budget_ > 0) &&
                        words_ >= static_cast<int>(words) && packets_ > 0;
    if (word_ == 0 && !begins) return std::nullopt;
    KarmaWord word;
    if (word_ == 0) {
      word.low = uint64_t{model_.tile_port_i} << 58 | uint64_t{model_.payload_bytes_i} << 48 |
                 uint64_t{model_.coordinates_i} << 24 | model_.coordinates_i;
      word.high = uint64_t{sent_} << 24 | model_.source_i;
    } else if (word_ == words + 1) {
      word.low = uint64_t{sent_} << 32 | born_;
    } else {
      word = karma_payload(model_.pattern_i, sent_, word_ - 1);
    }
    word.sop = word_ == 0;
    word.eop = word_ == words + 1;
    return word;
  }

  /// One cycle with the inputs that are set.
  void step() {
    model_.eval();
    const std::optional<KarmaWord> wanted = expected();
    ASSERT_EQ(model_.busy_o, active_);
    ASSERT_EQ(model_.tx_valid_o, wanted.has_value()) << "word " << word_ << " of packet " << sent_;
    const bool taken = wanted.has_value() && model_.tx_ready_i;
    if (wanted.has_value()) {
      const KarmaWord word{model_.tx_data_o[0] | uint64_t{model_.tx_data_o[1]} << 32,
                           model_.tx_data_o[2] | uint64_t{model_.tx_data_o[3]} << 32, model_.tx_sop_o != 0,
                           model_.tx_eop_o != 0};
      ASSERT_EQ(word, *wanted) << "word " << word_ << " of packet " << sent_;
      ASSERT_EQ(model_.tx_vc_o, model_.vc_i);
    } else if (active_) {
      ++seen_[gap_ > 0                                   ? "gap"
              : packets_ == 0                            ? "packets"
              : budget_ == 0 && model_.mode_i != kStream ? "answer"
                                                         : "words"];
    }
    follow(taken);
    edge();
  }

  void follow(bool taken) {
    const bool first = taken && word_ == 0;
    const uint32_t echo = echo_;
    if (model_.arrived_i) echo_ = model_.born_i;
    if (active_) budget_ += (model_.arrived_i ? 1 : 0) - (first && model_.mode_i != kStream ? 1 : 0);
    if (gap_ > 0) --gap_;
    if (first) {
      born_ = model_.mode_i == kReflect ? echo : model_.now_i;
      words_ -= static_cast<int>(payload_words());
      --packets_;
    }
    if (model_.credit_valid_i && model_.credit_vc_i == model_.vc_i) {
      words_ += model_.credit_words_i;
      packets_ += model_.credit_packets_i;
    }
    const bool last = taken && word_ == payload_words() + 1;
    if (taken) word_ = last ? 0 : word_ + 1;
    const bool starts = model_.start_i && !active_;
    if (last) {
      ++sent_;
      gap_ = model_.gap_i;
      if (sent_ == model_.packets_i) active_ = false;
    }
    if (!starts) return;
    active_ = model_.packets_i > 0;
    sent_ = 0;
    gap_ = 0;
    budget_ = model_.mode_i == kPing ? 1 : 0;
  }

  /// Gives back some of what packets have used, on either VC; only that of the generator's counts.
  void give_credit() {
    model_.credit_valid_i = chance(20);
    model_.credit_vc_i = chance(70) ? model_.vc_i : !model_.vc_i;
    model_.credit_words_i = static_cast<uint8_t>(std::min(draw(40), kInitialWords - words_));
    model_.credit_packets_i = static_cast<uint8_t>(std::min(draw(3), kInitialPackets - packets_));
    if (words_ + model_.credit_words_i < 0) model_.credit_valid_i = 0;
  }

  bool active_ = false;
  uint32_t sent_ = 0, born_ = 0, echo_ = 0, word_ = 0;
  int budget_ = 0, gap_ = 0, words_ = kInitialWords, packets_ = kInitialPackets;
};

TEST_F(KarmaGenerator, SendsWhatItMayAndNothingElse) {
  model_.vc_i = 1;
  uint32_t now = 0xffff'f800;  // Times wrap.
  for (int cycle = 0; cycle < 60'000 && !HasFatalFailure(); ++cycle, ++now) {
    model_.start_i = 0;
    if (!active_ && word_ == 0 && chance(20)) {
      choose(static_cast<uint32_t>(draw(3)));
      model_.start_i = 1;
      ++seen_[model_.mode_i == kStream ? "stream" : model_.mode_i == kPing ? "ping" : "reflect"];
    } else if (active_ && chance(1)) {
      model_.start_i = 1;  // It is busy.
    }
    model_.now_i = now;
    model_.arrived_i = chance(5) && budget_ < 3;
    model_.born_i = static_cast<uint32_t>(random_());
    model_.tx_ready_i = chance(80);
    give_credit();
    step();
  }
  for (const char* const what : {"stream", "ping", "reflect", "gap", "packets", "answer", "words"})
    EXPECT_GT(seen_[what], 50) << what;
}

}  // namespace
}  // namespace fabrictwin::test
