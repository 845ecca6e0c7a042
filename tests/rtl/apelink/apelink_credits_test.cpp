// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The credit counts of one VC of a link against plain arithmetic: totals that never wrap, and a threshold.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "VApelinkCreditsLong__inputs.h"
#include "VApelinkCredits__inputs.h"
#include "tests/rtl/module_test.h"

namespace fabrictwin::test {
namespace {

constexpr int64_t kLargest = 34;
/// Bits of a count that every frame has.
constexpr int kLowBits = 8;
constexpr int64_t kLowMask = (1 << kLowBits) - 1;

struct ShortCounts {
  using Model = VApelinkCredits;
  static constexpr int kBits = 8;
  static constexpr int64_t kMostTred = 200;
};
struct LongCounts {
  using Model = VApelinkCreditsLong;
  static constexpr int kBits = 11;
  static constexpr int64_t kMostTred = 1'500;
};

// All totals since reset.
struct Reference {
  int64_t sent = 0;
  int64_t far_freed = 0;
  int64_t pending = 0;
  int64_t delivered = 0;
  int64_t freed = 0;
  int64_t used() const { return sent - far_freed; }
};

template <class Counts>
class ApelinkCredits : public ModuleTest<typename Counts::Model> {
 protected:
  static constexpr bool kLong = Counts::kBits > kLowBits;
  static constexpr int64_t kMask = (int64_t{1} << Counts::kBits) - 1;

  ApelinkCredits() : ModuleTest<typename Counts::Model>(7) {
    clear();
    this->reset();
  }

