// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A shell between an agent and an element in C++ that sends back what it gets.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "VShellCore__inputs.h"
#include "bridges/board/shell/phases.h"
#include "bridges/board/shell/record.h"
#include "cosim/base/clock.h"
#include "cosim/link/record.h"
#include "cosim/link/word_serializer.h"
#include "rtl/transactor/shell/axi_memory.h"
#include "tests/rtl/pin_bits.h"
#include "tests/rtl/random_state_context.h"

namespace fabrictwin::test {

inline constexpr size_t kCorePorts = 3;
// The links of the model that the program has carry words and VCs of so many bits.
#ifndef FABRICTWIN_CORE_DATA_BITS
#define FABRICTWIN_CORE_DATA_BITS 128
#define FABRICTWIN_CORE_VC_BITS 1
#endif
inline constexpr size_t kCoreDataBits = FABRICTWIN_CORE_DATA_BITS;
inline constexpr int kCoreVcBits = FABRICTWIN_CORE_VC_BITS;

struct CoreWord {
  link::Word data;
  uint8_t vc = 0;
  bool sop = false;
  bool eop = false;
  bool operator==(const CoreWord&) const = default;
};

struct CoreCredit {
  uint8_t vc = 0;
  uint8_t count = 0;
  uint8_t health = 0;
  bool operator==(const CoreCredit&) const = default;
};

/// What a port samples at an edge.
struct CoreInput {
  std::optional<CoreWord> word;
  std::optional<CoreCredit> credit;
  bool ready = false;
};
using CoreInputs = std::array<CoreInput, kCorePorts>;

/// Gives words to the next port, credits to the one before, and a credit for each word.
class EchoElement {
 public:
  bool idle() const {
    for (const Port& port : ports_) {
      if (!port.words.empty() || !port.credits.empty()) return false;
    }
    return true;
  }
  /// What its registers hold.
  const CoreWord* word(size_t port) const { return ports_[port].words.empty() ? nullptr : &ports_[port].words.front(); }
  const CoreCredit* credit(size_t port) const {
    return ports_[port].credits.empty() ? nullptr : &ports_[port].credits.front();
  }
  void owe(size_t port, const CoreCredit& credit) { ports_[port].credits.push_back(credit); }
  void edge(const CoreInputs& inputs) {
    for (size_t p = 0; p < kCorePorts; ++p) {
      if (inputs[p].ready && word(p) != nullptr) ports_[p].words.pop_front();
      if (credit(p) != nullptr) ports_[p].credits.pop_front();
    }
    for (size_t p = 0; p < kCorePorts; ++p) {
      if (inputs[p].word.has_value()) {
        ports_[(p + 1) % kCorePorts].words.push_back(*inputs[p].word);
        ports_[p].credits.push_back({inputs[p].word->vc, 1, static_cast<uint8_t>(p)});
      }
      if (inputs[p].credit.has_value()) ports_[(p + 2) % kCorePorts].credits.push_back(*inputs[p].credit);
    }
  }

 private:
  struct Port {
    std::deque<CoreWord> words;
    std::deque<CoreCredit> credits;
  };
  std::array<Port, kCorePorts> ports_;
};

/// The shell with memory and element, and the agent's ends of the rings.
class ShellCoreBench {
 public:
  static constexpr uint32_t kSlots = 16;
  static constexpr uint8_t kGated = 0, kPaced = 1, kFree = 2;
  using Slot = bridges::board::shell::Slot;
  using WordClocks = std::array<Clock, bridges::board::shell::kWordClocks>;

  /// `ready` is that of the memory.
  explicit ShellCoreBench(std::function<bool(int)> ready)
      : memory_(model_, std::as_writable_bytes(std::span(bytes_)), std::move(ready)) {
    zero_inputs(model_);
  }
  ~ShellCoreBench() { model_.final(); }

  /// Resets the shell, with empty rings and another element..
  void begin(const Clock& element, const WordClocks& words, const std::array<int, kCorePorts>& word_clock,
             uint8_t mode = kGated, uint32_t numerator = 0, uint32_t denominator = 1);
  void cycle();

