// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/placement/space_curve.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace fabrictwin::placement {

SpaceCurve::SpaceCurve(std::span<const int32_t> dims) : dims_(dims) {
  for (const int32_t size : dims) {
    const auto value = static_cast<uint32_t>(size);
    hilbert_ = hilbert_ && std::has_single_bit(value);
    bits_ = std::max<int>(bits_, std::bit_width(value - 1));
  }
}

uint64_t SpaceCurve::index_of(std::span<const int32_t> point) const {
  return hilbert_ ? hilbert_index(point) : snake_index(point);
}

// Dimensions of size one are skipped; with them the curve would go through more points than there are.
uint64_t SpaceCurve::hilbert_index(std::span<const int32_t> point) const {
  std::vector<uint32_t> x;
  for (size_t d = 0; d < point.size(); ++d) {
    if (dims_[d] > 1) x.push_back(static_cast<uint32_t>(point[d]));
  }
  const uint32_t top = 1u << (bits_ - 1);
  for (uint32_t q = top; q > 1; q >>= 1) {
    const uint32_t below = q - 1;
    for (uint32_t& axis : x) {
      if ((axis & q) != 0) {
        x[0] ^= below;
      } else {
        const uint32_t swapped = (x[0] ^ axis) & below;
        x[0] ^= swapped;
        axis ^= swapped;
      }
    }
  }
  for (size_t d = 1; d < x.size(); ++d) x[d] ^= x[d - 1];
  uint32_t flips = 0;
  for (uint32_t q = top; q > 1; q >>= 1) {
    if (!x.empty() && (x.back() & q) != 0) flips ^= q - 1;
  }
  uint64_t index = 0;
  for (int bit = bits_ - 1; bit >= 0; --bit) {
    for (const uint32_t axis : x) index = index << 1 | ((axis ^ flips) >> bit & 1);
  }
  return index;
}

uint64_t SpaceCurve::snake_index(std::span<const int32_t> point) const {
  uint64_t index = 0;
  for (size_t d = point.size(); d-- > 0;) {
    // Each line runs in the opposite direction of the one before it.
    const auto along = static_cast<uint64_t>(index % 2 == 0 ? point[d] : dims_[d] - 1 - point[d]);
    index = index * static_cast<uint64_t>(dims_[d]) + along;
  }
  return index;
}

}  // namespace fabrictwin::placement
