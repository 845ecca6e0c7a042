// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The rate at which a serial line passes its words to a clocked receiver.
#pragma once

#include <cstdint>

#include "cosim/base/clock.h"
#include "cosim/base/time.h"

namespace fabrictwin::rtl {

/// A word takes a period of the word clock. Consecutive words keep that pace on average, whatever the ratio of the
/// clocks; after a pause the line restarts at the receiver's edge.
class LinePacer {
 public:
  LinePacer(Clock receiver_clock, Clock word_clock) : receiver_clock_(receiver_clock), period_(word_clock.period()) {}

  bool ready(int64_t cycle) const { return receiver_clock_.edge(cycle) >= due_; }

  /// Records that a word was passed at the edge `cycle`, which must be ready.
  void accept(int64_t cycle) {
    const Time now = receiver_clock_.edge(cycle);
    due_ = (now - due_ < receiver_clock_.period() ? due_ : now) + period_;
  }

 private:
  Clock receiver_clock_;
  Time period_;
  Time due_;
};

}  // namespace fabrictwin::rtl