  bool full() const { return produced_ - board_consumed_ >= kSlots; }
  /// Writes a record to the ring to the board, which must not be full.
  void push(const Slot& slot);
  /// The oldest record from the board.
  std::optional<Slot> pop();
  /// Lets the shell know what was taken.
  void tell_consumed() { model_.from_board_consumed_i = taken_; }

  /// The element has these credits to give back, after those that it has already.
  void owe(size_t port, const CoreCredit& credit) {
    element_.owe(port, credit);
    driven_ = false;
  }

  uint32_t produced() const { return produced_; }
  /// What the last status said of the ring to the board.
  uint32_t board_consumed() const { return board_consumed_; }
  VShellCore& model() { return model_; }

  /// Called at each edge that the element executes.
  std::function<void(int64_t edge, const CoreInputs& inputs)> on_execute;
  /// What the shell has written into the route table: input, destination, entry.
  std::vector<std::array<int, 3>> routes;

 private:
  static constexpr size_t kToBoard = 0x400;
  static constexpr size_t kFromBoard = kToBoard + kSlots * bridges::board::shell::kSlotBytes;
  static constexpr size_t kFlagBits = 2 + kCoreVcBits;
  static constexpr size_t kWordBits = kCoreDataBits + kFlagBits;
  static constexpr size_t kCreditBits = 11 + kCoreVcBits;

  uint64_t* slot(size_t ring, uint32_t record) {
    return &bytes_[(ring + record % kSlots * bridges::board::shell::kSlotBytes) / sizeof(uint64_t)];
  }
  static uint64_t owner(uint32_t record) { return (record & kSlots) == 0 ? uint64_t{1} << 63 : 0; }
  void drive_element();
  CoreInputs inputs();

