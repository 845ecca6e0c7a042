// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Ranks of a virtual 3D torus on the nodes of a Tofu machine.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/topology/lattice/layout.h"
#include "models/topology/lattice/tofu.h"

namespace fabrictwin::topology::lattice {

/// The virtual 3D torus of Ajima, Sumimoto and Shimizu, "Tofu: a 6D mesh/torus interconnect for exascale computers",
/// 2009: each of its axes runs through the plane of two axes of the machine, X and A, Y and B, Z and C, on a closed
/// path that visits every node once. So ranks that are neighbours on the virtual torus are neighbours in the machine,
/// and it is 2 X by 3 Y by 2 Z. The path goes up the long axis at 0 of the short one and zigzags back through the rest
/// of the plane. This also closes a part of an axis, and needs no wrap-around link of X, Y or Z. Immutable;
/// thread-safe.
class TofuVirtualTorus {
 public:
  /// Nodes of a plane across its axis: the size of the torus along an axis is a multiple of this.
  static constexpr std::array<int32_t, 3> kWidths = {2, 3, 2};

  /// The largest virtual torus of a machine.
  explicit TofuVirtualTorus(const TofuSpec& spec);
  /// A virtual torus of these sizes at the lowest coordinates. Each size is 1 or a multiple of its width, up to that of
  /// the largest virtual torus.
  TofuVirtualTorus(const TofuSpec& spec, const std::array<int32_t, 3>& sizes);

  /// Ranks along each axis.
  std::array<int32_t, 3> dims() const;
  int32_t ranks() const;
  /// The host of a rank: rank = u + U (v + V w) at (u, v, w).
  int32_t host_of(int32_t rank) const;
  int32_t host_of(const std::array<int32_t, 3>& position) const;

 private:
  Layout layout_;
  /// By virtual axis and position on it: coordinates on the long and the short axis.
  std::array<std::vector<std::pair<int32_t, int32_t>>, 3> paths_;
};

}  // namespace fabrictwin::topology::lattice
