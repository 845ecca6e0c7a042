// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// When slow links take flits.
#include "models/router/input_queued/link_rate.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace fabrictwin {
namespace {

using router::input_queued::LinkRate;

/// The cycles in which flits leave that all want to leave from a cycle on.
std::vector<int64_t> leave(LinkRate rate, int64_t from, int count) {
  std::vector<int64_t> cycles;
  for (int i = 0; i < count; ++i) {
    cycles.push_back(rate.start(from));
    rate.take(cycles.back());
  }
  return cycles;
}

TEST(LinkRate, AFreeLinkTakesAFlitAtOnce) {
  EXPECT_EQ(leave(LinkRate(2, 1), 7, 3), (std::vector<int64_t>{7, 9, 11}));
  EXPECT_EQ(leave(LinkRate(3, 2), 5, 4), (std::vector<int64_t>{5, 7, 8, 10}));
}

TEST(LinkRate, SlotsBeginAtMultiplesOfTheTimeOfAFlit) {
  EXPECT_EQ(leave(LinkRate(2, 1).with_slots(0), 7, 3), (std::vector<int64_t>{8, 10, 12}));
  EXPECT_EQ(leave(LinkRate(2, 1).with_slots(2), 8, 3), (std::vector<int64_t>{8, 10, 12}));
  // Slots begin at 0, 1.5, 3, 4.5, 6: the flit that leaves in cycle 3 is on the link in cycle 5.
  EXPECT_EQ(leave(LinkRate(3, 2).with_slots(2), 3, 4), (std::vector<int64_t>{3, 4, 6, 7}));
}

// After seconds, with rates whose fraction has large terms.
TEST(LinkRate, SlotsDoNotOverflow) {
  LinkRate rate = LinkRate(15624999900, 9999999937).with_slots(2);
  const int64_t cycle = int64_t{1} << 40;
  const int64_t start = rate.start(cycle);
  EXPECT_GE(start, cycle);
  EXPECT_LE(start, cycle + 2);
  rate.take(start);
  EXPECT_GT(rate.start(start), start);
  EXPECT_LE(rate.start(start), start + 3);
}

RC_GTEST_PROP(LinkRateProperties, SlotsAreFilledInOrderAndNeverTwice, ()) {
  const int64_t per = *rc::gen::inRange<int64_t>(1, 20);
  const int64_t cycles = per + *rc::gen::inRange<int64_t>(1, 60);
  const int32_t ahead = *rc::gen::inRange(0, 4);
  LinkRate rate = LinkRate(cycles, per).with_slots(ahead);
  int64_t slot = -1;
  int64_t cycle = 0;
  for (int i = 0; i < 50; ++i) {
    cycle += *rc::gen::inRange(0, 4);
    const int64_t start = rate.start(cycle);
    RC_ASSERT(start >= cycle);
    // The slot that has begun by then, and not a cycle earlier.
    const int64_t taken = (start + ahead) * per / cycles;
    RC_ASSERT(taken > slot);
    RC_ASSERT(taken * cycles > (start + ahead - 1) * per);
    RC_ASSERT(start == cycle || taken == slot + 1 || (taken - 1) * cycles < (cycle + ahead) * per);
    rate.take(start);
    slot = taken;
  }
}

}  // namespace
}  // namespace fabrictwin
