// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Wraps the routing functions of routers that read packet headers, so that packets can be followed through a network.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "cosim/system/system_graph.h"
#include "models/routing/lattice/by_dimension.h"
#include "models/routing/lattice/lattice.h"
#include "models/routing/routing.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::routing::lattice {

/// The Routing of every router of a graph as one algorithm with two VCs: what ExaNet routers do without tables, in a
/// torus and on the boards of exanest. It calls the very objects that models run with. Keeps a reference to the graph.
/// Immutable; thread-safe.
class HeaderRouting final : public RoutingAlgorithm, public ByDimension {
 public:
  /// `routers` by number. `lattice` is that of the graph, in the order in which routers take dimensions, if it is one.
  HeaderRouting(const system::SystemGraph& graph, std::vector<std::shared_ptr<const Routing>> routers,
                std::optional<Lattice> lattice);

  int32_t classes() const override { return 2; }
  /// Visits all ties that a header may have.
  void for_each_beginning(int32_t router, const PacketRoute& packet,
                          const std::function<void(const PacketRoute&)>& visit) const override;
  void options(int32_t router, int32_t in_port, int32_t in_vc, PacketRoute& route,
               RouteOptions& options) const override;
  const Lattice* by_dimension() const override { return lattice_.has_value() ? &*lattice_ : nullptr; }

 private:
  const system::Element& router_of(int32_t host) const { return graph_.elements[graph_.host_router(host)]; }

  const system::SystemGraph& graph_;
  std::vector<std::shared_ptr<const Routing>> routers_;
  std::optional<Lattice> lattice_;
};

}  // namespace fabrictwin::routing::lattice
