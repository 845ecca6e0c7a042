// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The pace at which a serial line hands its words to a clocked receiver.
#pragma once

#include <cstdint>

#include "cosim/base/clock.h"
#include "cosim/base/time.h"

namespace fabrictwin {

/// A word needs a period of the word clock. Words that follow each other keep that pace in the mean, whatever the ratio
/// of the clocks; after a pause the line begins anew at the receiver's edge.
class LinePacer {
 public:
  LinePacer(Clock receiver_clock, Clock word_clock) : receiver_clock_(receiver_clock), period_(word_clock.period()) {}

  bool ready(int64_t cycle) const { return receiver_clock_.edge(cycle) >= due_; }

  /// A word has been handed over at the edge `cycle`, which must be ready.
  void accept(int64_t cycle) {
    const Time now = receiver_clock_.edge(cycle);
    due_ = (now - due_ < receiver_clock_.period() ? due_ : now) + period_;
  }

 private:
  Clock receiver_clock_;
  Time period_;
  Time due_;
};

}  // namespace fabrictwin
