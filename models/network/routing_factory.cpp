// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/network/routing_factory.h"

#include <algorithm>
#include <string_view>

#include "fmt/format.h"
#include "models/network/tenants.h"
#include "models/routing/factory.h"

namespace fabrictwin::network {
namespace {

v1::RoutingKind default_routing(const experiment::Experiment& experiment, const system::SystemGraph& graph) {
  if (graph.default_routing != v1::DEFAULT) return graph.default_routing;
  switch (graph.family) {
    case system::TopologyFamily::kLattice:
      return v1::DIMENSION_ORDER;
    case system::TopologyFamily::kDragonfly:
      return v1::MINIMAL;
    case system::TopologyFamily::kTree:
      // The tables of ExaNet routers cannot choose among paths up.
      return experiment.router.model == v1::EXANET ? v1::D_MOD_K : v1::UP_DOWN;
    case system::TopologyFamily::kOther:
      break;
  }
  return v1::UP_DOWN;
}

bool reads(const routing::Factory& factory, std::string_view parameter) {
  return std::ranges::find(factory.parameters, parameter) != factory.parameters.end();
}

}  // namespace

v1::RoutingKind routing_kind(const experiment::Experiment& experiment, const system::SystemGraph& graph) {
  const v1::RoutingKind kind = experiment.routing.algorithm;
  return kind == v1::DEFAULT ? default_routing(experiment, graph) : kind;
}

absl::StatusOr<std::shared_ptr<const routing::RoutingAlgorithm>> make_routing_algorithm(
    const experiment::Experiment& experiment, const system::SystemGraph& graph, int32_t vcs) {
  const routing::Request request(experiment, graph, vcs, routing_kind(experiment, graph));
  const routing::Factory* unsuitable = nullptr;
  for (const routing::Factory* factory : routings()) {
    if (factory->kind != request.kind()) continue;
    if (!factory->suits(request)) {
      if (unsuitable == nullptr) unsuitable = factory;
      continue;
    }
    // The check of the experiment knows the algorithm, but not which of its kind this is.
    if (!experiment.routing.order.empty() && !reads(*factory, "order")) {
      return routing::Request::refuse(
          experiment.order_location,
          fmt::format("order is for lattices, and this is {}; leave it out", graph.topology));
    }
    if (experiment.routing.own_vcs && !reads(*factory, "own_vcs")) {
      return routing::Request::refuse(
          experiment.own_vcs_location,
          fmt::format("own_vcs is for dragonflies, and this is {}; leave it out", graph.topology));
    }
    return factory->make(request);
  }
  return request.unsuitable(unsuitable == nullptr ? "" : unsuitable->unless);
}

}  // namespace fabrictwin::network
