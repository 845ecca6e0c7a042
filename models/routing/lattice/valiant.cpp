// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/lattice/valiant.h"

#include <utility>

#include "models/routing/lattice/on_lattice.h"
#include "models/routing/lattice/ring_step.h"
#include "models/routing/mix.h"
#include "models/routing/vc_classes.h"

namespace fabrictwin::routing::lattice {

Valiant::Valiant(Lattice lattice, int32_t vcs, const DetourRule& rule) : lattice_(std::move(lattice)), rule_(rule) {
  const VcClasses shared(vcs, classes());
  const int32_t halves = classes() / 2;
  all_ = shared.all();
  for (int32_t part = 0; part < 2; ++part) {
    vcs_[part] = {shared.mask(part * halves), shared.mask(part * halves + halves - 1)};
    line_vcs_[part] = vcs_[part][0] | vcs_[part][1];
  }
}

void Valiant::begin(int32_t router, PacketRoute& route, const CongestionView& load) const {
  const int32_t target = lattice_.router_of(route.destination);
  if (target == router) return;
  const int32_t intermediate = pick(route.random, 0, lattice_.routers());
  if (intermediate == router || intermediate == target) return;
  route.intermediate = intermediate;
  if (rule_.mode != DetourMode::kAlways && prefers_straight(router, target, route, load))
    route.intermediate = PacketRoute::kNone;
}

bool Valiant::prefers_straight(int32_t router, int32_t target, const PacketRoute& route,
                               const CongestionView& load) const {
  const int32_t over = route.intermediate;
  if (rule_.mode == DetourMode::kGlobal) {
    const int64_t straight = queues(router, target, route, load);
    return rule_.no_more(straight, queues(router, over, route, load) + queues(over, target, route, load));
  }
  const auto port_to = [&](int32_t from, int32_t to) {
    const int32_t axis = lattice_.first_difference(from, to);
    return RingStep(lattice_.at(axis), lattice_.coordinate(from, axis), lattice_.coordinate(to, axis), route.random)
        .port;
  };
  const auto first_queue = [&](int32_t to) {
    const int16_t port = port_to(router, to);
    const int64_t queue = rule_.queue(load, router, port);
    if (!rule_.notices) return queue;
    const int32_t axis = lattice_.first_difference(router, to);
    const int32_t next = lattice_.next(router, axis, port == lattice_.at(axis).plus);
    return next == to ? queue : queue + load.told(router, next, port_to(next, to));
  };
  return rule_.straight_is_better(first_queue(target), lattice_.distance(router, target), first_queue(over),
                                  lattice_.distance(router, over) + lattice_.distance(over, target));
}

int64_t Valiant::queues(int32_t from, int32_t to, const PacketRoute& route, const CongestionView& load) const {
  int64_t sum = 0;
  while (from != to) {
    const int32_t axis = lattice_.first_difference(from, to);
    const Lattice::Dimension& dimension = lattice_.at(axis);
    const RingStep step(dimension, lattice_.coordinate(from, axis), lattice_.coordinate(to, axis), route.random);
    sum += rule_.queue(load, from, step.port);
    from = lattice_.next(from, axis, step.port == dimension.plus);
  }
  return sum;
}

void Valiant::for_each_beginning(int32_t router, const PacketRoute& packet,
                                 const std::function<void(const PacketRoute&)>& visit) const {
  for_each_tie(lattice_, router, lattice_.router_of(packet.destination), packet, visit);
}

void Valiant::for_each_detour(int32_t router, const PacketRoute& packet,
                              const std::function<void(const PacketRoute&)>& visit) const {
  PacketRoute route = packet;
  for (int32_t over = 0; over < lattice_.routers(); ++over) {
    if (over == router) continue;
    route.intermediate = over;
    for_each_tie(lattice_, router, over, route, visit);
  }
}

void Valiant::options(int32_t router, int32_t, int32_t, PacketRoute& route, RouteOptions& options) const {
  if (route.intermediate == router) route.intermediate = PacketRoute::kNone;
  const int32_t part = route.intermediate == PacketRoute::kNone ? 1 : 0;
  const int32_t target = part == 0 ? route.intermediate : lattice_.router_of(route.destination);
  if (target == router) {
    options.add({static_cast<int16_t>(lattice_.host_port(route.destination)), false, all_});
    return;
  }
  const int32_t axis = lattice_.first_difference(router, target);
  const Lattice::Dimension& dimension = lattice_.at(axis);
  const RingStep step(dimension, lattice_.coordinate(router, axis), lattice_.coordinate(target, axis), route.random);
  options.add({step.port, false, dimension.ring ? vcs_[part][step.crosses ? 1 : 0] : line_vcs_[part]});
}

const Factory& valiant() {
  static const Factory factory{.kind = v1::VALIANT,
                               .parameters = {"order"},
                               .suits = is_lattice,
                               .unless = kNoLattice,
                               .make = [](const Request& request) {
                                 return on_lattice<Valiant>(request, request.detours(DetourMode::kAlways));
                               }};
  return factory;
}

const Factory& ugal_l() {
  static const Factory factory{
      .kind = v1::UGAL_L,
      .parameters = {"order", "bias", "threshold", "queue_measure", "notification"},
      .suits = is_lattice,
      .unless = kNoLattice,
      .make = [](const Request& request) { return on_lattice<Valiant>(request, request.detours(DetourMode::kLocal)); }};
  return factory;
}

const Factory& ugal_g() {
  static const Factory factory{.kind = v1::UGAL_G,
                               .parameters = {"order", "bias", "threshold", "queue_measure", "notification"},
                               .suits = is_lattice,
                               .unless = kNoLattice,
                               .make = [](const Request& request) {
                                 return on_lattice<Valiant>(request, request.detours(DetourMode::kGlobal));
                               }};
  return factory;
}

}  // namespace fabrictwin::routing::lattice
