// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A space-filling curve through a lattice.
#pragma once

#include <cstdint>
#include <span>

namespace fabrictwin::placement {

/// Orders the points of a lattice on a curve. If all sizes are powers of two it is Hilbert's, through the smallest cube
/// that holds the lattice (J. Skilling, "Programming the Hilbert curve", AIP Conference Proceedings 707, 2004), without
/// the points outside of the lattice: neighbours on the curve are neighbours in a cube. Otherwise it is a snake: back
/// and forth in the first dimension, then one step in the next; neighbours on it are neighbours in the lattice.
/// Immutable; thread-safe.
class SpaceCurve {
 public:
  /// Up to eight dimensions of up to 256 each. `dims` outlives the curve.
  explicit SpaceCurve(std::span<const int32_t> dims);

  bool hilbert() const { return hilbert_; }
  /// The position of a point of the lattice on the curve. Different points have different positions; if the lattice of
  /// a Hilbert curve is not a cube, some positions are unused.
  uint64_t index_of(std::span<const int32_t> point) const;

 private:
  uint64_t hilbert_index(std::span<const int32_t> point) const;
  uint64_t snake_index(std::span<const int32_t> point) const;

  std::span<const int32_t> dims_;
  bool hilbert_ = true;
  int bits_ = 1;  ///< Bits of a coordinate in the cube.
};

}  // namespace fabrictwin::placement
