// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/lattice/dimension_order.h"

#include "models/routing/lattice/on_lattice.h"
#include "models/routing/lattice/ring_step.h"

namespace fabrictwin::routing::lattice {

DimensionOrder::DimensionOrder(Lattice lattice, int32_t vcs) : lattice_(std::move(lattice)) {
  const VcClasses shared(vcs, classes());
  vcs_ = {shared.mask(0), shared.mask(classes() - 1)};
  all_ = shared.all();
}

void DimensionOrder::for_each_beginning(int32_t router, const PacketRoute& packet,
                                        const std::function<void(const PacketRoute&)>& visit) const {
  for_each_tie(lattice_, router, lattice_.router_of(packet.destination), packet, visit);
}

void DimensionOrder::options(int32_t router, int32_t in_port, int32_t in_vc, PacketRoute& route,
                             RouteOptions& options) const {
  const Point here = lattice_.point(router);
  const Point there = lattice_.point_of_host(route.destination);
  if (there == here) {
    options.add({static_cast<int16_t>(lattice_.host_port(route.destination)), false, all_});
    return;
  }
  const int32_t axis = here.first_difference(there);
  const Lattice::Dimension& dimension = lattice_.at(axis);
  const RingStep step(dimension, here.coordinate(axis), there.coordinate(axis), route.random);
  uint32_t vcs = all_;
  if (dimension.ring) {
    // Within a dimension the class does not change.
    const bool inside = lattice_.axis_of_port(in_port) == axis;
    const bool upper = inside ? (vcs_[1] >> in_vc & 1) != 0 : step.crosses;
    vcs = vcs_[upper ? 1 : 0];
  }
  options.add({step.port, false, vcs});
}

const Factory& dimension_order() {
  static const Factory factory{.kind = v1::DIMENSION_ORDER,
                               .parameters = {"order"},
                               .suits = is_lattice,
                               .unless = kNoLattice,
                               .make = [](const Request& request) { return on_lattice<DimensionOrder>(request); }};
  return factory;
}

}  // namespace fabrictwin::routing::lattice
