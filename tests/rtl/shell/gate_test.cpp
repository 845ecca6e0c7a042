// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The gate beside a reference that counts edges which are due by a product instead of step by step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "VShellParts__inputs.h"
#include "tests/rtl/module_test.h"

namespace fabrictwin::test {
namespace {

constexpr int kGated = 0, kPaced = 1, kFree = 2;
constexpr int64_t kMostLag = 65'535;

class ShellGate : public ModuleTest<VShellParts> {
 protected:
  ShellGate() : ModuleTest(46) {
    // A word clock that is kept clear is never busy.
    model_.clear_i = 1;
    model_.period_whole_i = 1000;
    model_.period_denominator_i = 1;
  }

  void begin(int mode, uint32_t numerator, uint32_t denominator) {
    mode_ = mode;
    numerator_ = numerator;
    denominator_ = denominator;
    model_.mode_i = static_cast<uint8_t>(mode);
    model_.pace_numerator_i = numerator;
    model_.pace_denominator_i = denominator;
    model_.gate_enable_i = 0;
    model_.limit_i = 0;
    model_.jump_i = 0;
    model_.arrivals_empty_i = 1;
    model_.element_idle_i = model_.space_i = 1;
    model_.arrival_i = model_.arrival_late_i = 0;
    reset();
    cycles_ = dues_ = lag_ = edge_ = 0;
    executed_ = late_ = ticks_ = 0;
  }

  /// Compares what happens in this cycle and goes on.
  void cycle() {
    model_.eval();
    const bool waits = model_.element_idle_i && model_.arrivals_empty_i;
    const bool below = static_cast<uint64_t>(edge_) < model_.limit_i || mode_ == kFree;
    int64_t due = 0;
    if (model_.gate_enable_i && mode_ != kGated) {
      ++cycles_;
      due = static_cast<int64_t>(static_cast<unsigned __int128>(cycles_) * numerator_ / denominator_) - dues_;
      dues_ += due;
    }
    const bool tick =
        model_.gate_enable_i && below && model_.space_i && !model_.jump_i && (mode_ == kGated ? !waits : lag_ > 0);
    const bool execute = tick && (!model_.element_idle_i || model_.arrival_i);
    ASSERT_FALSE(model_.busy_o);
    ASSERT_EQ(model_.tick_o, tick);
    ASSERT_EQ(model_.execute_o, execute);
    ASSERT_EQ(model_.idle_o, waits);
    ASSERT_EQ(model_.stopped_o, !below || (mode_ == kGated && waits));
    if (due > 0 && !tick && lag_ > 0) ++late_;
    if (execute && model_.arrival_late_i) ++late_;
    lag_ = std::min(kMostLag, lag_ + due - (tick && mode_ != kGated ? 1 : 0));
    if (tick) ++edge_;
    if (model_.jump_i) edge_ = static_cast<int64_t>(model_.jump_edge_i);
    ticks_ += tick;
    executed_ += execute;
    edge();
    ASSERT_EQ(model_.edge_o, static_cast<uint64_t>(edge_));
    ASSERT_EQ(model_.executed_o, executed_);
    ASSERT_EQ(model_.late_o, late_);
  }