  template <class Port>
  static void set(Port& port, int64_t value) {
    port = static_cast<Port>(value & kMask);
  }
  void clear() {
    this->model_.take_i = 0;
    this->model_.full_i = 0;
    this->model_.freed_valid_i = 0;
    this->model_.return_i = 0;
    this->model_.sync_valid_i = 0;
    this->model_.deliver_i = 0;
    this->model_.credit_valid_i = 0;
  }
  void finish_cycle() {
    this->edge();
    clear();
    this->model_.eval();
  }
  // A packet goes out.
  void take(unsigned words) {
    this->model_.words_i = static_cast<uint8_t>(words);
    this->model_.take_i = 1;
    finish_cycle();
  }
  // A packet comes in.
  void deliver(unsigned words) {
    this->model_.deliver_i = 1;
    this->model_.deliver_words_i = static_cast<uint8_t>(words);
    finish_cycle();
  }
  // What a frame says of the words sent, and of those freed.
  void hear_sent(int64_t sent, bool full) {
    this->model_.full_i = full;
    this->model_.sync_valid_i = 1;
    set(this->model_.sync_i, full ? sent : sent & kLowMask);
    finish_cycle();
  }
  void claim(int64_t freed, bool full) {
    this->model_.full_i = full;
    this->model_.freed_valid_i = 1;
    set(this->model_.freed_i, full ? freed : freed & kLowMask);
    this->model_.eval();
  }
  // How much more than a count a frame tells: short counts are signed, and the upper half of low bits says nothing.
  static int64_t told(int64_t difference, bool full) {
    if (full || !kLong) return difference;
    const int64_t low = difference & kLowMask;
    return low < 128 ? low : 0;
  }
};

using Widths = testing::Types<ShortCounts, LongCounts>;
TYPED_TEST_SUITE(ApelinkCredits, Widths);

TYPED_TEST(ApelinkCredits, APacketMayFillTheFarBufferToTheThreshold) {
  this->set(this->model_.tred_i, 60);
  this->take(34);
  this->model_.words_i = 26;
  this->model_.eval();
  EXPECT_EQ(this->model_.used_o, 34);
  EXPECT_TRUE(this->model_.allow_o) << "34 and 26 are 60";
  this->model_.words_i = 27;
  this->model_.eval();
  EXPECT_FALSE(this->model_.allow_o);
}

TYPED_TEST(ApelinkCredits, AThresholdBelowTheLargestPacketCountsAsThat) {
  this->set(this->model_.tred_i, 0);
  this->model_.words_i = 34;
  this->model_.eval();
  EXPECT_TRUE(this->model_.allow_o);
  this->take(34);
  this->model_.words_i = 2;
  this->model_.eval();
  EXPECT_FALSE(this->model_.allow_o);
}

TYPED_TEST(ApelinkCredits, AClaimOfMoreThanIsInUseIsIgnored) {
  this->set(this->model_.tred_i, 100);
  this->take(20);
  this->claim(21, true);
  EXPECT_TRUE(this->model_.error_o);
  this->finish_cycle();
  EXPECT_EQ(this->model_.used_o, 20);
  EXPECT_EQ(this->model_.pending_o, 0);
  EXPECT_FALSE(this->model_.error_o);
  this->claim(20, true);
  EXPECT_FALSE(this->model_.error_o);
  this->finish_cycle();
  EXPECT_EQ(this->model_.used_o, 0);
  EXPECT_EQ(this->model_.pending_o, 20);
}

// A header that was wrong said more words than there were; the frames behind it count fewer than were delivered.
TYPED_TEST(ApelinkCredits, AFarCountThatFallsMakesNoCredits) {
  this->deliver(34);
  this->deliver(34);
  this->hear_sent(60, false);
  EXPECT_EQ(this->model_.delivered_o, this->kLong ? 68 : 60) << "low bits alone wait";
  EXPECT_EQ(this->model_.freed_o, this->kLong ? 0 : -8 & this->kMask);
  this->hear_sent(60, true);
  EXPECT_EQ(this->model_.delivered_o, 60);
  EXPECT_EQ(this->model_.freed_o, -8 & this->kMask);
}

// The other end of the same link hears of the correction, with more in use than low bits tell.
using ApelinkLongCredits = ApelinkCredits<LongCounts>;
TEST_F(ApelinkLongCredits, AClaimThatFallsMakesNoCredits) {
  this->set(this->model_.tred_i, 1'152);
  for (int i = 0; i < 30; ++i) this->take(34);
  this->claim(400, true);
  this->finish_cycle();
  ASSERT_EQ(this->model_.used_o, 620);
  this->claim(392, false);
  EXPECT_FALSE(this->model_.error_o) << "frames may have been lost";
  this->finish_cycle();
  EXPECT_EQ(this->model_.used_o, 620);
  this->claim(392, true);
  EXPECT_TRUE(this->model_.error_o);
  this->finish_cycle();
  EXPECT_EQ(this->model_.used_o, 620);
  this->claim(410, false);
  this->finish_cycle();
  EXPECT_EQ(this->model_.used_o, 610);
}

TYPED_TEST(ApelinkCredits, CountsAsPlainArithmeticDoes) {
  auto& model = this->model_;
  auto& seen = this->seen_;
  const auto draw = [&](int64_t below) { return static_cast<int64_t>(this->random_() % static_cast<uint64_t>(below)); };
  Reference reference;
  int64_t tred = 120;
  for (int step = 0; step < 50'000; ++step) {
    this->clear();
    if (draw(50) == 0) tred = draw(TypeParam::kMostTred);
    const int64_t limit = std::max(tred, kLargest);
    const int64_t words = 2 + draw(kLargest - 1);
    const bool full = draw(4) == 0;
    this->set(model.tred_i, tred);
    model.words_i = static_cast<uint8_t>(words);
    model.full_i = full;
    model.eval();
    const bool allowed = reference.used() + words <= limit;
    ASSERT_EQ(model.allow_o != 0, allowed) << "step " << step << ": " << reference.used() << " used, " << words;
    ++seen[allowed ? "allowed" : "held back"];
    if (reference.used() + words == limit) ++seen["just fits"];
    if (reference.used() > kLowMask) ++seen["more in use than low bits count"];
    Reference next = reference;

    if (allowed && draw(2) == 0) {
      model.take_i = 1;
      next.sent += words;
    }
    if (draw(3) == 0) {
      // Now and then a claim of too much, or of less than before, which is too much where all bits are there.
      const bool wrong = draw(10) == 0;
      int64_t more = draw(reference.used() + 1);
      if (wrong) more = draw(2) == 0 ? -1 - draw(kLargest) : reference.used() + 1 + draw(40);
      if (!wrong && draw(2) == 0) more = std::min<int64_t>(more, 127);
      this->claim(reference.far_freed + more, full);
      const int64_t heard = this->told(more, full);
      const bool accepted = heard >= 0 && heard <= reference.used();
      EXPECT_EQ(model.error_o != 0, !accepted) << step;
      if (accepted) next.far_freed += heard;
      ++seen[wrong ? "wrong claim" : "claim"];
      if (accepted && heard < more) ++seen["more freed than low bits tell"];
      if (more < 0 && accepted) ++seen["a claim that falls counts for nothing"];
    }
    if (draw(3) == 0) {
      model.return_i = 1;
      next.pending = 0;
      ++seen["return"];
    }
    next.pending += next.far_freed - reference.far_freed;

    int64_t lost = 0;
    if (draw(4) == 0) {
      int64_t more = draw(3) == 0 ? draw(40) : 0;
      if (draw(20) == 0) more = -1 - draw(kLargest);
      if (this->kLong && draw(20) == 0) more = draw(400);
      model.sync_valid_i = 1;
      this->set(model.sync_i, full ? reference.delivered + more : (reference.delivered + more) & kLowMask);
      lost = this->told(more, full);
      if (lost > 0) ++seen["lost words"];
      if (more < 0) ++seen[lost < 0 ? "a count that falls" : "a count that falls waits"];
      if (lost >= 0 && lost < more) ++seen["more lost than low bits tell"];
    } else if (draw(4) == 0) {
      const int64_t delivered = 2 + draw(kLargest - 1);
      model.deliver_i = 1;
      model.deliver_words_i = static_cast<uint8_t>(delivered);
      next.delivered += delivered;
    }
    next.delivered += lost;
    next.freed += lost;
    if (draw(4) == 0) {
      const int64_t credits = 1 + draw(40);
      model.credit_valid_i = 1;
      this->set(model.credit_count_i, credits);
      next.freed += credits;
    }
    this->edge();
    reference = next;
    ASSERT_EQ(model.sent_o, reference.sent & this->kMask) << step;
    ASSERT_EQ(model.used_o, reference.used()) << step;
    ASSERT_EQ(model.pending_o, reference.pending & this->kMask) << step;
    ASSERT_EQ(model.freed_o, reference.freed & this->kMask) << step;
    ASSERT_EQ(model.delivered_o, reference.delivered & this->kMask) << step;
  }
  for (const char* corner :
       {"allowed", "held back", "just fits", "claim", "wrong claim", "return", "lost words", "a count that falls"}) {
    EXPECT_GT(seen[corner], 20) << corner;
  }
  if (!this->kLong) return;
  for (const char* corner :
       {"more in use than low bits count", "more freed than low bits tell", "a claim that falls counts for nothing",
        "a count that falls waits", "more lost than low bits tell"}) {
    EXPECT_GT(seen[corner], 20) << corner;
  }
}

}  // namespace
}  // namespace fabrictwin::test
