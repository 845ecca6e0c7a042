// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// LAMMPS' grid of ranks.
#pragma once

#include <array>
#include <cstdint>

#include "workloads/skeleton/extent.h"

namespace fabrictwin {

/// A periodic brick of ranks; z varies fastest.
class LammpsGrid {
 public:
  /// The grid with the least surface for a box of those edges, as LAMMPS chooses it. `ranks` is positive.
  LammpsGrid(uint32_t ranks, const std::array<double, 3>& edges);

  const Extent& extent() const { return extent_; }
  /// Place of a rank.
  Extent place(uint32_t rank) const;
  uint32_t rank(const Extent& place) const;
  /// The place `step` (-1 or 1) further in `dimension`.
  Extent neighbour(Extent place, int dimension, int step) const;

 private:
  Extent extent_{};
};

}  // namespace fabrictwin
