// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Queue lengths that schemes compare with.
#pragma once

#include <cstdint>

namespace fabrictwin::congestion {

/// A threshold for ports of `base_rate`, at a port of another rate: a queue of the same duration, but never less than
/// at ports of `base_rate`.
inline double threshold_at(int64_t bytes, int64_t rate, int64_t base_rate) {
  const auto threshold = static_cast<double>(bytes);
  return rate <= base_rate ? threshold : threshold * static_cast<double>(rate) / static_cast<double>(base_rate);
}

}  // namespace fabrictwin::congestion
