// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Minimal adaptive routing on any graph.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "models/routing/graph/up_down.h"
#include "models/routing/router_graph.h"
#include "models/routing/routing_algorithm.h"
#include "models/routing/table/router_table.h"

namespace fabrictwin::routing::graph {

/// Any port that begins a shortest route, on all VCs but VC 0, with an up*/down* escape on VC 0 (Duato 1993; Silla and
/// Duato, "High-performance routing in networks of workstations with irregular topology", 2000). A packet on its escape
/// stays on it, so no other buffers come between two escapes, and up/down alone has no cycle.
class Adaptive final : public RoutingAlgorithm {
 public:
  static constexpr int32_t kClasses = 2;
  static constexpr int32_t kMaxPorts = 64;
  static constexpr int32_t kMaxRouters = 4096;  ///< The table has eight bytes per pair.

  /// Needs at least kClasses VCs and at most kMaxPorts ports per router. Errors are those of UpDown.
  static absl::StatusOr<Adaptive> create(const RouterGraph& routers, int32_t vcs, const std::string& root);

  int32_t classes() const override { return kClasses; }
  bool deterministic() const override { return false; }
  void options(int32_t router, int32_t in_port, int32_t in_vc, PacketRoute& route,
               RouteOptions& options) const override;

 private:
  Adaptive(const RouterGraph& routers, UpDown up_down, int32_t vcs);

  UpDown up_down_;
  table::RouterTable<uint64_t> ports_;  ///< Masks of the ports that begin a shortest route.
  std::vector<uint64_t> router_ports_;  ///< Masks of the ports that lead to routers.
  uint32_t all_;
};

}  // namespace fabrictwin::routing::graph
