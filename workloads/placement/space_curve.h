// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A way through a lattice that stays near itself.
#pragma once

#include <cstdint>
#include <span>

namespace fabrictwin {

/// Orders the points of a lattice on a curve. Where all sizes are powers of two it is Hilbert's, through the smallest
/// cube that holds the lattice (J. Skilling, "Programming the Hilbert curve", AIP Conference Proceedings 707, 2004), of
/// which points outside the lattice are left out: neighbours on the curve are neighbours in a cube. Else it is a snake:
/// forth and back in the first dimension, then one step on in the next; neighbours on it are neighbours in the lattice.
/// Immutable; thread-safe.
class SpaceCurve {
 public:
  /// Up to eight dimensions of up to 256 each. `dims` outlives the curve.
  explicit SpaceCurve(std::span<const int32_t> dims);

  bool hilbert() const { return hilbert_; }
  /// Where a point of the lattice is on the curve. Points have different places; with Hilbert's curve in a lattice that
  /// is no cube, some places are left out.
  uint64_t place_of(std::span<const int32_t> point) const;

 private:
  uint64_t hilbert_place(std::span<const int32_t> point) const;
  uint64_t snake_place(std::span<const int32_t> point) const;

  std::span<const int32_t> dims_;
  bool hilbert_ = true;
  int bits_ = 1;  ///< Of a coordinate in the cube.
};

}  // namespace fabrictwin
