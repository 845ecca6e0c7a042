// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The cost of a core's memory accesses: docs/models/host-memory.md.
#pragma once

#include <cstdint>

#include "cosim/base/time.h"
#include "cosim/experiment/experiment.h"

namespace fabrictwin::mpi::protocol {

/// The time in which a core copies bytes. Value type; by default copies take no time.
class CopyCost {
 public:
  CopyCost() = default;
  /// `host.copy_rate`, or half of what the memory channel leaves each of `cores` busy cores if that is less, as a copy
  /// reads and writes.
  static CopyCost of_host(const experiment::HostSpec& host, int32_t cores = 1);
  /// At this rate; a rate of zero takes no time.
  static CopyCost of_rate(Bandwidth rate);

  /// The time to copy `bytes`, rounded up to a femtosecond.
  Time of(uint64_t bytes) const;

 private:
  int64_t bits_per_second_ = 0;  ///< The rate is this over `divisor_`; zero takes no time.
  int64_t divisor_ = 1;
};

/// The factor by which computation takes longer than recorded because the memory channel leaves a core less than
/// `compute_traffic` when `cores` compute; 1 if it does not.
double compute_slowdown(const experiment::HostSpec& host, int32_t cores = 1);

}  // namespace fabrictwin::mpi::protocol
