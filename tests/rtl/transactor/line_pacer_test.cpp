// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/transactor/line_pacer.h"

#include <gtest/gtest.h>

#include <vector>

namespace fabrictwin {
namespace {

const Clock kReceiver(Frequency{156'250'000});

// Cycles at which a line that never pauses hands over `words` words, from `cycle` on.
std::vector<int64_t> cycles_of(rtl::LinePacer& pacer, int64_t cycle, int words) {
  std::vector<int64_t> cycles;
  for (; static_cast<int>(cycles.size()) < words; ++cycle) {
    if (!pacer.ready(cycle)) continue;
    pacer.accept(cycle);
    cycles.push_back(cycle);
  }
  return cycles;
}

TEST(LinePacer, TakesTwoCyclesAtTenGigabits) {
  rtl::LinePacer pacer(kReceiver, Clock::of_words(Bandwidth{10'000'000'000}, 128));
  EXPECT_EQ(cycles_of(pacer, 19, 4), (std::vector<int64_t>{19, 21, 23, 25}));
  EXPECT_EQ(cycles_of(pacer, 30, 2), (std::vector<int64_t>{30, 32})) << "begins anew at any edge";
  EXPECT_EQ(cycles_of(pacer, 33, 2), (std::vector<int64_t>{34, 36})) << "goes on where it was";
}

TEST(LinePacer, KeepsTheRateOfAnyLine) {
  const Clock words = Clock::of_words(Bandwidth{16'000'000'000}, 128);  // 8 ns at an edge each 6.4 ns.
  rtl::LinePacer pacer(kReceiver, words);
  const std::vector<int64_t> cycles = cycles_of(pacer, 0, 1001);
  EXPECT_EQ(cycles.back(), 1250);
  for (size_t i = 1; i < cycles.size(); ++i) {
    EXPECT_GE(cycles[i] - cycles[i - 1], 1);
    EXPECT_LE(cycles[i] - cycles[i - 1], 2);
  }
}

}  // namespace
}  // namespace fabrictwin
