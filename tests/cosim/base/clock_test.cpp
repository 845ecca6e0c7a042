// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/clock.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fabrictwin {
namespace {

TEST(ClockTest, KeepsNonIntegerPeriodsExact) {
  // 150 MHz: three periods are 20 ns, each of 6666666 and two thirds femtoseconds.
  const Clock clock(Frequency{150'000'000});
  EXPECT_EQ(clock.edge(1).fs(), 6'666'666);
  EXPECT_EQ(clock.edge(2).fs(), 13'333'333);
  EXPECT_EQ(clock.edge(3).fs(), 20'000'000);
  EXPECT_EQ(clock.edge(3'000'000'000'000 / 20'000 * 3), Time::from_ns(3'000'000'000'000 / 20'000 * 20));
  EXPECT_EQ(clock.period().fs(), 6'666'667);
}

TEST(ClockTest, KeepsTheClocksOfTheProjectExact) {
  for (const int64_t hertz : {156'250'000, 150'000'000, 425'000'000, 300'000'000}) {
    const Clock clock(Frequency{hertz});
    // After an hour of simulated time an edge is still exactly on the second.
    EXPECT_EQ(clock.edge(hertz * 3600), Time::from_us(3'600'000'000)) << hertz;
  }
}

TEST(ClockTest, CarriesOneWordAnEdge) {
  EXPECT_EQ(Clock::of_words(Bandwidth{10'000'000'000}, 128).edge(1), Time::from_fs(12'800'000));
  EXPECT_EQ(Clock::of_words(Bandwidth{20'000'000'000}, 128), Clock(Frequency{156'250'000}));
}

TEST(ClockTest, RebuildsFromItsPeriod) {
  const Clock clock(Frequency{425'000'000});
  EXPECT_EQ(Clock::from_period(clock.numerator(), clock.denominator()), clock);
}

RC_GTEST_PROP(ClockProperty, FirstEdgeAtOrAfterIsTheInverseOfEdge, ()) {
  const int64_t hertz = *rc::gen::inRange<int64_t>(1, 2'000'000'000);
  const Clock clock(Frequency{hertz});
  const Time time = Time::from_fs(*rc::gen::inRange<int64_t>(0, 9'000'000'000'000'000'000 / 2));
  const int64_t k = clock.edge_at_or_after(time);
  RC_ASSERT(clock.edge(k) >= time);
  RC_ASSERT(k == 0 || clock.edge(k - 1) < time);
}

RC_GTEST_PROP(ClockProperty, NeighbouringEdgesAreAtMostAPeriodApart, ()) {
  const Clock clock(Frequency{*rc::gen::inRange<int64_t>(1'000'000, 1'000'000'000)});
  const int64_t k = *rc::gen::inRange<int64_t>(0, 1'000'000'000);
  const Time step = clock.edge(k + 1) - clock.edge(k);
  RC_ASSERT(step <= clock.period());
  RC_ASSERT(step + Time::from_fs(1) >= clock.period());
}

}  // namespace
}  // namespace fabrictwin
