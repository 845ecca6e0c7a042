// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace fabrictwin {

/// The nearest-rank percentile: the least of rising values that at least a share of them, 0 to 1, is not above. There
/// must be a value.
inline double percentile(std::span<const double> sorted, double share) {
  const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::clamp<size_t>(rank, 1, sorted.size()) - 1];
}

}  // namespace fabrictwin
