// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Samples of metrics at given simulated times.
#pragma once

#include <span>

#include "cosim/base/time.h"
#include "cosim/engine/partition.h"
#include "cosim/link/counters.h"

namespace fabrictwin::run {

/// Takes samples of the partition that has the models and hosts in the process of the run. It is asked by that
/// partition, which stops at the times of samples: so samples are the same however the run is threaded, and do not
/// change it. Not thread-safe.
class MetricSampler {
 public:
  virtual ~MetricSampler() = default;

  /// The time of the next sample; never() if there is none.
  Time next() const { return next_; }
  /// Takes the sample of next(), before which everything has been simulated. `links` are by channel, as of next().
  virtual void sample(const engine::Partition& partition, std::span<const link::LinkCounters> links) = 0;

 protected:
  Time next_ = Time::never();
};

}  // namespace fabrictwin::run
