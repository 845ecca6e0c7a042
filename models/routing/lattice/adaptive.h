// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Minimal adaptive routing on a torus or mesh.
#pragma once

#include <cstdint>

#include "models/routing/lattice/by_dimension.h"
#include "models/routing/lattice/lattice.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::routing::lattice {

/// Any dimension in which a packet has not arrived, each in the shorter direction, with an escape in dimension order
/// (Duato 1993). If both directions are equally long, the packet's random number decides. VC 1 of a ring is the escape
/// of packets whose route from here still crosses the dateline, VC 0 that of all others (Dally and Seitz 1987); a line
/// has VC 0 only. All other VCs are adaptive. Free of deadlock: positions in a ring only come nearer to the packet's
/// destination, so escapes are taken in the order of the dimensions, and in a dimension first on VC 1 up to the
/// dateline, then on VC 0 from there on, however far a packet goes on other VCs between two escapes.
class Adaptive final : public RoutingAlgorithm, public ByDimension {
 public:
  /// Needs at least classes() VCs.
  Adaptive(Lattice lattice, int32_t vcs);

  static int32_t classes(const Lattice& lattice) { return lattice.has_rings() ? 3 : 2; }
  int32_t classes() const override { return classes(lattice_); }
  bool deterministic() const override { return false; }
  void for_each_beginning(int32_t router, const PacketRoute& packet,
                          const std::function<void(const PacketRoute&)>& visit) const override;
  void options(int32_t router, int32_t in_port, int32_t in_vc, PacketRoute& route,
               RouteOptions& options) const override;
  const Lattice* by_dimension() const override { return &lattice_; }

 private:
  Lattice lattice_;
  uint32_t all_ = 0;
  uint32_t adaptive_ = 0;
};

}  // namespace fabrictwin::routing::lattice
