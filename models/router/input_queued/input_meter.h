// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How much waits in the inputs of routers over time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cosim/base/clock.h"
#include "cosim/base/time.h"
#include "cosim/link/record.h"
#include "models/kernel/queue_times.h"

namespace fabrictwin::router::input_queued {

/// Counts flits, of a word each, in the buffers of inputs, all VCs of one together. Not thread-safe.
class InputMeter {
 public:
  /// `clock` is that of the routers.
  InputMeter(const Clock& clock, size_t inputs) : clock_(clock), lengths_(inputs), times_(inputs) {}

  void enter(size_t input, int64_t cycle) { add(input, link::kWordBytes, cycle); }
  void leave(size_t input, int64_t cycle) { add(input, -link::kWordBytes, cycle); }

  /// Returns the totals of a run that has come to `at`, by numbers of inputs.
  kernel::QueueTotals totals(Time at) const {
    kernel::QueueTotals totals;
    for (size_t input = 0; input < lengths_.size(); ++input)
      totals.take(static_cast<uint32_t>(input), lengths_[input], lengths_[input].most, at);
    if (totals.mean_at(at) == 0) return totals;
    const int64_t* lengths = times_.of(totals.mean_queue);
    totals.times.assign(lengths, lengths + kernel::QueueTimes::kBuckets);
    return totals;
  }

 private:
  void add(size_t input, int64_t bytes, int64_t cycle) {
    lengths_[input].add(bytes, clock_.edge(cycle).fs(), times_.of(input));
  }

  Clock clock_;
  std::vector<kernel::QueueLength> lengths_;
  kernel::QueueTimesTable times_;
};

}  // namespace fabrictwin::router::input_queued
