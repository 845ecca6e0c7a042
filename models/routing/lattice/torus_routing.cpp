// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/lattice/torus_routing.h"

#include <utility>

namespace fabrictwin::routing::lattice {

TorusRouting::TorusRouting(std::vector<int32_t> dims, std::vector<int32_t> here)
    : dims_(std::move(dims)), here_(std::move(here)) {}

Hop TorusRouting::route(const link::PacketHeader& header, int32_t, int32_t in_vc) const {
  const auto dimensions = static_cast<int32_t>(dims_.size());
  // The header has space for three coordinates, as the RTL reads them; in lattices of more dimensions the node number
  // is used.
  auto node = static_cast<int32_t>(header.destination);
  int32_t stride = 1;
  for (const int32_t size : dims_) stride *= size;
  for (int32_t d = dimensions - 1; d >= 0; --d) {
    const int32_t size = dims_[d];
    int32_t there = 0;
    if (dimensions <= 3) {
      there = header.coordinates[d];
    } else {
      stride /= size;
      there = node / stride;
      node %= stride;
    }
    if (there == here_[d]) continue;
    const int32_t forward = (there - here_[d] + size) % size;
    const int32_t backward = size - forward;
    const bool tie_goes_minus = (header.ties >> d & 1) != 0;
    const bool plus = forward < backward || (forward == backward && !tie_goes_minus);
    return {plus ? plus_port(d) : minus_port(d), there > here_[d] ? 1 : 0};
  }
  return {kTilePort, in_vc};
}

std::vector<int32_t> torus_coordinates(const std::vector<int32_t>& dims, int32_t node) {
  std::vector<int32_t> coordinates;
  for (const int32_t size : dims) {
    coordinates.push_back(node % size);
    node /= size;
  }
  return coordinates;
}

}  // namespace fabrictwin::routing::lattice
