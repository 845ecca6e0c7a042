// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Dimension-ordered routing on a torus or mesh.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "models/routing/lattice/by_dimension.h"
#include "models/routing/lattice/lattice.h"
#include "models/routing/routing_algorithm.h"
#include "models/routing/vc_classes.h"

namespace fabrictwin::routing::lattice {

/// One dimension after the other, in any order (Dally and Seitz, "Deadlock-free message routing in multiprocessor
/// interconnection networks", 1987). A packet takes the shorter direction round a ring; if both are equally long, its
/// random number decides. Rings need two classes of VCs: a packet's class is fixed on entering a dimension, the upper
/// one if its route crosses the link between the last and the first position (the dateline), the lower one if not.
/// Neither class can wait for itself in a cycle, as no packet goes more than half round. Dimensions without a ring and
/// hosts use all VCs.
class DimensionOrder final : public RoutingAlgorithm, public ByDimension {
 public:
  /// Needs at least classes() VCs.
  DimensionOrder(Lattice lattice, int32_t vcs);

  static int32_t classes(const Lattice& lattice) { return lattice.has_rings() ? 2 : 1; }
  int32_t classes() const override { return classes(lattice_); }
  void for_each_beginning(int32_t router, const PacketRoute& packet,
                          const std::function<void(const PacketRoute&)>& visit) const override;
  void options(int32_t router, int32_t in_port, int32_t in_vc, PacketRoute& route,
               RouteOptions& options) const override;
  const Lattice* by_dimension() const override { return &lattice_; }

 private:
  Lattice lattice_;
  std::array<uint32_t, 2> vcs_{};  ///< Masks of the lower and the upper class.
  uint32_t all_ = 0;
};

}  // namespace fabrictwin::routing::lattice
