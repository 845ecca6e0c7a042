// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Dimension order on a torus, told from source and destination alone: what DimensionOrder is compared with.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "models/routing/lattice/torus_routing.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin {

/// X first, on the ports of TorusRouting, host i on router i. The upper half of the VCs if the way round the ring goes
/// over the link between the last and the first position, the lower half if not; at the destination all.
class DatelineRouting final : public routing::RoutingAlgorithm {
 public:
  /// `vcs` is even.
  DatelineRouting(std::vector<int32_t> dims, int32_t vcs)
      : dims_(std::move(dims)), lower_((uint32_t{1} << (vcs / 2)) - 1), upper_(lower_ << (vcs / 2)) {}

  int32_t classes() const override { return 2; }
  void options(int32_t router, int32_t, int32_t, routing::PacketRoute& route,
               routing::RouteOptions& options) const override {
    const std::vector<int32_t> here = routing::lattice::torus_coordinates(dims_, router);
    const std::vector<int32_t> from = routing::lattice::torus_coordinates(dims_, route.source);
    const std::vector<int32_t> there = routing::lattice::torus_coordinates(dims_, route.destination);
    for (size_t d = 0; d < dims_.size(); ++d) {
      if (here[d] == there[d]) continue;
      const int32_t forward = (there[d] - from[d] + dims_[d]) % dims_[d];
      const bool tie_goes_minus = (route.random >> d & 1) != 0;
      const bool plus = 2 * forward < dims_[d] || (2 * forward == dims_[d] && !tie_goes_minus);
      const bool crosses = plus ? there[d] < from[d] : there[d] > from[d];
      const auto dimension = static_cast<int32_t>(d);
      const int32_t port = plus ? routing::lattice::TorusRouting::plus_port(dimension)
                                : routing::lattice::TorusRouting::minus_port(dimension);
      return options.add({static_cast<int16_t>(port), false, crosses ? upper_ : lower_});
    }
    options.add({routing::lattice::TorusRouting::kTilePort, false, lower_ | upper_});
  }

 private:
  std::vector<int32_t> dims_;
  uint32_t lower_;
  uint32_t upper_;
};

}  // namespace fabrictwin