  std::array<uint64_t, 512> bytes_{};
  RandomStateContext context_;
  VShellCore model_{&context_};
  rtl::shell::AxiMemory<VShellCore> memory_;
  EchoElement element_;
  bool driven_ = false;  ///< The pins have what the element says.
  uint32_t produced_ = 0;
  uint32_t board_consumed_ = 0;
  uint32_t taken_ = 0;
};

inline void ShellCoreBench::begin(const Clock& element, const WordClocks& words,
                                  const std::array<int, kCorePorts>& word_clock, uint8_t mode, uint32_t numerator,
                                  uint32_t denominator) {
  using bridges::board::shell::Period;
  model_.enable_i = 0;
  do cycle();
  while (!model_.quiet_o);
  bytes_ = {};
  element_ = {};
  driven_ = false;
  routes.clear();
  produced_ = board_consumed_ = taken_ = 0;
  model_.to_board_base_i = kToBoard;
  model_.from_board_base_i = kFromBoard;
  model_.from_board_consumed_i = 0;
  model_.mode_i = mode;
  model_.pace_numerator_i = numerator;
  model_.pace_denominator_i = denominator;
  const Period period(element);
  model_.period_whole_i = static_cast<uint64_t>(period.whole);
  model_.period_numerator_i = static_cast<uint32_t>(period.numerator);
  model_.period_denominator_i = static_cast<uint32_t>(period.denominator);
  for (size_t c = 0; c < words.size(); ++c) {
    const Period word(words[c]);
    put_bits(model_.word_whole_i, 54 * c, 54, static_cast<uint64_t>(word.whole));
    put_bits(model_.word_numerator_i, 32 * c, 32, static_cast<uint64_t>(word.numerator));
    put_bits(model_.word_denominator_i, 32 * c, 32, static_cast<uint64_t>(word.denominator));
  }
  model_.word_clock_i = 0;
  for (size_t p = 0; p < kCorePorts; ++p) model_.word_clock_i |= static_cast<uint8_t>(word_clock[p] << (2 * p));
  model_.rst_ni = 0;
  for (int i = 0; i < 3; ++i) cycle();
  model_.rst_ni = 1;
  model_.enable_i = 1;
}

inline void ShellCoreBench::drive_element() {
  model_.word_valid_i = model_.credit_valid_i = 0;
  for (size_t p = 0; p < kCorePorts; ++p) {
    if (const CoreWord* word = element_.word(p); word != nullptr) {
      model_.word_valid_i |= static_cast<uint8_t>(1 << p);
      put_bits(model_.word_i, kWordBits * p, 64, word->data.lo);
      if (kCoreDataBits > 64) put_bits(model_.word_i, kWordBits * p + 64, 64, word->data.hi);
      put_bits(model_.word_i, kWordBits * p + kCoreDataBits, kFlagBits,
               static_cast<uint64_t>(word->eop | word->sop << 1 | word->vc << 2));
    }
    if (const CoreCredit* credit = element_.credit(p); credit != nullptr) {
      model_.credit_valid_i |= static_cast<uint8_t>(1 << p);
      put_bits(model_.credit_i, kCreditBits * p, kCreditBits, credit->health | credit->count << 3 | credit->vc << 11);
    }
  }
  model_.element_idle_i = element_.idle();
}

inline CoreInputs ShellCoreBench::inputs() {
  CoreInputs inputs;
  for (size_t p = 0; p < kCorePorts; ++p) {
    if ((model_.word_valid_o >> p & 1) != 0) {
      const uint64_t flags = get_bits(model_.word_o, kWordBits * p + kCoreDataBits, kFlagBits);
      inputs[p].word = CoreWord{{get_bits(model_.word_o, kWordBits * p, 64),
                                 kCoreDataBits > 64 ? get_bits(model_.word_o, kWordBits * p + 64, 64) : 0},
                                static_cast<uint8_t>(flags >> 2),
                                (flags & 2) != 0,
                                (flags & 1) != 0};
    }
    if ((model_.credit_valid_o >> p & 1) != 0) {
      const uint64_t bits = get_bits(model_.credit_o, kCreditBits * p, kCreditBits);
      inputs[p].credit =
          CoreCredit{static_cast<uint8_t>(bits >> 11), static_cast<uint8_t>(bits >> 3), static_cast<uint8_t>(bits & 7)};
    }
    inputs[p].ready = (model_.word_ready_o >> p & 1) != 0;
  }
  return inputs;
}

inline void ShellCoreBench::cycle() {
  if (!driven_) drive_element();
  driven_ = true;
  model_.eval();
  memory_.sample();
  const bool execute = model_.execute_o && model_.rst_ni;
  const auto edge = static_cast<int64_t>(model_.edge_o);
  const CoreInputs sampled = execute ? inputs() : CoreInputs{};
  if (model_.route_write_o && model_.rst_ni)
    routes.push_back({model_.route_input_o, model_.route_destination_o, model_.route_entry_o});
  model_.clk_i = 0;
  model_.eval();
  model_.clk_i = 1;
  model_.eval();
  memory_.drive();
  if (!execute) return;
  if (on_execute) on_execute(edge, sampled);
  element_.edge(sampled);
  driven_ = false;
}

inline void ShellCoreBench::push(const Slot& record) {
  ASSERT_FALSE(full());
  uint64_t* at = slot(kToBoard, produced_);
  std::copy(record.words.begin(), record.words.end(), at);
  at[6] = record.control();
  at[7] = record.stamp() | owner(produced_);
  ++produced_;
}

inline std::optional<bridges::board::shell::Slot> ShellCoreBench::pop() {
  const uint64_t* at = slot(kFromBoard, taken_);
  if ((at[7] & uint64_t{1} << 63) != owner(taken_)) return std::nullopt;
  Slot record;
  std::copy_n(at, record.words.size(), record.words.begin());
  record.set_control(at[6]);
  record.set_stamp(at[7]);
  ++taken_;
  if (record.kind == bridges::board::shell::Kind::kStatus) board_consumed_ = static_cast<uint32_t>(record.words[1]);
  return record;
}

}  // namespace fabrictwin::test
