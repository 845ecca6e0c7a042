// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Shortest ways through any graph.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "models/routing/router_graph.h"
#include "models/routing/router_table.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin {

/// A shortest way from each router to each other, fixed; where several ports begin one, the number of the destination's
/// router chooses. All VCs. Nothing about it is free of deadlock by itself: that depends on the graph and is proved, or
/// not, for each.
class Shortest final : public RoutingAlgorithm {
 public:
  /// InvalidArgument if a router cannot be reached, naming it.
  static absl::StatusOr<Shortest> create(const RouterGraph& routers, int32_t vcs);

  int32_t classes() const override { return 1; }
  void options(int32_t router, int32_t in_port, int32_t in_vc, PacketRoute& route,
               RouteOptions& options) const override;

 private:
  Shortest(const RouterGraph& routers, int32_t vcs);

  RouterTable<uint8_t> ports_;
  uint32_t all_;
};

}  // namespace fabrictwin
