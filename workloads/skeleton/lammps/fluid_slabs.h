// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbers of atoms that ranks exchange in a fluid.
#pragma once

#include <array>
#include <cstdint>

#include "workloads/skeleton/lammps/grid.h"
#include "workloads/skeleton/lammps/halo.h"

namespace fabrictwin::skeleton::lammps {

/// A fluid of even density in a box, cut into the boxes of a grid of ranks: a neighbour gets density times the volume
/// of the slab within the cut-off of its side, including ghosts of earlier dimensions.
class FluidSlabs final : public GhostCounts {
 public:
  /// `edges` and `cutoff` have one unit of length, `density` is in atoms per cube of it.
  FluidSlabs(const Grid& grid, const std::array<double, 3>& edges, double density, double cutoff);

  /// The number is the same everywhere.
  uint64_t sent(const Extent& coordinates, int dimension, int step) const override;

 private:
  std::array<uint64_t, 3> atoms_{};
};

}  // namespace fabrictwin::skeleton::lammps
