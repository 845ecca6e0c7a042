// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/iq_routing.h"

#include <utility>

#include "models/torus_routing.h"

namespace fabrictwin {

IqTorusRouting::IqTorusRouting(std::vector<int32_t> dims, int32_t vcs) : dims_(std::move(dims)) {
  int32_t nodes = 1;
  for (const int32_t size : dims_) nodes *= size;
  for (int32_t node = 0; node < nodes; ++node) {
    for (const int32_t coordinate : torus_coordinates(dims_, node))
      coordinates_.push_back(static_cast<uint8_t>(coordinate));
  }
  lower_ = (uint32_t{1} << (vcs / 2)) - 1;
  upper_ = lower_ << (vcs / 2);
}

IqRoute IqTorusRouting::route(int32_t router, const IqPacket& packet) const {
  for (size_t d = 0; d < dims_.size(); ++d) {
    const int32_t there = coordinate(packet.destination, d);
    if (coordinate(router, d) == there) continue;
    const int32_t from = coordinate(packet.source, d);
    const int32_t size = dims_[d];
    const int32_t forward = there >= from ? there - from : there - from + size;
    const int32_t backward = size - forward;
    const bool tie_goes_minus = (packet.ties >> d & 1) != 0;
    const bool plus = forward < backward || (forward == backward && !tie_goes_minus);
    const bool crosses = plus ? there < from : there > from;
    const auto dimension = static_cast<int32_t>(d);
    return {plus ? TorusRouting::plus_port(dimension) : TorusRouting::minus_port(dimension), crosses ? upper_ : lower_};
  }
  return {TorusRouting::kTilePort, lower_ | upper_};
}

}  // namespace fabrictwin
