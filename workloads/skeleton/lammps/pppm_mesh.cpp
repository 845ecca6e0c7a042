// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/skeleton/lammps/pppm_mesh.h"

#include <cmath>

#include "fmt/format.h"

namespace fabrictwin::skeleton::lammps {
namespace {

// Charges of order 5 reach two points to each side.
constexpr int64_t kReach = 2;

// Part `i` of `n` of `points`.
void cut(int64_t points, uint32_t i, uint32_t n, int64_t& low, int64_t& high) {
  low = i * points / n;
  high = (int64_t{i} + 1) * points / n;
}

uint64_t product(int64_t a, int64_t b, int64_t c) { return static_cast<uint64_t>(a * b * c); }

}  // namespace

PppmMesh::PppmMesh(const Grid& grid, const Extent& points, const std::array<double, 3>& edges, double slack)
    : grid_(grid), ranks_(grid.extent()[0] * grid.extent()[1] * grid.extent()[2]), points_(points) {
  for (int i = 0; i < 3; ++i) {
    const uint32_t ranks = grid.extent()[i];
    const double scale = points[i] / edges[i];
    for (uint32_t index = 0; index < ranks; ++index) {
      const auto point = [&](double position) { return static_cast<int64_t>(std::floor(position * scale + 0.5)); };
      Part part;
      part.low = (int64_t{index} * points[i] + ranks - 1) / ranks;
      part.high = ((int64_t{index} + 1) * points[i] + ranks - 1) / ranks;
      part.ghosts_below = part.low - (point(edges[i] * index / ranks - slack) - kReach);
      part.ghosts_above = point(edges[i] * (index + 1) / ranks + slack) + kReach - (part.high - 1);
      parts_[i].push_back(part);
    }
  }
  // Use slabs of whole planes if there are enough, else the columns with the least surface.
  uint64_t best = 2 * (uint64_t{points[1]} + points[2]) + 1;
  uint64_t best_area = 0;
  for (uint32_t y = 1; y <= ranks_; ++y) {
    if (ranks_ % y != 0) continue;
    if (points[2] >= ranks_ && y > 1) break;
    const uint32_t z = ranks_ / y;
    const uint64_t box_y = (points[1] + y - 1) / y;
    const uint64_t box_z = (points[2] + z - 1) / z;
    if (box_y + box_z > best || (box_y + box_z == best && box_y * box_z <= best_area)) continue;
    best = box_y + box_z;
    best_area = box_y * box_z;
    slab_ranks_y_ = y;
    slab_ranks_z_ = z;
  }
  for (uint32_t i = 1; uint64_t{i} * i <= ranks_; ++i) {
    if (ranks_ % i == 0) pencil_ranks_1_ = i;
  }
  pencil_ranks_2_ = ranks_ / pencil_ranks_1_;
}

absl::Status PppmMesh::check() const {
  for (int i = 0; i < 3; ++i) {
    const uint32_t ranks = grid_.extent()[i];
    for (uint32_t index = 0; index < ranks && ranks > 1; ++index) {
      const Part& below = parts_[i][(index + ranks - 1) % ranks];
      const Part& above = parts_[i][(index + 1) % ranks];
      if (parts_[i][index].ghosts_below <= below.own() && parts_[i][index].ghosts_above <= above.own()) continue;
      return absl::InvalidArgumentError(fmt::format(
          "a mesh of {} points on a grid of {} ranks: {} points in {} are too few for {} ranks, ghost points "
          "would come from further than the next rank",
          to_string(points_), to_string(grid_.extent()), points_[i], "xyz"[i], ranks));
    }
  }
  return absl::OkStatus();
}

Box PppmMesh::part(Layout layout, uint32_t rank) const {
  Box box;
  for (int i = 0; i < 3; ++i) box.high[i] = points_[i];
  const uint32_t first = rank % pencil_ranks_1_;
  const uint32_t second = rank / pencil_ranks_1_;
  switch (layout) {
    case Layout::kBrick: {
      const Extent coordinates = grid_.coordinates(rank);
      for (int i = 0; i < 3; ++i) {
        box.low[i] = at(coordinates, i).low;
        box.high[i] = at(coordinates, i).high;
      }
      break;
    }
    case Layout::kSlab:
      cut(points_[1], rank % slab_ranks_y_, slab_ranks_y_, box.low[1], box.high[1]);
      cut(points_[2], rank / slab_ranks_y_, slab_ranks_z_, box.low[2], box.high[2]);
      break;
    case Layout::kPencilY:
      cut(points_[0], first, pencil_ranks_1_, box.low[0], box.high[0]);
      cut(points_[2], second, pencil_ranks_2_, box.low[2], box.high[2]);
      break;
    case Layout::kPencilZ:
      cut(points_[0], first, pencil_ranks_1_, box.low[0], box.high[0]);
      cut(points_[1], second, pencil_ranks_2_, box.low[1], box.high[1]);
      break;
  }
  return box;
}

PppmMesh::Remap PppmMesh::remap(Layout from, Layout to, uint32_t rank) const {
  const Box before = part(from, rank);
  const Box after = part(to, rank);
  Remap remap;
  for (uint32_t i = 1; i < ranks_; ++i) {
    const uint32_t other = (rank + i) % ranks_;
    const uint64_t received = after.intersect(part(from, other)).points();
    const uint64_t sent = before.intersect(part(to, other)).points();
    if (received > 0) remap.receives.push_back({static_cast<int32_t>(other), received});
    if (sent > 0) remap.sends.push_back({static_cast<int32_t>(other), sent});
  }
  return remap;
}

uint64_t PppmMesh::ghosts(const Extent& coordinates, int dimension, bool above) const {
  const Part& part = at(coordinates, dimension);
  const int64_t depth = above ? part.ghosts_above : part.ghosts_below;
  const int64_t x = dimension == 0 ? depth : at(coordinates, 0).all();
  const int64_t y = dimension == 1 ? depth : dimension == 0 ? at(coordinates, 1).own() : at(coordinates, 1).all();
  const int64_t z = dimension == 2 ? depth : at(coordinates, 2).own();
  return product(x, y, z);
}

std::vector<PppmMesh::Swap> PppmMesh::swaps(uint32_t rank) const {
  const Extent coordinates = grid_.coordinates(rank);
  std::vector<Swap> swaps;
  for (int dimension = 2; dimension >= 0; --dimension) {
    if (grid_.extent()[dimension] == 1) continue;
    for (const bool above : {false, true}) {
      const Extent to = grid_.neighbour(coordinates, dimension, above ? 1 : -1);
      const Extent from = grid_.neighbour(coordinates, dimension, above ? -1 : 1);
      swaps.push_back({.to = static_cast<int32_t>(grid_.rank(to)),
                       .sent = ghosts(coordinates, dimension, above),
                       .from = static_cast<int32_t>(grid_.rank(from)),
                       .received = ghosts(from, dimension, above)});
    }
  }
  return swaps;
}

void PppmMesh::reverse(EventList& list, uint32_t rank) const {
  for (const Swap& swap : swaps(rank)) list.swap(swap.to, swap.sent, swap.from, swap.received);
}

void PppmMesh::forward(EventList& list, uint32_t rank) const {
  const std::vector<Swap> all = swaps(rank);
  // Sends the same messages in the opposite direction, the last first.
  for (auto swap = all.rbegin(); swap != all.rend(); ++swap) {
    list.swap(swap->from, 3 * swap->received, swap->to, 3 * swap->sent);
  }
}

}  // namespace fabrictwin::skeleton::lammps
