// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How many atoms of a fluid ranks exchange.
#pragma once

#include <array>
#include <cstdint>

#include "workloads/skeleton/lammps_grid.h"
#include "workloads/skeleton/lammps_halo.h"

namespace fabrictwin {

/// A fluid of even density in a box, cut into those of a grid of ranks: what goes to a neighbour is density times the
/// volume of the slab within the cut-off of its side, with the ghosts of the dimensions before.
class FluidSlabs final : public GhostCounts {
 public:
  /// `edges` and `cutoff` in one unit of length, `density` in atoms for its cube.
  FluidSlabs(const LammpsGrid& grid, const std::array<double, 3>& edges, double density, double cutoff);

  /// The same everywhere.
  uint64_t sent(const Extent& place, int dimension, int step) const override;

 private:
  std::array<uint64_t, 3> atoms_{};
};

}  // namespace fabrictwin