  int mode_ = 0;
  uint32_t numerator_ = 0;
  uint32_t denominator_ = 1;
  int64_t cycles_ = 0;
  int64_t dues_ = 0;
  int64_t lag_ = 0;  ///< Edges that are due and did not pass.
  int64_t edge_ = 0;
  uint64_t ticks_ = 0;
  uint64_t executed_ = 0;
  uint64_t late_ = 0;
};

TEST_F(ShellGate, PassesTheEdgesThatItMay) {
  for (int run = 0; run < 60; ++run) {
    const int mode = run % 3;
    uint32_t denominator = static_cast<uint32_t>(random_());
    if (chance(50)) denominator %= 100;
    denominator = std::max(denominator, 1u);
    const auto numerator = static_cast<uint32_t>(chance(20) ? denominator : random_() % denominator);
    begin(mode, numerator, denominator);
    uint64_t limit = 0;
    for (int step = 0; step < 4000; ++step) {
      model_.gate_enable_i = chance(98);
      model_.space_i = chance(90);
      if (chance(10)) model_.element_idle_i = chance(50);
      if (chance(10)) model_.arrivals_empty_i = chance(50);
      model_.arrival_i = !model_.arrivals_empty_i && chance(30);
      model_.arrival_late_i = model_.arrival_i && chance(30);
      if (chance(5)) limit += static_cast<uint64_t>(draw(50));
      model_.limit_i = limit;
      model_.jump_i = chance(1);
      model_.jump_edge_i = static_cast<uint64_t>(edge_) + static_cast<uint64_t>(draw(1000));
      if (model_.jump_i) limit = std::max<uint64_t>(limit, model_.jump_edge_i);
      ASSERT_NO_FATAL_FAILURE(cycle()) << "mode " << mode << ", pace " << numerator << "/" << denominator;
    }
    if (mode == kGated) seen_["gated"] += static_cast<int>(ticks_);
    if (mode == kPaced) seen_["paced"] += static_cast<int>(ticks_);
    if (mode == kFree) seen_["free"] += static_cast<int>(ticks_);
    seen_["late"] += static_cast<int>(late_);
  }
  for (const char* corner : {"gated", "paced", "free", "late"}) EXPECT_GT(seen_[corner], 1000) << corner;
}

// A clock that nothing holds back passes an edge as soon as it is due, exactly so many times.
TEST_F(ShellGate, KeepsThePace) {
  constexpr int kCycles = 20'000;
  const auto expect_pace = [&](uint32_t numerator, uint32_t denominator) {
    for (const int mode : {kPaced, kFree}) {
      begin(mode, numerator, denominator);
      model_.gate_enable_i = 1;
      model_.element_idle_i = 0;
      model_.limit_i = mode == kPaced ? 1'000'000 : 0;
      for (int i = 0; i <= kCycles; ++i) ASSERT_NO_FATAL_FAILURE(cycle());
      EXPECT_EQ(ticks_, uint64_t{kCycles} * numerator / denominator);
      EXPECT_EQ(late_, 0u);
    }
  };
  expect_pace(1, 1);
  expect_pace(1, 4);
  expect_pace(2, 3);
  expect_pace(0, 1);
  expect_pace(781'250'000, 4'294'967'295);
  expect_pace(4'294'967'294, 4'294'967'295);
}

// It catches up with what it has missed, as far as it can count that.
TEST_F(ShellGate, CatchesUp) {
  begin(kPaced, 1, 2);
  model_.gate_enable_i = 1;
  model_.element_idle_i = 0;
  model_.limit_i = 10;
  for (int i = 0; i < 2 * 200; ++i) ASSERT_NO_FATAL_FAILURE(cycle());
  EXPECT_EQ(edge_, 10);
  EXPECT_EQ(late_, 200u - 10 - 1);
  model_.limit_i = uint64_t{1} << 40;
  for (int i = 0; i < 370; ++i) ASSERT_NO_FATAL_FAILURE(cycle());
  EXPECT_EQ(ticks_, 370u + 10);
  model_.limit_i = 0;
  for (int64_t i = 0; i < 2 * (kMostLag + 1000); ++i) ASSERT_NO_FATAL_FAILURE(cycle());
  model_.pace_numerator_i = 0;
  numerator_ = 0;
  dues_ = 0;
  cycles_ = 0;
  model_.limit_i = uint64_t{1} << 40;
  ticks_ = 0;
  for (int64_t i = 0; i < kMostLag + 1000; ++i) ASSERT_NO_FATAL_FAILURE(cycle());
  EXPECT_EQ(ticks_, static_cast<uint64_t>(kMostLag));
}

}  // namespace
}  // namespace fabrictwin::test
