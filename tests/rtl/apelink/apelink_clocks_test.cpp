// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What stands between two clocks, of any ratio and phase, against queues in C++.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <string>

#include "VClockParts__inputs.h"
#include "tests/rtl/random_state_context.h"

namespace fabrictwin::test {
namespace {

using Word = std::array<uint32_t, 4>;
constexpr uint64_t kIdleHalf = 0x1D1E'1D1E'1D1E'1D1E;

uint64_t half_of(const Word& word, size_t half) { return word[2 * half] | uint64_t{word[2 * half + 1]} << 32; }

/// Two clocks of periods in femtoseconds, or any other unit; the edge that comes first is made.
class TwoClocks {
 public:
  TwoClocks(uint64_t period_a, uint64_t period_b, uint64_t phase) : a_(period_a), b_(period_b), next_b_(phase) {
    // A test of one part leaves the others alone.
    model.push_i = model.pop_i = model.s_tvalid_i = model.m_tready_i = model.lose_i = 0;
    model.rst_ni = 0;
    for (int i = 0; i < 50; ++i) step([] {}, [] {});
    model.rst_ni = 1;
  }

  /// Calls `before_a` or `before_b` before the edge, with the inputs that it may set.
  void step(const std::function<void()>& before_a, const std::function<void()>& before_b) {
    const bool a = next_a_ <= next_b_, b = next_b_ <= next_a_;
    if (a) before_a();
    if (b) before_b();
    model.eval();
    if (a) model.clk_a_i = 1;
    if (b) model.clk_b_i = 1;
    model.eval();
    model.clk_a_i = model.clk_b_i = 0;
    model.eval();
    if (a) next_a_ += a_;
    if (b) next_b_ += b_;
  }

 private:
  RandomStateContext context_;

 public:
  VClockParts model{&context_};

