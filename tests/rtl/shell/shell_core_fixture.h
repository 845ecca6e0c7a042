// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The shell between a memory with any delays and an element that sends back what it gets. A reference says at which
// edges of the element what must leave.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "tests/rtl/shell/shell_core_bench.h"

namespace fabrictwin::test {

using bridges::board::shell::Kind;
using bridges::board::shell::Slot;
namespace shell = bridges::board::shell;

inline constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
/// The agent lets the shell jump over so many edges or more.
inline constexpr int kLeastJump = 24;

struct Arrival {
  int64_t edge;
  CoreWord word;
  CoreCredit credit;
};

/// The element with the links' serializers, edge by edge.
class Reference {
 public:
  struct Event {
    int64_t edge;
    CoreWord word;
    CoreCredit credit;
  };
  Reference(const Clock& element, const std::array<Clock, kCorePorts>& words) : clock_(element) {
    for (size_t p = 0; p < kCorePorts; ++p) {
      serializers_.emplace_back(element, words[p]);
      word_clocks_.push_back(words[p]);
    }
  }

  void run_until(int64_t end) {
    while (edge_ < end) {
      if (element_.idle()) {
        edge_ = std::max(edge_, next_arrival());
        if (edge_ >= end) break;
      }
      execute();
    }
    edge_ = element_.idle() ? std::min(edge_, end) : end;
  }
  bool may_jump(int64_t to) const {
    for (size_t p = 0; p < kCorePorts; ++p) {
      if (serializers_[p].last_slot() + 1 >= word_clocks_[p].edge_at_or_after(clock_.edge(to))) return false;
    }
    return true;
  }
  bool idle() const { return element_.idle() && next_arrival() == kNever; }

  std::array<std::deque<Arrival>, kCorePorts> words, credits;          ///< To come.
  std::array<std::deque<Event>, kCorePorts> left_words, left_credits;  ///< Not yet seen from the shell.
  uint64_t executed = 0;
  int64_t edge_ = 0;

 private:
  int64_t next_arrival() const {
    int64_t next = kNever;
    for (const auto* queues : {&words, &credits}) {
      for (const std::deque<Arrival>& queue : *queues)
        next = std::min(next, queue.empty() ? kNever : queue.front().edge);
    }
    return next;
  }
  void execute() {
    CoreInputs inputs;
    for (size_t p = 0; p < kCorePorts; ++p) {
      if (const CoreCredit* credit = element_.credit(p)) left_credits[p].push_back({edge_, {}, *credit});
      inputs[p].ready = serializers_[p].ready(edge_);
      if (const CoreWord* word = element_.word(p); word != nullptr && inputs[p].ready) {
        left_words[p].push_back({edge_, *word, {}});
        serializers_[p].accept(edge_);
      }
      if (!words[p].empty() && words[p].front().edge == edge_) {
        inputs[p].word = words[p].front().word;
        words[p].pop_front();
      }
      if (!credits[p].empty() && credits[p].front().edge == edge_) {
        inputs[p].credit = credits[p].front().credit;
        credits[p].pop_front();
      }
    }
    element_.edge(inputs);
    ++executed;
    ++edge_;
  }

  Clock clock_;
  std::vector<Clock> word_clocks_;
  std::vector<link::WordSerializer> serializers_;
  EchoElement element_;
};

class ShellCore : public ::testing::Test {
 protected:
  ShellCore() : random_(47), bench_([this](int /*channel*/) { return chance(speed_); }) {}

