// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Gate, word clock and pacer beside what the rest of the framework keeps time with: at each edge the link is ready
// exactly if link::WordSerializer is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "VShellParts__inputs.h"
#include "bridges/board/shell/phases.h"
#include "bridges/board/shell/record.h"
#include "cosim/base/clock.h"
#include "cosim/link/word_serializer.h"
#include "tests/rtl/module_test.h"

namespace fabrictwin::test {
namespace {

namespace shell = bridges::board::shell;

constexpr int64_t kMaxDenominator = (int64_t{1} << 32) - 1;
constexpr int64_t kMaxWhole = (int64_t{1} << 53) - 1;
/// Times are kept below this, with space for the next word slots.
constexpr int64_t kMaxTime = std::numeric_limits<int64_t>::max() / 2;

Clock clock_of(int64_t whole, int64_t numerator, int64_t denominator) {
  // In lowest terms before the product, which must fit into 63 bits.
  const int64_t divisor = std::gcd(numerator, denominator);
  return Clock::from_period(whole * (denominator / divisor) + numerator / divisor, denominator / divisor);
}

class ShellPacer : public ModuleTest<VShellParts> {
 protected:
  ShellPacer() : ModuleTest(43) {}

  uint64_t draw64(uint64_t below) {
    const uint64_t high = random_();
    const uint64_t low = random_();
    return (high << 32 | low) % below;
  }

  /// A clock of any period from a femtosecond to the longest that a shell keeps, most of them of a few nanoseconds.
  Clock any_clock() {
    int64_t denominator = 1;
    const int kind = draw(4);
    if (kind == 1) denominator = 1 + draw(20);
    if (kind == 2) denominator = 1 + static_cast<int64_t>(draw64(kMaxDenominator));
    if (kind == 3) denominator = kMaxDenominator - draw(3);
    int64_t most = std::numeric_limits<int64_t>::max() / denominator - 1;
    most = std::min(most, chance(10) ? kMaxWhole : chance(30) ? int64_t{20} : int64_t{10'000'000});
    const int64_t whole = 1 + static_cast<int64_t>(draw64(static_cast<uint64_t>(most)));
    return clock_of(whole, static_cast<int64_t>(draw64(static_cast<uint64_t>(denominator))), denominator);
  }

  void begin(const Clock& element, const Clock& words) {
    model_.gate_enable_i = 1;
    model_.mode_i = 0;
    model_.element_idle_i = 0;
    model_.arrivals_empty_i = 1;
    model_.arrival_i = model_.arrival_late_i = 0;
    model_.limit_i = (uint64_t{1} << 48) - 1;
    const shell::Period period(element);
    model_.period_whole_i = static_cast<uint64_t>(period.whole);
    model_.period_numerator_i = static_cast<uint32_t>(period.numerator);
    model_.period_denominator_i = static_cast<uint32_t>(period.denominator);
    const shell::Period word(words);
    model_.word_whole_i = static_cast<uint64_t>(word.whole);
    model_.word_numerator_i = static_cast<uint32_t>(word.numerator);
    model_.word_denominator_i = static_cast<uint32_t>(word.denominator);
    model_.clear_i = model_.jump_i = model_.accept_i = model_.space_i = 0;
    reset();
    jump(element, words, 0);
  }

  void jump(const Clock& element, const Clock& words, int64_t to) {
    const shell::Slot slot = shell::jump_record(element, std::vector<Clock>{words}, to);
    model_.jump_edge_i = static_cast<uint64_t>(slot.edge);
    // That of word clock 0, and the fraction of the element's clock above those of all four.
    model_.jump_phase_i[0] = static_cast<uint32_t>(slot.words[0]);
    model_.jump_phase_i[1] = static_cast<uint32_t>(slot.words[0] >> 32);
    model_.jump_phase_i[2] = static_cast<uint32_t>(slot.words[1] & 0xffffff);
    constexpr int kBit = shell::kWordClocks * shell::kPhaseBits;
    const unsigned __int128 half = slot.words[kBit / 64];
    model_.jump_fraction_i =
        static_cast<uint32_t>((static_cast<unsigned __int128>(slot.words[kBit / 64 + 1]) << 64 | half) >> (kBit % 64));
    model_.accept_i = model_.space_i = 0;
    model_.clear_i = 1;
    edge();
    model_.clear_i = 0;
    model_.jump_i = 1;
    edge();
    model_.jump_i = 0;
  }

