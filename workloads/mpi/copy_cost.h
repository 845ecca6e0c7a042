// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a core's way to memory costs a rank: docs/models/host-memory.md.
#pragma once

#include <cstdint>

#include "cosim/base/time.h"
#include "cosim/run/experiment.h"

namespace fabrictwin {

/// The time in which a core copies bytes. Value type; by default copies take no time.
class CopyCost {
 public:
  CopyCost() = default;
  /// `host.copy_rate`, or half of what the memory channel leaves each of `cores` that are at work if that is less: a
  /// copy reads and writes.
  static CopyCost of_host(const HostSpec& host, int32_t cores = 1);
  /// At this rate; zero: no time.
  static CopyCost of_rate(Bandwidth rate);

  /// Rounded up to a femtosecond.
  Time of(uint64_t bytes) const;

 private:
  int64_t bits_per_second_ = 0;  ///< Over `divisor_`. Zero: no time.
  int64_t divisor_ = 1;
};

/// By how much computation takes longer than recorded because the memory channel leaves a core less than
/// `compute_traffic` when `cores` compute; 1 if it does not.
double compute_stretch(const HostSpec& host, int32_t cores = 1);

}  // namespace fabrictwin
