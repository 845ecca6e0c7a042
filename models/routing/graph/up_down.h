// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Up/down routing on any graph.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "models/routing/router_graph.h"
#include "models/routing/routing_algorithm.h"
#include "models/routing/table/router_table.h"

namespace fabrictwin::routing::graph {

/// Up*/down* (Schroeder et al., "Autonet: a high-speed, self-configuring local area network using point-to-point
/// links", 1991). Routers are ordered by their distance from a root, then by number; a link leads up towards the end
/// that comes first. A packet goes up any number of links, then down, and never up again, on the shortest such route,
/// which is fixed; where several ports begin one, the number of the destination's router chooses. Uses all VCs. Free of
/// deadlock: routers come ever earlier in the order on the path up, and ever later on the path down.
class UpDown final : public RoutingAlgorithm {
 public:
  /// `root` is the root's name; empty means the first of the routers with most links. InvalidArgument if there is no
  /// such router or one cannot be reached.
  static absl::StatusOr<UpDown> create(const RouterGraph& routers, int32_t vcs, const std::string& root);

  int32_t classes() const override { return 1; }
  void options(int32_t router, int32_t in_port, int32_t in_vc, PacketRoute& route,
               RouteOptions& options) const override;
  /// The rank follows the order of routers.
  int64_t rank(int32_t router, int32_t port, int32_t vc) const override;

  /// The port towards another router; `fresh` unless the packet has already gone down.
  int16_t port_to(int32_t router, int32_t target, bool fresh) const {
    return (fresh ? fresh_ : down_).at(router, target);
  }
  /// Whether packets that arrive through a port have gone down.
  bool came_down(int32_t router, int32_t port) const { return leads_up_[first_port_[router] + port] != 0; }

 private:
  static constexpr uint8_t kNone = 255;

  UpDown(const RouterGraph& routers, int32_t vcs);
  void order_from(const RouterGraph& routers, const std::vector<int32_t>& hops);
  void fill(const RouterGraph& routers, int32_t target);

  table::RouterTable<uint8_t> fresh_;  ///< Ports of packets that have not gone down yet.
  table::RouterTable<uint8_t> down_;   ///< Ports of packets that have gone down; kNone where such packets cannot be.
  std::vector<int32_t> order_;         ///< Position of each router in the order.
  std::vector<int32_t> by_order_;      ///< Routers, in order.
  std::vector<int32_t> first_port_;    ///< By router: index into leads_up_.
  std::vector<uint8_t> leads_up_;      ///< By port: whether it leads to a router that comes earlier.
  uint32_t all_;
};

}  // namespace fabrictwin::routing::graph
