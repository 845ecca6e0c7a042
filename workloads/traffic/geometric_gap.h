// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Geometric gaps between the packets of a host, the same on every machine.
#pragma once

#include <array>
#include <cstdint>

#include "cosim/base/random.h"

namespace fabrictwin::traffic {

/// Slots between the packets of an open-loop source that begins a packet in each slot with the same probability. Uses
/// only products and comparisons of doubles, which IEEE 754 defines exactly, and no library logarithm, whose last bit
/// differs between machines. Value type.
class GeometricGap {
 public:
  /// `probability` of a packet in a slot is above 0 and at most 1.
  explicit GeometricGap(double probability);

  /// Slots without a packet before the next one. The mean is (1 - p) / p.
  int64_t next(RandomStream& random) const;

 private:
  static constexpr int kPowers = 48;
  std::array<double, kPowers> powers_{};  ///< (1 - p)^(2^i).
};

}  // namespace fabrictwin::traffic
