// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/skeleton/lammps/halo.h"

namespace fabrictwin::skeleton::lammps {
namespace {

constexpr uint64_t kVector = 3;

}  // namespace

int32_t Halo::rank_at(int dimension, int step) const {
  return static_cast<int32_t>(grid_.rank(grid_.neighbour(coordinates_, dimension, step)));
}

Halo::Swap Halo::swap(const GhostCounts& counts, int dimension, int step) const {
  return {.to = rank_at(dimension, step),
          .sent = counts.sent(coordinates_, dimension, step),
          .from = rank_at(dimension, -step),
          .received = counts.sent(grid_.neighbour(coordinates_, dimension, -step), dimension, step)};
}

void Halo::exchange(EventList& list, int dimension, uint64_t doubles) const {
  const uint32_t ranks = grid_.extent()[dimension];
  if (ranks == 1) return;
  const int32_t below = rank_at(dimension, -1);
  const int32_t above = rank_at(dimension, 1);
  list.swap_int(below, above);
  if (ranks > 2) list.swap_int(above, below);
  // One message has all atoms that leave, below and above; both neighbours receive it and keep theirs.
  list.swap(below, doubles, above, doubles);
  if (ranks > 2) list.swap(above, doubles, below, doubles);
}

void Halo::borders(EventList& list, const GhostCounts& counts, uint64_t doubles) const {
  for (int dimension = 0; dimension < 3; ++dimension) {
    if (grid_.extent()[dimension] == 1) continue;
    for (const int step : {-1, 1}) {
      const Swap each = swap(counts, dimension, step);
      list.swap_int(each.to, each.from);
      list.swap(each.to, doubles * each.sent, each.from, doubles * each.received);
    }
  }
}

void Halo::forward(EventList& list, const GhostCounts& counts) const {
  for (int dimension = 0; dimension < 3; ++dimension) {
    if (grid_.extent()[dimension] == 1) continue;
    for (const int step : {-1, 1}) {
      const Swap each = swap(counts, dimension, step);
      list.swap(each.to, kVector * each.sent, each.from, kVector * each.received);
    }
  }
}

void Halo::reverse(EventList& list, const GhostCounts& counts) const {
  for (int dimension = 2; dimension >= 0; --dimension) {
    if (grid_.extent()[dimension] == 1) continue;
    for (const int step : {1, -1}) {
      const Swap each = swap(counts, dimension, step);
      list.swap(each.from, kVector * each.received, each.to, kVector * each.sent);
    }
  }
}

}  // namespace fabrictwin::skeleton::lammps
