// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How LAMMPS moves atoms and ghosts between neighbours.
#pragma once

#include <cstdint>

#include "workloads/skeleton/event_list.h"
#include "workloads/skeleton/lammps_grid.h"

namespace fabrictwin {

/// How many atoms neighbours exchange. Immutable.
class GhostCounts {
 public:
  virtual ~GhostCounts() = default;
  /// Atoms that the rank at `place` sends to its neighbour in `dimension` below (`step` -1) or above (1) when ghosts
  /// are made; ghosts of the dimensions before are among them.
  virtual uint64_t sent(const Extent& place, int dimension, int step) const = 0;
};

/// The calls of one rank. Nothing is sent along a dimension with one rank.
class LammpsHalo {
 public:
  /// `grid` outlives this.
  LammpsHalo(const LammpsGrid& grid, uint32_t rank) : grid_(grid), place_(grid.place(rank)) {}

  const Extent& place() const { return place_; }

  /// Atoms that have left the box along `dimension`: `doubles` of them, on this rank as on its neighbours.
  void exchange(EventList& list, int dimension, uint64_t doubles) const;
  /// Makes ghosts, `doubles` for each atom.
  void borders(EventList& list, const GhostCounts& counts, uint64_t doubles) const;
  /// Positions of ghosts: three doubles for each.
  void forward(EventList& list, const GhostCounts& counts) const;
  /// Forces on ghosts, the way back.
  void reverse(EventList& list, const GhostCounts& counts) const;

 private:
  /// A message of ghosts: to whom, how many atoms; from whom, how many.
  struct Swap {
    int32_t to = 0;
    uint64_t sent = 0;
    int32_t from = 0;
    uint64_t received = 0;
  };

  int32_t rank_at(int dimension, int step) const;
  Swap swap(const GhostCounts& counts, int dimension, int step) const;

  const LammpsGrid& grid_;
  Extent place_;
};

}  // namespace fabrictwin