  /// Compares `edges` edges, with words offered with a chance of `load` percent and jumps now and then.
  void compare(const Clock& element, const Clock& words, int edges, unsigned load) {
    SCOPED_TRACE("element " + std::to_string(element.numerator()) + "/" + std::to_string(element.denominator()) +
                 ", words " + std::to_string(words.numerator()) + "/" + std::to_string(words.denominator()));
    ASSERT_TRUE(shell::Period(element).fits() && shell::Period(words).fits());
    begin(element, words);
    link::WordSerializer serializer(element, words);
    const int64_t last =
        std::min(int64_t{1} << 47, (kMaxTime - 4 * words.period().fs()) / (element.period().fs() + 1) - edges);
    int64_t now = 0;
    int waited = 0;
    for (int step = 0; step < edges;) {
      ASSERT_EQ(model_.edge_o, static_cast<uint64_t>(now));
      if (now < last && chance(1)) {
        const int64_t to = now + 1 + static_cast<int64_t>(draw64(static_cast<uint64_t>(chance(50) ? 40 : last - now)));
        // As Element::may_jump().
        if (serializer.last_slot() + 1 < words.edge_at_or_after(element.edge(to))) {
          jump(element, words, to);
          now = to;
          ++seen_["jump"];
          continue;
        }
      }
      model_.space_i = chance(90);
      model_.eval();
      if (model_.tick_o) {
        ASSERT_EQ(model_.ready_o, serializer.ready(now)) << "at edge " << now;
        const bool accept = model_.ready_o && chance(load);
        model_.accept_i = accept;
        if (accept) {
          serializer.accept(now);
          ++seen_["word"];
        } else if (!model_.ready_o) {
          ++seen_["not ready"];
        }
        ++now;
        ++step;
        ++compared_;
        waited = 0;
      } else {
        model_.accept_i = 0;
        if (model_.busy_o) ++seen_["busy"];
        ASSERT_LT(++waited, 100);
      }
      edge();
    }
  }

  int64_t compared_ = 0;
};

TEST_F(ShellPacer, KeepsTheTimeOfClocksThatLinksHave) {
  const std::vector<int64_t> frequencies = {1'000'000'000, 781'250'000, 425'000'000, 300'000'000,
                                            156'250'000,   150'000'000, 125'000'000, 7'000'003};
  for (const int64_t element : frequencies) {
    for (const int64_t words : frequencies) {
      if (words > element) continue;
      for (const unsigned load : {100u, 50u, 5u})
        compare(Clock(Frequency{element}), Clock(Frequency{words}), 600, load);
    }
  }
  EXPECT_GT(compared_, 50'000);
  for (const char* corner : {"jump", "word", "not ready"}) EXPECT_GT(seen_[corner], 100) << corner;
}

TEST_F(ShellPacer, KeepsTheTimeOfAnyClocks) {
  for (int pair = 0; pair < 1000; ++pair) {
    const Clock element = any_clock();
    Clock words = any_clock();
    const int relation = draw(4);
    if (relation == 0) words = element;
    if (relation == 1 && element.numerator() < std::numeric_limits<int64_t>::max() / 2) {
      // A little slower.
      words = Clock::from_period(element.numerator() + draw(3), element.denominator());
    }
    // As Element::configure() asks for.
    if (words.period() < element.period() || !shell::Period(words).fits()) continue;
    // So that a run of edges is within the time that there is.
    if (element.period().fs() > kMaxTime / 4096) continue;
    ++seen_[relation == 0 ? "equal" : "different"];
    compare(element, words, 400, chance(50) ? 100 : static_cast<unsigned>(1 + draw(99)));
  }
  EXPECT_GT(compared_, 150'000);
  for (const char* corner : {"jump", "word", "not ready", "busy", "equal", "different"})
    EXPECT_GT(seen_[corner], 100) << corner;
}

TEST_F(ShellPacer, KeepsTheTimeOfExtremeClocks) {
  const Clock shortest = Clock::from_period(1, 1);
  const Clock longest = clock_of(kMaxWhole, 0, 1);
  const Clock finest = clock_of((int64_t{1} << 31) - 2, kMaxDenominator - 1, kMaxDenominator);
  compare(shortest, shortest, 1000, 100);
  compare(shortest, longest, 1000, 100);
  compare(finest, finest, 1000, 100);
  compare(shortest, finest, 1000, 50);
  compare(finest, longest, 1000, 100);
  // Nearly equal periods: a word slot falls out, or two are within one period, once in a long time only.
  compare(clock_of(6'666'666, 2, 3), clock_of(6'666'666, 2'863'311'531, kMaxDenominator), 20'000, 100);
  compare(clock_of(2, 1, kMaxDenominator), clock_of(2, 2, kMaxDenominator), 20'000, 100);
  compare(clock_of(3, 1, 2), clock_of(3, 2'147'483'648, kMaxDenominator), 20'000, 100);
  // The word clock is faster, by less than a femtosecond.
  compare(clock_of(7, 9, 10), clock_of(7, 1, 10), 20'000, 100);
  compare(clock_of(1, 9, 10), clock_of(1, 1, 10), 20'000, 100);
}

}  // namespace
}  // namespace fabrictwin::test
