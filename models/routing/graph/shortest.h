// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Shortest-path routing on any graph.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/routing/router_graph.h"
#include "models/routing/routing_algorithm.h"
#include "models/routing/table/router_table.h"

namespace fabrictwin::routing::graph {

/// A fixed shortest route between any two routers; where several ports begin one, the number of the destination's
/// router chooses. Uses all VCs. The algorithm is not free of deadlock by itself: that depends on the graph and is
/// proved or disproved for each.
class Shortest final : public RoutingAlgorithm {
 public:
  /// InvalidArgument if a router cannot be reached, naming it.
  static absl::StatusOr<Shortest> create(const RouterGraph& routers, int32_t vcs);

  int32_t classes() const override { return 1; }
  void options(int32_t router, int32_t in_port, int32_t in_vc, PacketRoute& route,
               RouteOptions& options) const override;

 private:
  Shortest(const RouterGraph& routers, int32_t vcs);

  table::RouterTable<uint8_t> ports_;
  uint32_t all_;
};

}  // namespace fabrictwin::routing::graph
