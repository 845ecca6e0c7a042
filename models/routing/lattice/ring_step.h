// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Shortest routes along one dimension of a lattice.
#pragma once

#include <cstdint>

#include "models/routing/lattice/lattice.h"
#include "models/routing/packet_route.h"

namespace fabrictwin::routing::lattice {

/// The next hop from position `here` to another position `there` of a dimension.
struct RingStep {
  RingStep(const Lattice::Dimension& dimension, int32_t here, int32_t there, uint32_t random) {
    bool plus = there > here;
    if (dimension.ring) {
      const int32_t forward = there > here ? there - here : there - here + dimension.size;
      const int32_t backward = dimension.size - forward;
      plus = forward < backward || (forward == backward && (random >> dimension.dimension & 1) == 0);
      crosses = plus ? there < here : there > here;
    }
    port = plus ? dimension.plus : dimension.minus;
  }

  int16_t port = 0;
  bool crosses = false;  ///< Whether the route from here crosses the link between the last and the first position.
};

/// Whether both directions from `here` to `there` are equally long.
inline bool is_tie(const Lattice::Dimension& dimension, int32_t here, int32_t there) {
  return dimension.ring && 2 * (there > here ? there - here : here - there) == dimension.size;
}

/// Calls `visit` with `packet` for each random number that makes a difference between two routers.
template <typename Visit>
void for_each_tie(const Lattice& lattice, int32_t router, int32_t target, PacketRoute packet, const Visit& visit) {
  uint32_t ties = 0;
  for (int32_t axis = 0; axis < lattice.axes(); ++axis) {
    const Lattice::Dimension& dimension = lattice.at(axis);
    if (is_tie(dimension, lattice.coordinate(router, axis), lattice.coordinate(target, axis)))
      ties |= uint32_t{1} << dimension.dimension;
  }
  // All subsets of the ties, the empty one last.
  for (uint32_t random = ties;; random = (random - 1) & ties) {
    packet.random = random;
    visit(packet);
    if (random == 0) break;
  }
}

}  // namespace fabrictwin::routing::lattice
