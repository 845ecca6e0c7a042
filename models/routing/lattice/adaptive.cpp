// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/lattice/adaptive.h"

#include <utility>

#include "models/routing/lattice/on_lattice.h"
#include "models/routing/lattice/ring_step.h"
#include "models/routing/vc_classes.h"

namespace fabrictwin::routing::lattice {

Adaptive::Adaptive(Lattice lattice, int32_t vcs) : lattice_(std::move(lattice)) {
  all_ = VcClasses(vcs, 1).all();
  adaptive_ = all_ & ~VcClasses(classes() - 1, 1).all();
}

void Adaptive::for_each_beginning(int32_t router, const PacketRoute& packet,
                                  const std::function<void(const PacketRoute&)>& visit) const {
  for_each_tie(lattice_, router, lattice_.router_of(packet.destination), packet, visit);
}

void Adaptive::options(int32_t router, int32_t, int32_t, PacketRoute& route, RouteOptions& options) const {
  const int32_t target = lattice_.router_of(route.destination);
  if (target == router) {
    options.add({static_cast<int16_t>(lattice_.host_port(route.destination)), false, all_});
    return;
  }
  RouteOption escape;
  for (int32_t axis = lattice_.axes(); axis-- > 0;) {
    const int32_t here = lattice_.coordinate(router, axis);
    const int32_t there = lattice_.coordinate(target, axis);
    if (here == there) continue;
    const RingStep step(lattice_.at(axis), here, there, route.random);
    options.add({step.port, false, adaptive_});
    // The last dimension visited is the first in order.
    escape = {step.port, true, step.crosses ? 2U : 1U};
  }
  options.add(escape);
}

const Factory& adaptive() {
  static const Factory factory{.kind = v1::MINIMAL_ADAPTIVE,
                               .parameters = {"order"},
                               .suits = is_lattice,
                               .unless = kNoLattice,
                               .make = [](const Request& request) { return on_lattice<Adaptive>(request); }};
  return factory;
}

}  // namespace fabrictwin::routing::lattice
