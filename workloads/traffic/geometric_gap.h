// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// When a host generates packets: geometric gaps, the same on every machine.
#pragma once

#include <array>
#include <cstdint>

#include "cosim/base/random.h"

namespace fabrictwin {

/// Slots between the packets of an open-loop source that begins a packet in each slot with the same probability. Uses
/// only products and comparisons of doubles, which IEEE 754 defines exactly: no library logarithm whose last bit
/// differs between machines. Value type.
class GeometricGap {
 public:
  /// A packet begins in a slot with `probability`, above 0, at most 1.
  explicit GeometricGap(double probability);

  /// Slots without a packet in front of the next one. Mean (1 - p) / p.
  int64_t next(RandomStream& random) const;

 private:
  static constexpr int kPowers = 48;
  std::array<double, kPowers> powers_{};  ///< (1 - p)^(2^i).
};

}  // namespace fabrictwin