  bool chance(unsigned percent) { return random_() % 100 < percent; }
  int draw(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  CoreWord any_word(uint8_t vc, bool sop, bool eop) {
    CoreWord word;
    for (uint64_t* half : {&word.data.lo, &word.data.hi}) {
      const uint64_t high = random_();
      *half = high << 32 | random_();
    }
    if (kCoreDataBits <= 64) word.data.hi = 0;
    word.vc = vc;
    word.sop = sop;
    word.eop = eop;
    return word;
  }

  void begin(const Clock& element, const ShellCoreBench::WordClocks& words, std::array<int, kCorePorts> word_clock,
             int64_t start, uint8_t mode = ShellCoreBench::kGated, uint32_t numerator = 0, uint32_t denominator = 1) {
    begin_without_jump(element, words, word_clock, start, mode, numerator, denominator);
    push(shell::jump_record(clock_, word_clocks_, start));
  }
  void begin_without_jump(const Clock& element, const ShellCoreBench::WordClocks& words,
                          std::array<int, kCorePorts> word_clock, int64_t start, uint8_t mode, uint32_t numerator,
                          uint32_t denominator) {
    clock_ = element;
    mode_ = mode;
    word_clocks_ = words;
    std::array<Clock, kCorePorts> of_ports{element, element, element};
    for (size_t p = 0; p < kCorePorts; ++p) of_ports[p] = words[static_cast<size_t>(word_clock[p])];
    reference_ = std::make_unique<Reference>(element, of_ports);
    reference_->edge_ = start;
    bench_.begin(element, words, word_clock, mode, numerator, denominator);
    limit_ = 0;
    status_ = {};
    executed_edges_ = 0;
    bench_.on_execute = [this](int64_t edge, const CoreInputs&) {
      if (mode_ != ShellCoreBench::kFree) {
        EXPECT_LT(edge, limit_);
      }
      EXPECT_GT(edge, last_executed_);
      last_executed_ = edge;
      ++executed_edges_;
    };
    last_executed_ = -1;
  }

  void push(const Slot& slot) {
    for (int i = 0; bench_.full(); ++i) {
      ASSERT_LT(i, 100'000) << "the ring stays full";
      ASSERT_NO_FATAL_FAILURE(cycle());
    }
    // Each record is a limit, to be seen from now on.
    if (slot.kind != Kind::kRoutes) limit_ = slot.edge;
    bench_.push(slot);
    while (chance(50)) ASSERT_NO_FATAL_FAILURE(cycle());
  }

  /// A cycle of the board, after which the agent may look.
  void cycle() {
    bench_.cycle();
    if (!chance(hunger_)) return;
    const std::optional<Slot> slot = bench_.pop();
    if (chance(20)) bench_.tell_consumed();
    if (!slot.has_value()) return;
    ASSERT_NO_FATAL_FAILURE(take(*slot));
  }

  void take(const Slot& slot) {
    if (slot.kind == Kind::kStatus) {
      EXPECT_GE(slot.edge, status_.edge);
      status_ = slot;
      ++statuses_;
      if ((slot.flags & shell::kSettled) == 0) {
        ++unsettled_;
        return;
      }
      if (mode_ != ShellCoreBench::kGated) return;
      for (size_t p = 0; p < kCorePorts; ++p) {
        ASSERT_TRUE(reference_->left_words[p].empty() || reference_->left_words[p].front().edge >= slot.edge)
            << "a word left before the edge of the status and is not in the ring";
        ASSERT_TRUE(reference_->left_credits[p].empty() || reference_->left_credits[p].front().edge >= slot.edge);
      }
      return;
    }
    ASSERT_LT(slot.port, kCorePorts);
    ++events_;
    if (slot.kind == Kind::kCredits) {
      ASSERT_GE(slot.count, 1);
      ASSERT_LE(slot.count, shell::kCreditEntries);
      int64_t edge = slot.edge;
      for (int i = 0; i < slot.count; ++i) {
        const shell::CreditEntry entry = slot.credit(i, kCoreVcBits);
        edge += entry.delta;
        ASSERT_NO_FATAL_FAILURE(
            expect(reference_->left_credits[slot.port], edge, {}, {entry.vc, entry.count, slot.flags}));
      }
      if (slot.count > 1) ++shared_credits_;
      return;
    }
    ASSERT_EQ(slot.kind, Kind::kWords);
    ASSERT_GE(slot.count, 1);
    ASSERT_LE(slot.count, 3);
    int64_t edge = slot.edge;
    for (int i = 0; i < slot.count; ++i) {
      if (i > 0) edge += slot.delta[static_cast<size_t>(i - 1)];
      CoreWord word{slot.word(i), slot.vc, false, false};
      word.sop = i == 0 && (slot.flags & link::kStartOfPacket) != 0;
      word.eop = i == slot.count - 1 && (slot.flags & link::kEndOfPacket) != 0;
      ASSERT_NO_FATAL_FAILURE(expect(reference_->left_words[slot.port], edge, word, {}));
    }
    if (slot.count == 3) ++full_records_;
  }
  void expect(std::deque<Reference::Event>& events, int64_t edge, const CoreWord& word, const CoreCredit& credit) {
    ASSERT_FALSE(events.empty()) << "something leaves at edge " << edge << " that should not";
    const Reference::Event event = events.front();
    events.pop_front();
    ASSERT_TRUE(event.word == word && event.credit == credit) << "at edge " << edge;
    if (mode_ != ShellCoreBench::kFree) {
      ASSERT_EQ(event.edge, edge);
    }
  }

  /// Arrivals of the edges up to `end`.
  void make_arrivals(int64_t begin, int64_t end, int gap) {
    for (size_t p = 0; p < kCorePorts; ++p) {
      int64_t edge = begin + draw(gap);
      bool inside = false;
      uint8_t vc = 0;
      while (edge < end) {
        if (!inside || chance(20)) vc = static_cast<uint8_t>(random_() % (1u << kCoreVcBits));
        const bool eop = chance(20);
        arriving_words_[p].push_back({edge, any_word(vc, !inside, eop), {}});
        inside = !eop;
        edge += 1 + (chance(70) ? 0 : draw(gap));
      }
      edge = begin + draw(3 * gap);
      while (edge < end) {
        const auto vc = static_cast<uint8_t>(random_() % (1u << kCoreVcBits));
        const auto count = static_cast<uint8_t>(1 + random_() % 255);
        const auto health = static_cast<uint8_t>(random_() % 8);
        arriving_credits_[p].push_back({edge, {}, {vc, count, health}});
        edge += 1 + draw(3 * gap);
      }
      reference_->words[p].insert(reference_->words[p].end(), arriving_words_[p].begin(), arriving_words_[p].end());
      reference_->credits[p].insert(reference_->credits[p].end(), arriving_credits_[p].begin(),
                                    arriving_credits_[p].end());
    }
  }
  int64_t next_arrival() const {
    int64_t next = kNever;
    for (const auto* queues : {&arriving_words_, &arriving_credits_}) {
      for (const std::deque<Arrival>& queue : *queues)
        next = std::min(next, queue.empty() ? kNever : queue.front().edge);
    }
    return next;
  }
  /// Sends the arrivals in the order of their edges.
  void send_arrivals() {
    while (next_arrival() != kNever) {
      const int64_t next = next_arrival();
      for (size_t p = 0; p < kCorePorts; ++p) {
        std::deque<Arrival>& credits = arriving_credits_[p];
        if (!credits.empty() && credits.front().edge == next) {
          Slot slot;
          slot.kind = Kind::kCredits;
          slot.edge = next;
          slot.port = static_cast<uint32_t>(p);
          slot.flags = credits.front().credit.health;
          int64_t last = next;
          while (!credits.empty() && slot.count < shell::kCreditEntries) {
            const Arrival& more = credits.front();
            if (more.credit.health != slot.flags || more.edge - last > shell::max_credit_delta(kCoreVcBits)) break;
            slot.add_credit({static_cast<uint8_t>(more.edge - last), more.credit.vc, more.credit.count}, kCoreVcBits);
            last = more.edge;
            credits.pop_front();
          }
          ASSERT_NO_FATAL_FAILURE(push(slot));
        }
        std::deque<Arrival>& words = arriving_words_[p];
        if (words.empty() || words.front().edge != next) continue;
        Slot slot;
        slot.kind = Kind::kWords;
        slot.edge = next;
        slot.port = static_cast<uint32_t>(p);
        slot.vc = words.front().word.vc;
        slot.flags = words.front().word.sop ? link::kStartOfPacket : 0;
        int64_t last = next;
        while (!words.empty() && slot.count < 3) {
          const Arrival& word = words.front();
          if (slot.count > 0) {
            if (word.word.vc != slot.vc || word.word.sop || word.edge - last > shell::kMaxDelta) break;
            slot.delta[slot.count - size_t{1}] = static_cast<uint8_t>(word.edge - last);
          }
          last = word.edge;
          slot.set_word(slot.count, word.word.data);
          ++slot.count;
          const bool eop = word.word.eop;
          words.pop_front();
          if (!eop) continue;
          slot.flags |= link::kEndOfPacket;
          break;
        }
        ASSERT_NO_FATAL_FAILURE(push(slot));
      }
    }
  }
  void send_limit(int64_t end) {
    Slot limit;
    limit.edge = end;
    push(limit);
  }
  /// As the agent waits.
  void wait_until(int64_t end) {
    const auto settled = [&] {
      return (status_.flags & shell::kSettled) != 0 && bench_.board_consumed() == bench_.produced() &&
             (status_.edge >= end || (status_.flags & shell::kIdle) != 0);
    };
    status_.flags = 0;
    for (int i = 0; !settled(); ++i) {
      ASSERT_LT(i, 250'000) << "no status says that the element has come to " << end;
      ASSERT_NO_FATAL_FAILURE(cycle());
    }
  }
  /// A cycle of the memory in so many of a hundred, and one of the agent.
  void any_speeds() {
    speed_ = chance(30) ? 100 : static_cast<unsigned>(20 + draw(80));
    hunger_ = chance(30) ? 100 : static_cast<unsigned>(2 + draw(60));
  }

  /// Windows of time as an agent has them.
  void run_windows(int windows) {
    int64_t begin = reference_->edge_;
    for (int window = 0; window < windows; ++window) {
      any_speeds();
      // Now and then the links can give out all that waits.
      const bool drain = chance(15);
      const int64_t end = begin + (drain ? 5000 : 1 + draw(chance(20) ? 2000 : 60));
      if (!drain && chance(80)) make_arrivals(begin, end, chance(50) ? 3 : 400);
      const int64_t arrival = next_arrival();
      if ((status_.flags & shell::kIdle) != 0 && arrival != kNever && arrival - status_.edge >= kLeastJump &&
          chance(70) && reference_->may_jump(arrival)) {
        ASSERT_NO_FATAL_FAILURE(push(shell::jump_record(clock_, word_clocks_, arrival)));
        ++jumps_;
      }
      ASSERT_NO_FATAL_FAILURE(run_window(end));
      begin = end;
    }
  }
  /// A window with the arrivals that are there.
  void run_window(int64_t end) {
    reference_->run_until(end);
    ASSERT_NO_FATAL_FAILURE(send_arrivals());
    ASSERT_NO_FATAL_FAILURE(send_limit(end));
    ASSERT_NO_FATAL_FAILURE(wait_until(end));
    for (size_t p = 0; p < kCorePorts; ++p) {
      ASSERT_TRUE(reference_->left_words[p].empty() && reference_->left_credits[p].empty());
    }
    ASSERT_EQ(status_.words[0], reference_->executed);
    ASSERT_EQ(executed_edges_, reference_->executed);
    ASSERT_EQ((status_.flags & shell::kIdle) != 0, reference_->idle());
    ASSERT_EQ(status_.words[1] >> 32, 0u) << "something was late";
    ASSERT_FALSE(bench_.model().record_error_o || bench_.model().bus_error_o);
    ASSERT_FALSE(HasFailure());
  }

  std::mt19937 random_;
  unsigned speed_ = 100;
  unsigned hunger_ = 100;
  ShellCoreBench bench_;
  Clock clock_ = Clock::from_period(1, 1);
  ShellCoreBench::WordClocks word_clocks_{clock_, clock_, clock_, clock_};
  uint8_t mode_ = 0;
  std::unique_ptr<Reference> reference_;
  std::array<std::deque<Arrival>, kCorePorts> arriving_words_, arriving_credits_;
  Slot status_;
  int64_t limit_ = 0;
  int64_t last_executed_ = -1;
  uint64_t executed_edges_ = 0;
  int jumps_ = 0, statuses_ = 0, unsettled_ = 0, events_ = 0, full_records_ = 0, shared_credits_ = 0;
};

inline Clock hertz(int64_t frequency) { return Clock(Frequency{frequency}); }

}  // namespace fabrictwin::test