 private:
  uint64_t a_, b_;
  uint64_t next_a_ = 0;
  uint64_t next_b_;
};

struct Ratio {
  uint64_t a, b;
};
/// 150 MHz and 156.25 MHz both ways, the same with any phase, far apart.
constexpr std::array<Ratio, 7> kRatios = {
    {{6667, 6400}, {6400, 6667}, {6400, 6400}, {1000, 7001}, {7001, 1000}, {1000, 1501}, {1501, 1000}}};

TEST(AsyncFifo, KeepsOrderBetweenAnyClocks) {
  std::map<std::string, int> seen;
  for (uint32_t seed = 0; seed < 21; ++seed) {
    const Ratio ratio = kRatios[seed % kRatios.size()];
    TwoClocks clocks(ratio.a, ratio.b, seed * 777 % ratio.b);
    VClockParts& m = clocks.model;
    std::mt19937 random(seed);
    std::deque<uint32_t> queue;  // What is inside.
    int push_percent = 50, pop_percent = 50;
    int patience = 0;  // Edges of clock b for which the oldest entry has not been visible.
    bool moved = false;
    for (int i = 0; i < 20'000; ++i) {
      if (i % 100 == 0) {
        push_percent = static_cast<int>(random() % 4) * 33 + 1;
        pop_percent = static_cast<int>(random() % 4) * 33 + 1;
      }
      const auto draw = [&random] { return static_cast<int>(random() % 100); };
      clocks.step(
          [&] {
            m.eval();
            ASSERT_GE(m.push_count_o, queue.size());
            m.push_i = m.full_o == 0 && draw() < push_percent;
            m.data_i = static_cast<uint32_t>(random());
            if (m.full_o != 0) ++seen["full"];
            moved = m.push_i != 0;
          },
          [&] {
            m.eval();
            ASSERT_LE(m.pop_count_o, queue.size());
            patience = queue.empty() || m.valid_o != 0 ? 0 : patience + 1;
            ASSERT_LE(patience, 3) << "an entry is not visible";
            m.pop_i = m.valid_o != 0 && draw() < pop_percent;
            if (m.valid_o != 0) {
              ASSERT_FALSE(queue.empty());
              ASSERT_EQ(m.data_o, queue.front());
            } else {
              ++seen["empty"];
            }
            if (m.pop_i != 0) {
              queue.pop_front();
              ++seen["popped"];
            }
          });
      if (moved) queue.push_back(m.data_i);
      moved = false;
      ASSERT_LE(queue.size(), 8u);
      if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed;
    }
  }
  for (const char* corner : {"full", "empty", "popped"}) EXPECT_GT(seen[corner], 1000) << corner;
}

/// Words over the line; `loss` in 1/10000 of its blocks.
struct LinePlan {
  int ppm;  ///< By which clock b is slower.
  int send = 100;
  int ready = 100;
  int loss = 0;
};

void run_line(const LinePlan& plan, uint32_t seed) {
  TwoClocks clocks(1'000'000, static_cast<uint64_t>(1'000'000 + plan.ppm), seed * 77'777 % 1'000'000);
  VClockParts& m = clocks.model;
  std::mt19937 random(seed);
  std::deque<uint64_t> sent;  // Halves of words that are in the line.
  int arrived = 0, missing = 0, lost_blocks = 0;
  uint32_t number = 0;
  bool offered = false;
  Word word{};
  for (int i = 0; i < 200'000; ++i) {
    clocks.step(
        [&] {
          if (!offered && static_cast<int>(random() % 100) < plan.send) {
            offered = true;
            word = {++number, static_cast<uint32_t>(random()), static_cast<uint32_t>(random()), number};
            for (size_t u = 0; u < 4; ++u) m.s_tdata_i[u] = word[u];
          }
          m.s_tvalid_i = offered;
          m.lose_i = static_cast<int>(random() % 10'000) < plan.loss;
          m.eval();
          if (m.lose_i != 0 && m.line_idle_o == 0) ++lost_blocks;
          if (offered && m.s_tready_o != 0) {
            sent.push_back(half_of(word, 0));
            sent.push_back(half_of(word, 1));
            offered = false;
          }
        },
        [&] {
          m.m_tready_i = static_cast<int>(random() % 100) < plan.ready;
          m.eval();
          if (m.m_tvalid_o == 0 || m.m_tready_i == 0) return;
          const Word out = {m.m_tdata_o[0], m.m_tdata_o[1], m.m_tdata_o[2], m.m_tdata_o[3]};
          for (size_t h = 0; h < 2; ++h) {
            const uint64_t half = half_of(out, h);
            if (half == kIdleHalf) continue;
            for (; !sent.empty() && sent.front() != half && plan.loss > 0; ++missing) sent.pop_front();
            ASSERT_FALSE(sent.empty()) << "word " << out[0] << " was never sent";
            ASSERT_EQ(half, sent.front());
            sent.pop_front();
            ++arrived;
          }
        });
    if (testing::Test::HasFatalFailure()) FAIL() << plan.ppm << " ppm, step " << i;
  }
  EXPECT_EQ(m.overflow_o, 0);
  EXPECT_EQ(m.underflow_o, 0);
  EXPECT_EQ(m.word_lost_o, 0);
  EXPECT_LE(missing, lost_blocks);
  EXPECT_GE(missing, lost_blocks - 5) << "but for those of now";
  EXPECT_GT(arrived, plan.send * 600);
  EXPECT_LE(sent.size(), 60u) << "halves that are still in the line";
}

TEST(ApelinkLine, CarriesEveryWordAtAnyDifferenceOfClocks) {
  uint32_t seed = 0;
  // 9900 ppm are what one idle block in 101 makes good; 100 or 200 are usual.
  for (const int ppm : {0, 100, -100, 200, -200, 9'000, -9'000}) {
    run_line({.ppm = ppm}, ++seed);
    run_line({.ppm = ppm, .send = 30, .ready = 90}, ++seed);
    if (testing::Test::HasFailure()) FAIL() << ppm;
  }
}

TEST(ApelinkLine, FindsTheBeginOfWordsAgain) {
  for (const int ppm : {100, -100}) {
    run_line({.ppm = ppm, .loss = 20}, 100);
    run_line({.ppm = ppm, .send = 40, .loss = 50}, 101);
  }
}

}  // namespace
}  // namespace fabrictwin::test
