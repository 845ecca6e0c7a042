// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The credit counts of one VC of a link against plain arithmetic: totals that never wrap, and a threshold.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "VApelinkCredits.h"
#include "tests/rtl/module_test.h"

namespace fabrictwin::test {
namespace {

constexpr uint64_t kLargest = 34;

// All totals since reset.
struct Reference {
  uint64_t sent = 0;
  uint64_t far_freed = 0;
  uint64_t pending = 0;
  uint64_t delivered = 0;
  uint64_t freed = 0;
  uint64_t used() const { return sent - far_freed; }
};

class ApelinkCredits : public ModuleTest<VApelinkCredits> {
 protected:
  ApelinkCredits() : ModuleTest(7) {
    clear();
    reset();
  }

  void clear() {
    model_.take_i = 0;
    model_.freed_valid_i = 0;
    model_.return_i = 0;
    model_.sync_valid_i = 0;
    model_.deliver_i = 0;
    model_.credit_valid_i = 0;
  }
  // A packet goes out.
  void take(unsigned words) {
    model_.words_i = static_cast<uint8_t>(words);
    model_.take_i = 1;
    edge();
    clear();
    model_.eval();
  }
};

TEST_F(ApelinkCredits, APacketMayFillTheFarBufferToTheThreshold) {
  model_.tred_i = 60;
  take(34);
  model_.words_i = 26;
  model_.eval();
  EXPECT_EQ(model_.used_o, 34);
  EXPECT_TRUE(model_.allow_o) << "34 and 26 are 60";
  model_.words_i = 27;
  model_.eval();
  EXPECT_FALSE(model_.allow_o);
}

TEST_F(ApelinkCredits, AThresholdBelowTheLargestPacketCountsAsThat) {
  model_.tred_i = 0;
  model_.words_i = 34;
  model_.eval();
  EXPECT_TRUE(model_.allow_o);
  take(34);
  model_.words_i = 2;
  model_.eval();
  EXPECT_FALSE(model_.allow_o);
}

TEST_F(ApelinkCredits, AClaimOfMoreThanIsInUseIsIgnored) {
  model_.tred_i = 100;
  take(20);
  model_.freed_valid_i = 1;
  model_.freed_i = 21;
  model_.eval();
  EXPECT_TRUE(model_.error_o);
  edge();
  clear();
  model_.eval();
  EXPECT_EQ(model_.used_o, 20);
  EXPECT_EQ(model_.pending_o, 0);
  EXPECT_FALSE(model_.error_o);
  model_.freed_valid_i = 1;
  model_.freed_i = 20;
  model_.eval();
  EXPECT_FALSE(model_.error_o);
  edge();
  clear();
  model_.eval();
  EXPECT_EQ(model_.used_o, 0);
  EXPECT_EQ(model_.pending_o, 20);
}

TEST_F(ApelinkCredits, CountsAsPlainArithmeticDoes) {
  const auto draw = [&](uint64_t below) { return random_() % below; };
  Reference reference;
  uint64_t tred = 120;
  for (int step = 0; step < 50'000; ++step) {
    clear();
    if (draw(50) == 0) tred = draw(200);
    const uint64_t limit = std::max(tred, kLargest);
    const uint64_t words = 2 + draw(kLargest - 1);
    model_.tred_i = static_cast<uint8_t>(tred);
    model_.words_i = static_cast<uint8_t>(words);
    model_.eval();
    const bool allowed = reference.used() + words <= limit;
    ASSERT_EQ(model_.allow_o != 0, allowed) << "step " << step << ": " << reference.used() << " used, " << words;
    ++seen_[allowed ? "allowed" : "held back"];
    if (reference.used() + words == limit) ++seen_["just fits"];
    Reference next = reference;

    if (allowed && draw(2) == 0) {
      model_.take_i = 1;
      next.sent += words;
    }
    if (draw(3) == 0) {
      // Now and then a claim of too much.
      const bool wrong = draw(10) == 0;
      const uint64_t more = wrong ? reference.used() + 1 + draw(40) : draw(reference.used() + 1);
      model_.freed_valid_i = 1;
      model_.freed_i = static_cast<uint8_t>(reference.far_freed + more);
      if (!wrong) next.far_freed += more;
      ++seen_[wrong ? "wrong claim" : "claim"];
    }
    if (draw(3) == 0) {
      model_.return_i = 1;
      next.pending = 0;
      ++seen_["return"];
    }
    next.pending += next.far_freed - reference.far_freed;

    uint64_t lost = 0;
    if (draw(4) == 0) {
      lost = draw(3) == 0 ? draw(40) : 0;
      model_.sync_valid_i = 1;
      model_.sync_i = static_cast<uint8_t>(reference.delivered + lost);
      if (lost > 0) ++seen_["lost words"];
    }
    next.delivered += lost;
    next.freed += lost;
    if (draw(4) == 0) {
      const uint64_t delivered = 2 + draw(kLargest - 1);
      model_.deliver_i = 1;
      model_.deliver_words_i = static_cast<uint8_t>(delivered);
      next.delivered += delivered;
    }
    if (draw(4) == 0) {
      const uint64_t credits = 1 + draw(40);
      model_.credit_valid_i = 1;
      model_.credit_count_i = static_cast<uint8_t>(credits);
      next.freed += credits;
    }
    edge();
    reference = next;
    ASSERT_EQ(model_.sent_o, reference.sent & 0xFF) << step;
    ASSERT_EQ(model_.used_o, reference.used()) << step;
    ASSERT_EQ(model_.pending_o, reference.pending & 0xFF) << step;
    ASSERT_EQ(model_.freed_o, reference.freed & 0xFF) << step;
  }
  for (const char* corner : {"allowed", "held back", "just fits", "claim", "wrong claim", "return", "lost words"}) {
    EXPECT_GT(seen_[corner], 20) << corner;
  }
}

}  // namespace
}  // namespace fabrictwin::test
