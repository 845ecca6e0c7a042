// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Valiant's and UGAL routing on a torus or mesh.
#pragma once

#include <array>
#include <cstdint>

#include "models/routing/detour_choice.h"
#include "models/routing/lattice/by_dimension.h"
#include "models/routing/lattice/lattice.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::routing::lattice {

/// In dimension order to a random router and from there in dimension order to the destination; with UGAL, a packet
/// takes the minimal route if its queues are shorter. kLocal considers the first router's output queues, kGlobal the
/// sum of the queues of all routers on both routes. VCs have a class for each part of the route (a minimal route is a
/// second part), on rings each halved by the dateline: the upper half is for packets whose route from here still
/// crosses it (Dally and Seitz 1987). Free of deadlock: each part is, and the second never waits for the first.
class Valiant final : public RoutingAlgorithm, public ByDimension {
 public:
  /// Needs at least classes() VCs.
  Valiant(Lattice lattice, int32_t vcs, const DetourRule& rule);

  static int32_t classes(const Lattice& lattice) { return lattice.has_rings() ? 4 : 2; }
  int32_t classes() const override { return classes(lattice_); }
  bool deterministic() const override { return false; }
  bool local() const override { return rule_.mode != DetourMode::kGlobal; }
  void begin(int32_t router, PacketRoute& route, const CongestionView& load) const override;
  bool detours() const override { return true; }
  bool reads_waiting() const override { return rule_.reads_waiting(); }
  void for_each_beginning(int32_t router, const PacketRoute& packet,
                          const std::function<void(const PacketRoute&)>& visit) const override;
  void for_each_detour(int32_t router, const PacketRoute& packet,
                       const std::function<void(const PacketRoute&)>& visit) const override;
  void options(int32_t router, int32_t in_port, int32_t in_vc, PacketRoute& route,
               RouteOptions& options) const override;
  const Lattice* by_dimension() const override { return &lattice_; }

 private:
  bool prefers_straight(int32_t router, int32_t target, const PacketRoute& route, const CongestionView& load) const;
  int64_t queues(int32_t from, int32_t to, const PacketRoute& route, const CongestionView& load) const;

  Lattice lattice_;
  DetourRule rule_;
  uint32_t all_ = 0;
  std::array<std::array<uint32_t, 2>, 2> vcs_{};  ///< VCs of rings, by part of the route and dateline ahead.
  std::array<uint32_t, 2> line_vcs_{};            ///< VCs of lines, by part of the route.
};

}  // namespace fabrictwin::routing::lattice
