// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How a generator of traffic counts time.
#pragma once

#include <cstdint>

#include "cosim/base/clock.h"

namespace fabrictwin::traffic {

/// The unit of time of a generator, the tick, and what else is counted in a network: cycles of the router clock, in
/// which a measurement is described, and slots, each of which carries a word on a link between routers. Value type.
class TimeBase {
 public:
  /// Ticks and slots are router cycles. `full_load` is the words per cycle of a link that is never idle.
  static TimeBase by_cycle(const Clock& router, double full_load) { return TimeBase(router, router, true, full_load); }
  /// Ticks are femtoseconds, and slots those of the `words` of links.
  static TimeBase by_time(const Clock& router, const Clock& words) { return TimeBase(router, words, false, 1); }

  int64_t tick_of_cycle(int64_t cycle) const { return by_cycle_ ? cycle : router_.edge(cycle).fs(); }
  /// The first tick at or after `time`.
  int64_t tick_at_or_after(Time time) const { return by_cycle_ ? router_.edge_at_or_after(time) : time.fs(); }
  /// The number of cycles, or of slots, that begin before a tick.
  int64_t cycles_before(int64_t tick) const { return edges_before(router_, tick); }
  int64_t slots_before(int64_t tick) const { return edges_before(slots_, tick); }
  /// The cycle in which a tick is.
  int64_t cycle_of_tick(int64_t tick) const { return cycles_before(tick + 1) - 1; }

  bool counts_cycles() const { return by_cycle_; }
  double tick_seconds() const { return by_cycle_ ? router_.period().seconds() : 1e-15; }
  double slot_seconds() const { return slots_.period().seconds(); }
  double tick_cycles() const {
    return by_cycle_ ? 1 : static_cast<double>(router_.denominator()) / static_cast<double>(router_.numerator());
  }
  double full_load() const { return full_load_; }

 private:
  TimeBase(const Clock& router, const Clock& slots, bool by_cycle, double full_load)
      : router_(router), slots_(slots), by_cycle_(by_cycle), full_load_(full_load) {}
  int64_t edges_before(const Clock& clock, int64_t tick) const {
    return by_cycle_ ? tick : clock.edge_at_or_after(Time::from_fs(tick));
  }

  Clock router_;
  Clock slots_;
  bool by_cycle_;
  double full_load_;
};

}  // namespace fabrictwin::traffic
