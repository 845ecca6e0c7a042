// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How many atoms of a face-centred cubic crystal ranks exchange.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "workloads/skeleton/lammps_grid.h"
#include "workloads/skeleton/lammps_halo.h"

namespace fabrictwin {

/// Planes of a dimension by parity: a plane holds the atoms whose half-cell indices have an even sum, so what matters
/// is how many even and odd planes there are. Fractions are planes that are there on average.
struct Planes {
  double even = 0;
  double odd = 0;
  Planes operator+(const Planes& other) const { return {even + other.even, odd + other.odd}; }
};

/// Atoms where planes of three dimensions meet.
double fcc_atoms(const Planes& x, const Planes& y, const Planes& z);

/// A crystal of cells^3 cubic cells of that edge, cut into the boxes of a grid of ranks that see `cutoff` far.
class LatticeSlabs final : public GhostCounts {
 public:
  /// `blur` is how far atoms have moved from their places (root mean square, in one dimension); 0: not at all.
  LatticeSlabs(const LammpsGrid& grid, uint32_t cells, double edge, double cutoff, double blur);

  uint64_t sent(const Extent& place, int dimension, int step) const override;
  /// Atoms of a plane of the rank's box across `dimension`, on average.
  double plane_atoms(const Extent& place, int dimension) const;

 private:
  struct Part {
    Planes own;
    Planes below;  ///< Of the own ones: those that the lower neighbour needs.
    Planes above;
  };

  const Part& part(const Extent& place, int dimension) const { return parts_[dimension][place[dimension]]; }
  /// Own planes, and those of both neighbours that it gets.
  Planes with_ghosts(const Extent& place, int dimension) const;

  LammpsGrid grid_;
  std::array<std::vector<Part>, 3> parts_;
};

}  // namespace fabrictwin
