// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/skeleton/lammps/fluid_slabs.h"

#include <cmath>

namespace fabrictwin::skeleton::lammps {

FluidSlabs::FluidSlabs(const Grid& grid, const std::array<double, 3>& edges, double density, double cutoff) {
  std::array<double, 3> size{};
  for (int i = 0; i < 3; ++i) size[i] = edges[i] / grid.extent()[i];
  for (int dimension = 0; dimension < 3; ++dimension) {
    double volume = cutoff;
    for (int i = 0; i < 3; ++i) volume *= i == dimension ? 1 : size[i] + (i < dimension ? 2 * cutoff : 0);
    atoms_[dimension] = static_cast<uint64_t>(std::llround(density * volume));
  }
}

uint64_t FluidSlabs::sent(const Extent& /*coordinates*/, int dimension, int /*step*/) const {
  return atoms_[dimension];
}

}  // namespace fabrictwin::skeleton::lammps
