// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbers of atoms that ranks exchange in a face-centred cubic crystal.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "workloads/skeleton/lammps/grid.h"
#include "workloads/skeleton/lammps/halo.h"

namespace fabrictwin::skeleton::lammps {

/// Planes of a dimension by parity: a plane holds the atoms whose half-cell indices have an even sum, so only the
/// numbers of even and odd planes matter. Fractions are averages.
struct Planes {
  double even = 0;
  double odd = 0;
  Planes operator+(const Planes& other) const { return {even + other.even, odd + other.odd}; }
};

/// The number of atoms where planes of three dimensions meet.
double fcc_atoms(const Planes& x, const Planes& y, const Planes& z);

/// A crystal of cells^3 cubic cells of length `edge`, cut into the boxes of a grid of ranks with cut-off distance
/// `cutoff`.
class LatticeSlabs final : public GhostCounts {
 public:
  /// `blur` is the displacement of atoms from their lattice points (root mean square, in one dimension); 0: none.
  LatticeSlabs(const Grid& grid, uint32_t cells, double edge, double cutoff, double blur);

  uint64_t sent(const Extent& coordinates, int dimension, int step) const override;
  /// Average number of atoms in a plane of the rank's box across `dimension`.
  double plane_atoms(const Extent& coordinates, int dimension) const;

 private:
  struct Part {
    Planes own;
    Planes below;  ///< Own planes that the lower neighbour needs.
    Planes above;
  };

  const Part& part(const Extent& coordinates, int dimension) const { return parts_[dimension][coordinates[dimension]]; }
  /// Own planes, and those received from both neighbours.
  Planes with_ghosts(const Extent& coordinates, int dimension) const;

  Grid grid_;
  std::array<std::vector<Part>, 3> parts_;
};

}  // namespace fabrictwin::skeleton::lammps
