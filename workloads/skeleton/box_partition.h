// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// miniFE's partition of a grid of elements: recursive bisection.
#pragma once

#include <array>
#include <cstdint>

#include "absl/status/status.h"
#include "workloads/skeleton/extent.h"

namespace fabrictwin::skeleton {

/// A box of points: low is inclusive, high exclusive.
struct Box {
  std::array<int64_t, 3> low{};
  std::array<int64_t, 3> high{};

  bool operator==(const Box&) const = default;
  /// The intersection; it has no points if it is empty.
  Box intersect(const Box& other) const;
  bool empty() const { return low[0] >= high[0] || low[1] >= high[1] || low[2] >= high[2]; }
  /// The number of points; 0 if the box is empty.
  uint64_t points() const;
  /// The box extended by one on each side.
  Box grown() const;
};

/// A grid of elements, cut into a box for each rank. Immutable; thread-safe. Boxes of ranks are not stored but found by
/// descending the tree of bisections.
class BoxPartition {
 public:
  /// `elements` and `ranks` must be positive.
  BoxPartition(const Extent& elements, uint32_t ranks);

  /// InvalidArgument if some rank has no elements.
  absl::Status check() const;

  /// The nodes that `rank` owns: those of its elements, where a node shared by elements belongs to the upper box.
  Box nodes(uint32_t rank) const;
  /// The elements of `rank`.
  Box elements(uint32_t rank) const;

  /// Calls `found(rank, nodes)` for every rank that owns nodes in `box`, in ascending order.
  template <typename Found>
  void find(const Box& box, Found found) const {
    find_in(all_, 0, ranks_, 2, box, found);
  }

 private:
  /// Cuts `box` of `ranks` ranks along `axis`; `low_ranks` ranks get `low`, the others `high`.
  static void cut(const Box& box, uint32_t ranks, int axis, uint32_t& low_ranks, Box& low, Box& high);
  Box to_nodes(Box elements) const;

  template <typename Found>
  void find_in(const Box& box, uint32_t first, uint32_t ranks, int axis, const Box& wanted, Found& found) const {
    if (to_nodes(box).intersect(wanted).empty()) return;
    if (ranks == 1) return found(first, to_nodes(box));
    uint32_t low_ranks = 0;
    Box low;
    Box high;
    cut(box, ranks, axis, low_ranks, low, high);
    find_in(low, first, low_ranks, (axis + 2) % 3, wanted, found);
    find_in(high, first + low_ranks, ranks - low_ranks, (axis + 2) % 3, wanted, found);
  }

  Box all_;
  uint32_t ranks_;
};

}  // namespace fabrictwin::skeleton
