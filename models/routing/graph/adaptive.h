// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Minimal adaptive routing on any graph.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "models/routing/router_graph.h"
#include "models/routing/router_table.h"
#include "models/routing/routing_algorithm.h"
#include "models/routing/up_down.h"

namespace fabrictwin {

/// Any port that begins a shortest way, on all VCs but VC 0, with an escape by up*/down* on VC 0 (Duato 1993; Silla and
/// Duato, "High-performance routing in networks of workstations with irregular topology", 2000). A packet on its escape
/// stays on it, so no other buffers come between two escapes, and up/down alone has no cycle.
class GraphAdaptive final : public RoutingAlgorithm {
 public:
  static constexpr int32_t kClasses = 2;
  static constexpr int32_t kMaxPorts = 64;
  static constexpr int32_t kMaxRouters = 4096;  ///< The table has eight bytes a pair.

  /// At least kClasses VCs, kMaxPorts ports a router. Errors as of UpDown.
  static absl::StatusOr<GraphAdaptive> create(const RouterGraph& routers, int32_t vcs, const std::string& root);

  int32_t classes() const override { return kClasses; }
  bool deterministic() const override { return false; }
  void options(int32_t router, int32_t in_port, int32_t in_vc, PacketRoute& route,
               RouteOptions& options) const override;

 private:
  GraphAdaptive(const RouterGraph& routers, UpDown up_down, int32_t vcs);

  UpDown up_down_;
  RouterTable<uint64_t> ports_;         ///< Masks of those that begin a shortest way.
  std::vector<uint64_t> router_ports_;  ///< Masks of those that lead to routers.
  uint32_t all_;
};

}  // namespace fabrictwin
