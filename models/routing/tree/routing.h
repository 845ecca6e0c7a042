// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Routing on fat trees.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "models/routing/router_graph.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::routing::tree {

/// Up to a router that has the destination below it, then down. The path up is either any port with free space, or by
/// D-mod-K (Zahavi, "Fat-tree routing and node ordering providing contention free traffic for MPI global collectives",
/// 2012): on level l the host's number, divided by the number of routers that a subtree of level l has at its top,
/// modulo the ports up, chooses the port, so that all packets for a host come down the same path; or a random number
/// for the flow of a packet (equal-cost multipath: Hopps, RFC 2992) or for the packet, and in each router anew.
/// On the path down there is one next router; the host's number chooses among parallel links. Works on every graph
/// whose hosts are on the lowest of its levels, whose links join neighbouring levels, and whose uppermost routers all
/// have all hosts below them: k-ary n-trees, full or tapered, and spine-leaf networks. Uses all VCs. Free of deadlock:
/// packets go up, then down.
class TreeRouting final : public RoutingAlgorithm {
 public:
  enum class Up : uint8_t {
    kAny,       ///< Any port with free space.
    kDModK,     ///< By the destination.
    kByFlow,    ///< At random for each flow: source, destination and PacketRoute::flow.
    kByPacket,  ///< By PacketRoute::random.
  };

  /// InvalidArgument with the reason if the graph is not such a tree. `seed` is that of the random numbers of flows.
  static absl::StatusOr<TreeRouting> create(const RouterGraph& routers, int32_t vcs, Up up, uint64_t seed = 0);

  int32_t classes() const override { return 1; }
  bool deterministic() const override { return up_ == Up::kDModK; }
  bool chooses() const override { return up_ == Up::kByFlow || up_ == Up::kByPacket; }
  bool chooses_by_flow() const override { return up_ == Up::kByFlow; }
  int32_t choose(int32_t router, const PacketRoute& route, int32_t count) const override;
  void options(int32_t router, int32_t in_port, int32_t in_vc, PacketRoute& route,
               RouteOptions& options) const override;
  int64_t rank(int32_t router, int32_t port, int32_t vc) const override;

 private:
  static constexpr int16_t kNone = -1;
  struct Node {
    int32_t level = -1;
    int32_t first_up = 0;  ///< Index into ports_.
    int32_t ups = 0;
    int32_t first_child = 0;  ///< Index into children_.
  };
  struct Child {
    int32_t first = 0;  ///< Index into ports_ of its parallel links.
    int32_t count = 0;
    int32_t router = 0;
  };

  TreeRouting(int32_t vcs, Up up, uint64_t seed);
  absl::Status find_levels(const RouterGraph& routers);
  void find_ports(const RouterGraph& routers);
  absl::Status find_hosts(const RouterGraph& routers);
  absl::Status find_digits(const RouterGraph& routers);

  Up up_;
  uint64_t seed_;
  uint32_t all_;
  int32_t top_ = 0;
  std::vector<Node> nodes_;
  std::vector<int16_t> ports_;
  std::vector<Child> children_;
  std::vector<std::vector<int32_t>> by_level_;
  int32_t leaves_ = 0;
  std::vector<int32_t> leaf_of_host_;  ///< Numbers of leaves, counted from 0.
  std::vector<int32_t> host_router_;
  std::vector<int16_t> host_port_;
  std::vector<int16_t> child_of_;  ///< By router and leaf: the child of the router that leads there, or kNone.
  std::vector<uint16_t> digits_;   ///< By level and host: the port up.
  std::vector<std::vector<uint8_t>> leads_up_;  ///< By router and port.
};

}  // namespace fabrictwin::routing::tree
