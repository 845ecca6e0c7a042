// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/skeleton/lammps/lattice_slabs.h"

#include <cmath>

namespace fabrictwin::skeleton::lammps {
namespace {

// The share of the atoms of a plane at `position` that is above `edge`. It is 0 or 1 without blur; atoms on the edge
// are above it.
double above(double position, double edge, double blur) {
  if (blur <= 0) return position >= edge ? 1 : 0;
  return 0.5 * std::erfc((edge - position) / (blur * std::sqrt(2.0)));
}

// Counts planes with low <= position < high.
Planes planes_in(double low, double high, int64_t planes, double edge, double blur) {
  Planes sum;
  // Blur moves atoms across the periodic boundary.
  const int64_t margin = blur > 0 ? 8 : 0;
  for (int64_t i = -margin; i < planes + margin; ++i) {
    const double position = edge * (0.5 * static_cast<double>(i));
    (i % 2 == 0 ? sum.even : sum.odd) += above(position, low, blur) - above(position, high, blur);
  }
  return sum;
}

}  // namespace

double fcc_atoms(const Planes& x, const Planes& y, const Planes& z) {
  return x.even * (y.even * z.even + y.odd * z.odd) + x.odd * (y.even * z.odd + y.odd * z.even);
}

LatticeSlabs::LatticeSlabs(const Grid& grid, uint32_t cells, double edge, double cutoff, double blur) : grid_(grid) {
  // LAMMPS computes the borders of ranks in these steps, and rounding decides to which side an atom on a border
  // belongs.
  const double length = edge * cells;
  const int64_t planes = 2 * int64_t{cells};
  for (int dimension = 0; dimension < 3; ++dimension) {
    const uint32_t ranks = grid.extent()[dimension];
    for (uint32_t i = 0; i < ranks; ++i) {
      const double low = length * (i * 1.0 / ranks);
      const double high = i + 1 < ranks ? length * ((i + 1) * 1.0 / ranks) : length;
      Part part;
      part.own = planes_in(low, high, planes, edge, blur);
      part.below = planes_in(low, low + cutoff, planes, edge, blur);
      part.above = planes_in(high - cutoff, high, planes, edge, blur);
      parts_[dimension].push_back(part);
    }
  }
}

Planes LatticeSlabs::with_ghosts(const Extent& coordinates, int dimension) const {
  return part(coordinates, dimension).own + part(grid_.neighbour(coordinates, dimension, 1), dimension).below +
         part(grid_.neighbour(coordinates, dimension, -1), dimension).above;
}

uint64_t LatticeSlabs::sent(const Extent& coordinates, int dimension, int step) const {
  std::array<Planes, 3> planes;
  for (int i = 0; i < 3; ++i) {
    if (i < dimension) {
      planes[i] = with_ghosts(coordinates, i);
    } else if (i > dimension) {
      planes[i] = part(coordinates, i).own;
    } else {
      planes[i] = step < 0 ? part(coordinates, i).below : part(coordinates, i).above;
    }
  }
  return static_cast<uint64_t>(std::llround(fcc_atoms(planes[0], planes[1], planes[2])));
}

double LatticeSlabs::plane_atoms(const Extent& coordinates, int dimension) const {
  const auto count = [&](int i) { return part(coordinates, i).own.even + part(coordinates, i).own.odd; };
  return 0.5 * count((dimension + 1) % 3) * count((dimension + 2) % 3);
}

}  // namespace fabrictwin::skeleton::lammps
