// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Dimension-ordered routing on a torus with two virtual channels.
#pragma once

#include <cstdint>
#include <vector>

#include "models/routing/routing.h"

namespace fabrictwin::routing::lattice {

/// The routing function of one router of a k-ary n-cube (any n), the highest dimension first. The VC is 1 if
/// destination > here in the dimension of the hop and 0 otherwise, which breaks the cycle of every ring (Dally and
/// Seitz, "Deadlock-free message routing in multiprocessor interconnection networks", 1987). Value type; route() is
/// thread-safe.
class TorusRouting : public Routing {
 public:
  TorusRouting() = default;
  TorusRouting(std::vector<int32_t> dims, std::vector<int32_t> here);

  /// `in_vc` is the VC on which the packet came: packets leave to the local port on it.
  Hop route(const link::PacketHeader& header, int32_t in_port, int32_t in_vc) const override;

  /// Port numbers: 0 is the local port, 1 + 2d leads "+" in dimension d and 2 + 2d leads "-".
  static constexpr int32_t kTilePort = 0;
  static constexpr int32_t plus_port(int32_t dimension) { return 1 + 2 * dimension; }
  static constexpr int32_t minus_port(int32_t dimension) { return 2 + 2 * dimension; }

 private:
  std::vector<int32_t> dims_;
  std::vector<int32_t> here_;
};

/// Coordinates of a node in the mixed-radix system `dims`, X first.
std::vector<int32_t> torus_coordinates(const std::vector<int32_t>& dims, int32_t node);

}  // namespace fabrictwin::routing::lattice
