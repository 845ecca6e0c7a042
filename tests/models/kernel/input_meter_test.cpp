// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/input_meter.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "cosim/base/clock.h"
#include "cosim/base/time.h"

namespace fabrictwin {
namespace {

using kernel::InputMeter;
using kernel::QueueSummary;
using kernel::QueueTotals;

const Clock kClock(Frequency{1'000'000'000});

TEST(InputMeter, TellsOfTheInputWithTheLargestMean) {
  InputMeter meter(kClock, 4);
  meter.set(3, 1, 0);
  meter.set(1, 2, 10);
  meter.set(1, 2, 15);
  meter.set(1, 5, 20);
  meter.set(1, 0, 30);
  EXPECT_EQ(meter.longest(), 16);
  const Time end = Time::from_ns(40);
  const QueueTotals totals = meter.totals(end);
  EXPECT_EQ(totals.most_queue, 1u);
  EXPECT_EQ(totals.mean_queue, 1u);
  const QueueSummary summary = totals.at(end);
  EXPECT_EQ(summary.most, 5 * 16);
  EXPECT_DOUBLE_EQ(summary.mean, (2 * 16 * 10 + 5 * 16 * 10) / 40.0);
  EXPECT_EQ(summary.p50, 0) << "for half of the time it was empty";
  EXPECT_EQ(summary.p99, 5 * 16);
  // Later, the word that is still in the other input has been there for longer.
  const QueueTotals later = meter.totals(Time::from_ns(400));
  EXPECT_EQ(later.most_queue, 1u);
  EXPECT_EQ(later.mean_queue, 3u);
  EXPECT_DOUBLE_EQ(later.at(Time::from_ns(400)).mean, 16);
}

TEST(InputMeter, WordByWordIsTheSame) {
  InputMeter by_words(kClock, 2);
  for (const int64_t cycle : {3, 4, 5}) by_words.enter(1, cycle);
  for (const int64_t cycle : {8, 9}) by_words.leave(1, cycle);
  InputMeter by_numbers(kClock, 2);
  by_numbers.set(1, 1, 3);
  by_numbers.set(1, 2, 4);
  by_numbers.set(1, 3, 5);
  by_numbers.set(1, 2, 8);
  by_numbers.set(1, 1, 9);
  EXPECT_EQ(by_numbers.longest(), by_words.longest());
  const Time end = Time::from_ns(20);
  EXPECT_EQ(by_numbers.totals(end).area, by_words.totals(end).area);
  EXPECT_EQ(by_numbers.totals(end).times, by_words.totals(end).times);
}

// Who asks for an earlier time, as nothing is said to stand since, compares means over the same time all the same.
TEST(InputMeter, MeansAreUpToTheLastChangeAtLeast) {
  InputMeter meter(kClock, 2);
  meter.set(0, 3, 0);
  meter.set(0, 0, 10);
  meter.set(1, 1, 0);
  meter.set(1, 0, 100);
  EXPECT_EQ(meter.totals(Time::zero()).mean_queue, 1u);
  EXPECT_EQ(meter.totals(Time::zero()).most_queue, 0u);
}

TEST(InputMeter, NothingHasWaitedAtFirst) {
  const InputMeter meter(kClock, 2);
  const QueueSummary summary = meter.totals(Time::from_ns(5)).at(Time::from_ns(5));
  EXPECT_EQ(summary.most, 0);
  EXPECT_EQ(summary.mean, 0);
  EXPECT_EQ(summary.p99, 0);
  EXPECT_EQ(meter.longest(), 0);
}

}  // namespace
}  // namespace fabrictwin
