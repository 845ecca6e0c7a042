// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// LAMMPS' exchange of atoms and ghosts between neighbours.
#pragma once

#include <cstdint>

#include "workloads/skeleton/event_list.h"
#include "workloads/skeleton/lammps/grid.h"

namespace fabrictwin::skeleton::lammps {

/// The numbers of atoms that neighbours exchange. Immutable.
class GhostCounts {
 public:
  virtual ~GhostCounts() = default;
  /// Atoms that the rank with the coordinates `coordinates` sends to its neighbour in `dimension` below (`step` -1) or
  /// above (1) when ghosts are made, including ghosts of earlier dimensions.
  virtual uint64_t sent(const Extent& coordinates, int dimension, int step) const = 0;
};

/// The calls of one rank. Nothing is sent along a dimension with one rank.
class Halo {
 public:
  /// `grid` outlives this.
  Halo(const Grid& grid, uint32_t rank) : grid_(grid), coordinates_(grid.coordinates(rank)) {}

  const Extent& coordinates() const { return coordinates_; }

  /// Exchanges atoms that have left the box along `dimension`: `doubles` of them on this rank and on its neighbours.
  void exchange(EventList& list, int dimension, uint64_t doubles) const;
  /// Makes ghosts, with `doubles` for each atom.
  void borders(EventList& list, const GhostCounts& counts, uint64_t doubles) const;
  /// Sends positions of ghosts: three doubles for each.
  void forward(EventList& list, const GhostCounts& counts) const;
  /// Returns forces on ghosts, in the reverse direction.
  void reverse(EventList& list, const GhostCounts& counts) const;

 private:
  /// A message of ghosts in each direction: destination and number of atoms; source and number of atoms.
  struct Swap {
    int32_t to = 0;
    uint64_t sent = 0;
    int32_t from = 0;
    uint64_t received = 0;
  };

  int32_t rank_at(int dimension, int step) const;
  Swap swap(const GhostCounts& counts, int dimension, int step) const;

  const Grid& grid_;
  Extent coordinates_;
};

}  // namespace fabrictwin::skeleton::lammps
