// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/clock.h"

#include <numeric>

namespace fabrictwin {
namespace {

constexpr int64_t kFemtosecondsPerSecond = 1'000'000'000'000'000;

}  // namespace

Clock::Clock(Frequency frequency) : Clock(kFemtosecondsPerSecond, frequency.hertz) {}

Clock::Clock(int64_t numerator, int64_t denominator) {
  const int64_t divisor = std::gcd(numerator, denominator);
  numerator_ = numerator / divisor;
  denominator_ = denominator / divisor;
}

Clock Clock::of_words(Bandwidth rate, int64_t word_bits) {
  return from_period(word_bits * kFemtosecondsPerSecond, rate.bits_per_second);
}

Clock Clock::from_period(int64_t numerator, int64_t denominator) { return Clock(numerator, denominator); }

}  // namespace fabrictwin
