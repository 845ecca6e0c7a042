// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// LAMMPS' grid of ranks.
#pragma once

#include <array>
#include <cstdint>

#include "workloads/skeleton/extent.h"

namespace fabrictwin::skeleton::lammps {

/// A periodic brick of ranks; z varies fastest.
class Grid {
 public:
  /// The grid with the least surface for a box with these edges, as LAMMPS chooses it. `ranks` must be positive.
  Grid(uint32_t ranks, const std::array<double, 3>& edges);

  const Extent& extent() const { return extent_; }
  /// Position of a rank in the grid.
  Extent coordinates(uint32_t rank) const;
  uint32_t rank(const Extent& coordinates) const;
  /// The position `step` (-1 or 1) away in `dimension`.
  Extent neighbour(Extent coordinates, int dimension, int step) const;

 private:
  Extent extent_{};
};

}  // namespace fabrictwin::skeleton::lammps
