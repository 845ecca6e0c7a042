// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/skeleton/lammps/grid.h"

namespace fabrictwin::skeleton::lammps {

Grid::Grid(uint32_t ranks, const std::array<double, 3>& edges) {
  const double xy = edges[0] * edges[1];
  const double xz = edges[0] * edges[2];
  const double yz = edges[1] * edges[2];
  double best = 2.0 * (xy + xz + yz) + 1.0;
  for (uint32_t x = 1; x <= ranks; ++x) {
    if (ranks % x != 0) continue;
    for (uint32_t y = 1; y <= ranks / x; ++y) {
      if (ranks / x % y != 0) continue;
      const uint32_t z = ranks / x / y;
      const double surface = xy / x / y + xz / x / z + yz / y / z;
      // Among equal grids, the first is taken.
      if (surface >= best) continue;
      best = surface;
      extent_ = {x, y, z};
    }
  }
}

Extent Grid::coordinates(uint32_t rank) const {
  return {rank / (extent_[1] * extent_[2]), rank / extent_[2] % extent_[1], rank % extent_[2]};
}

uint32_t Grid::rank(const Extent& coordinates) const {
  return (coordinates[0] * extent_[1] + coordinates[1]) * extent_[2] + coordinates[2];
}

Extent Grid::neighbour(Extent coordinates, int dimension, int step) const {
  const uint32_t ranks = extent_[dimension];
  coordinates[dimension] = (coordinates[dimension] + ranks + static_cast<uint32_t>(step)) % ranks;
  return coordinates;
}

}  // namespace fabrictwin::skeleton::lammps
