// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/link/word_serializer.h"

#include <gtest/gtest.h>

#include "rapidcheck/gtest.h"

namespace fabrictwin {
namespace {

TEST(WordSerializer, HalfRateLinkTakesAWordEverySecondCycle) {
  link::WordSerializer serializer(Clock(Frequency{156'250'000}), Clock(Frequency{78'125'000}));
  EXPECT_EQ(serializer.accept(4), 2);
  EXPECT_FALSE(serializer.ready(5));
  EXPECT_TRUE(serializer.ready(6));
  EXPECT_EQ(serializer.accept(6), 3);
  EXPECT_EQ(serializer.accept(9), 5) << "an odd edge waits for the next slot";
}

TEST(WordSerializer, FullRateLinkTakesAWordEveryCycle) {
  link::WordSerializer serializer(Clock(Frequency{156'250'000}), Clock(Frequency{156'250'000}));
  for (int64_t cycle = 3; cycle < 20; ++cycle) {
    ASSERT_TRUE(serializer.ready(cycle));
    EXPECT_EQ(serializer.accept(cycle), cycle);
  }
}

// A sender that always has a word uses every slot, at any ratio, and no slot begins before its word was taken.
RC_GTEST_PROP(WordSerializer, RunsAtFullRateAtAnyRatio, ()) {
  const int64_t element_hz = *rc::gen::inRange<int64_t>(1'000'000, 1'000'000'000);
  const int64_t word_hz = *rc::gen::inRange<int64_t>(1'000, element_hz + 1);
  const Clock element(Frequency{element_hz});
  const Clock words(Frequency{word_hz});
  link::WordSerializer serializer(element, words);
  int64_t slot = -1;
  int64_t cycle = *rc::gen::inRange<int64_t>(0, 1'000);
  for (int i = 0; i < 50; ++i) {
    cycle = std::max(cycle, serializer.ready_cycle());
    const int64_t taken = serializer.accept(cycle);
    RC_ASSERT(words.edge(taken) >= element.edge(cycle));
    if (i > 0) RC_ASSERT(taken == slot + 1);
    slot = taken;
  }
}

// Each arrival is sampled at the first free edge at or after it.
RC_GTEST_PROP(ArrivalSampler, SamplesOnceACycle, (const std::vector<uint16_t>& gaps)) {
  const Clock clock(Frequency{*rc::gen::inRange<int64_t>(1'000'000'000, 3'000'000'000)});
  link::ArrivalSampler sampler(clock);
  int64_t last = -1;
  Time arrival;
  for (const uint16_t gap : gaps) {
    arrival += Time::from_fs(int64_t{gap} * 40);
    const int64_t cycle = sampler.sample(arrival);
    RC_ASSERT(clock.edge(cycle) >= arrival);
    RC_ASSERT(cycle > last);
    if (cycle > last + 1) RC_ASSERT(cycle == 0 || clock.edge(cycle - 1) < arrival);
    last = cycle;
  }
}

}  // namespace
}  // namespace fabrictwin
