// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How much waits in the inputs of routers over time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cosim/base/clock.h"
#include "cosim/base/time.h"
#include "cosim/link/record.h"
#include "models/kernel/queue_times.h"

namespace fabrictwin::kernel {

/// Counts words, or flits of a word each, in the buffers of inputs, all VCs of one together. Not thread-safe.
class InputMeter {
 public:
  /// `clock` is that of the routers.
  InputMeter(const Clock& clock, size_t inputs) : clock_(clock), lengths_(inputs), times_(inputs) {}

  void enter(size_t input, int64_t cycle) { add(input, link::kWordBytes, cycle); }
  void leave(size_t input, int64_t cycle) { add(input, -link::kWordBytes, cycle); }
  /// From this cycle on, so many words are in an input.
  void set(size_t input, int64_t words, int64_t cycle) {
    const int64_t change = words * link::kWordBytes - lengths_[input].bytes;
    if (change != 0) add(input, change, cycle);
  }

  /// Bytes in the fullest input now.
  int64_t longest() const { return most_of(&QueueLength::bytes); }
  /// Returns the totals of a run that has come to `at`, or to the last change if that is later, by numbers of inputs.
  QueueTotals totals(Time at) const {
    at = std::max(at, Time::from_fs(most_of(&QueueLength::changed)));
    QueueTotals totals;
    for (size_t input = 0; input < lengths_.size(); ++input)
      totals.take(static_cast<uint32_t>(input), lengths_[input], lengths_[input].most, at);
    if (totals.mean_at(at) == 0) return totals;
    const int64_t* lengths = times_.of(totals.mean_queue);
    totals.times.assign(lengths, lengths + QueueTimes::kBuckets);
    return totals;
  }

 private:
  void add(size_t input, int64_t bytes, int64_t cycle) {
    lengths_[input].add(bytes, clock_.edge(cycle).fs(), times_.of(input));
  }
  int64_t most_of(int64_t QueueLength::*field) const {
    int64_t most = 0;
    for (const QueueLength& length : lengths_) most = std::max(most, length.*field);
    return most;
  }

  Clock clock_;
  std::vector<QueueLength> lengths_;
  QueueTimesTable times_;
};

}  // namespace fabrictwin::kernel
