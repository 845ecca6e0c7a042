// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Routers that go by what is in a packet's header, for those who follow packets through a whole network.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "cosim/run/system_graph.h"
#include "models/routing.h"
#include "models/routing/lattice.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin {

/// The Routing of every router of a graph as one algorithm with two VCs: what ExaNet routers do without tables, in a
/// torus and in the boards of exanest. It asks the very objects that models run with. Keeps a reference to the graph.
/// Immutable; thread-safe.
class HeaderRouting final : public RoutingAlgorithm {
 public:
  /// `routers` by number. `lattice` is that of the graph in the order in which they take dimensions, if it is one.
  HeaderRouting(const SystemGraph& graph, std::vector<std::shared_ptr<const Routing>> routers,
                std::optional<Lattice> lattice);

  int32_t classes() const override { return 2; }
  /// All ties that a header may have.
  void for_each_beginning(int32_t router, const PacketRoute& packet,
                          const std::function<void(const PacketRoute&)>& visit) const override;
  void options(int32_t router, int32_t in_port, int32_t in_vc, PacketRoute& route,
               RouteOptions& options) const override;
  const Lattice* by_dimension() const override { return lattice_.has_value() ? &*lattice_ : nullptr; }

 private:
  const Element& router_of(int32_t host) const { return graph_.elements[graph_.host_router(host)]; }

  const SystemGraph& graph_;
  std::vector<std::shared_ptr<const Routing>> routers_;
  std::optional<Lattice> lattice_;
};

}  // namespace fabrictwin
