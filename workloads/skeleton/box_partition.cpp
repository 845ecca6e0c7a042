// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/skeleton/box_partition.h"

#include <algorithm>

#include "fmt/format.h"

namespace fabrictwin::skeleton {

Box Box::intersect(const Box& other) const {
  Box both;
  for (int i = 0; i < 3; ++i) {
    both.low[i] = std::max(low[i], other.low[i]);
    both.high[i] = std::min(high[i], other.high[i]);
  }
  return both;
}

uint64_t Box::points() const {
  if (empty()) return 0;
  uint64_t points = 1;
  for (int i = 0; i < 3; ++i) points *= static_cast<uint64_t>(high[i] - low[i]);
  return points;
}

Box Box::grown() const {
  Box box = *this;
  for (int i = 0; i < 3; ++i) {
    --box.low[i];
    ++box.high[i];
  }
  return box;
}

BoxPartition::BoxPartition(const Extent& elements, uint32_t ranks) : ranks_(ranks) {
  for (int i = 0; i < 3; ++i) all_.high[i] = elements[i];
}

void BoxPartition::cut(const Box& box, uint32_t ranks, int axis, uint32_t& low_ranks, Box& low, Box& high) {
  low_ranks = ranks / 2;
  const int64_t extent = box.high[axis] - box.low[axis];
  // The order of operations is that of miniFE, as rounding decides where the cut is.
  const double share = static_cast<double>(ranks - low_ranks) / static_cast<double>(ranks);
  const int64_t upper = static_cast<int64_t>(static_cast<double>(extent) * share);
  low = box;
  high = box;
  low.high[axis] = high.low[axis] = box.high[axis] - upper;
}

Box BoxPartition::to_nodes(Box elements) const {
  for (int i = 0; i < 3; ++i) elements.high[i] += elements.high[i] == all_.high[i] ? 1 : 0;
  return elements;
}

Box BoxPartition::elements(uint32_t rank) const {
  Box box = all_;
  uint32_t first = 0;
  uint32_t ranks = ranks_;
  for (int axis = 2; ranks > 1; axis = (axis + 2) % 3) {
    uint32_t low_ranks = 0;
    Box low;
    Box high;
    cut(box, ranks, axis, low_ranks, low, high);
    const bool upper = rank >= first + low_ranks;
    box = upper ? high : low;
    first += upper ? low_ranks : 0;
    ranks = upper ? ranks - low_ranks : low_ranks;
  }
  return box;
}

Box BoxPartition::nodes(uint32_t rank) const { return to_nodes(elements(rank)); }

absl::Status BoxPartition::check() const {
  for (uint32_t rank = 0; rank < ranks_; ++rank) {
    if (elements(rank).empty()) {
      return absl::InvalidArgumentError(
          fmt::format("rank {} of {} has no elements: the grid {}x{}x{} is too small for so many ranks", rank, ranks_,
                      all_.high[0], all_.high[1], all_.high[2]));
    }
  }
  return absl::OkStatus();
}

}  // namespace fabrictwin::skeleton
