// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The two points where a clocked element meets a link: words leave in slots of the link's word clock and arrive between
// edges of the element's clock. The RTL transactor and the router model share these classes, so both keep the same
// time.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cosim/base/clock.h"
#include "cosim/base/time.h"

namespace fabrictwin::link {

/// The ready/valid side of a transmitter: says at which cycles of the element's clock it can take a word, and in which
/// slot of the word clock that word is on the wire. It takes a word as soon as the slot after the previous word begins
/// before the next clock edge, so links of any ratio up to one word a clock run at full rate.
class WordSerializer {
 public:
  WordSerializer(Clock element_clock, Clock word_clock) : element_clock_(element_clock), word_clock_(word_clock) {}

  /// The first cycle at which a word can be taken.
  int64_t ready_cycle() const { return ready_cycle_; }
  bool ready(int64_t cycle) const { return cycle >= ready_cycle_; }

  /// Takes a word at clock edge `cycle`, at which ready() must hold. Returns its slot.
  int64_t accept(int64_t cycle) {
    const Time now = element_clock_.edge(cycle);
    const int64_t slot = std::max(word_clock_.edge_at_or_after(now), last_slot_ + 1);
    take(cycle, slot);
    return slot;
  }

  /// The slot of the last word; -1 before the first.
  int64_t last_slot() const { return last_slot_; }
  /// Leaves the slot after the last word, which was taken at `cycle`, empty.
  void skip(int64_t cycle) { take(cycle, last_slot_ + 1); }

 private:
  void take(int64_t cycle, int64_t slot) {
    last_slot_ = slot;
    // Ready at the first later cycle k with word_edge(slot + 1) < edge(k + 1).
    const Time free = word_clock_.edge(slot + 1);
    ready_cycle_ = std::max(cycle + 1, element_clock_.edge_at_or_after(free + Time::from_fs(1)) - 1);
  }

  Clock element_clock_;
  Clock word_clock_;
  int64_t last_slot_ = -1;
  int64_t ready_cycle_ = 0;
};

/// The receiving side: computes the clock edge at which an arrival is sampled, the first one at or after it, at most
/// one arrival a cycle.
class ArrivalSampler {
 public:
  explicit ArrivalSampler(Clock element_clock) : element_clock_(element_clock) {}

  /// Arrivals must be given in order. Returns the sampling cycle.
  int64_t sample(Time arrival) {
    last_cycle_ = std::max(element_clock_.edge_at_or_after(arrival), last_cycle_ + 1);
    return last_cycle_;
  }

 private:
  Clock element_clock_;
  int64_t last_cycle_ = -1;
};

}  // namespace fabrictwin::link
