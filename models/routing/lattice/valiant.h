// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Valiant's and UGAL routing on a torus or mesh.
#pragma once

#include <array>
#include <cstdint>

#include "models/routing/detour_choice.h"
#include "models/routing/lattice.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin {

/// In dimension order to a router drawn for each packet and from there in dimension order to the destination; with
/// UGAL, a packet that finds shorter queues on the straight way takes that. kLocal looks at the first router's output
/// queues, kGlobal at the sum of the queues of all routers on both ways. VCs: a class for each part of the way (a
/// straight way is a second part), on rings each halved by the dateline: the upper half for packets whose way from here
/// still goes over it (Dally and Seitz 1987). Free of deadlock: each part is, and the second never waits for the first.
class LatticeValiant final : public RoutingAlgorithm {
 public:
  /// At least classes() VCs; `bias` in flits.
  LatticeValiant(Lattice lattice, int32_t vcs, DetourMode mode, int32_t bias);

  static int32_t classes(const Lattice& lattice) { return lattice.has_rings() ? 4 : 2; }
  int32_t classes() const override { return classes(lattice_); }
  bool deterministic() const override { return false; }
  bool local() const override { return mode_ != DetourMode::kGlobal; }
  void begin(int32_t router, PacketRoute& route, const CongestionView& load) const override;
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
  DetourMode mode_;
  int32_t bias_;
  uint32_t all_ = 0;
  std::array<std::array<uint32_t, 2>, 2> vcs_{};  ///< Of rings, by part of the way and whether the dateline is ahead.
  std::array<uint32_t, 2> line_vcs_{};            ///< By part of the way.
};

}  // namespace fabrictwin
