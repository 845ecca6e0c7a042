// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/network/topology.h"

#include <algorithm>

#include "cosim/base/text.h"
#include "cosim/experiment/check/topology_reader.h"
#include "fmt/format.h"
#include "models/nic/exanet/node_timing.h"
#include "models/router/exanet/router.h"
#include "models/routing/exanest/routing.h"
#include "models/routing/lattice/torus_routing.h"
#include "models/routing/table/builder.h"
#include "models/routing/table/routing.h"
#include "models/topology/dragonfly/dragonfly.h"
#include "models/topology/dragonfly/layout.h"
#include "models/topology/exanest/exanest.h"
#include "models/topology/graph/explicit_graph.h"
#include "models/topology/graph/sun_fire_x4600.h"
#include "models/topology/lattice/blue_gene_q.h"
#include "models/topology/lattice/layout.h"
#include "models/topology/lattice/tofu.h"
#include "models/topology/lattice/torus.h"
#include "models/topology/tree/fat_tree.h"
#include "models/topology/tree/layout.h"

namespace fabrictwin::network {

static_assert(router::exanet::Router::kMaxPorts >= experiment::kMaxRouterPorts);

absl::StatusOr<system::SystemGraph> build_topology(const experiment::Experiment& experiment) {
  // A wrong calibration is the user's error and is reported before anything is built.
  if (const auto timing = nic::exanet::node_timing(experiment); !timing.ok()) return timing.status();
  switch (experiment.topology) {
    case v1::Topology::kExanest:
      return topology::exanest::build_exanest(experiment);
    case v1::Topology::kTofu:
      return topology::lattice::build_tofu(experiment);
    case v1::Topology::kBlueGeneQ:
      return topology::lattice::build_blue_gene_q(experiment);
    case v1::Topology::kSpineLeaf:
      return topology::tree::build_spine_leaf(experiment);
    case v1::Topology::kDragonfly:
      return topology::dragonfly::build_dragonfly(experiment);
    case v1::Topology::kFatTree:
      return topology::tree::build_fat_tree(experiment);
    case v1::Topology::kSunFireX4600:
      return topology::graph::build_sun_fire_x4600(experiment);
    case v1::Topology::kGraph:
      return topology::graph::build_explicit_graph(experiment);
    default:
      return topology::lattice::build_torus(experiment);
  }
}

double topology_nodes(const experiment::Experiment& experiment) {
  const auto larger = [](double hosts, double routers) { return std::max(hosts, routers); };
  switch (experiment.topology) {
    case v1::Topology::kExanest:
      return 1.0 * topology::exanest::kFpgasPerQfdb * experiment.exanest.blades * experiment.exanest.qfdbs;
    case v1::Topology::kSpineLeaf: {
      const topology::tree::Layout layout(experiment.spine_leaf);
      return larger(layout.hosts(), layout.routers());
    }
    case v1::Topology::kFatTree: {
      const topology::tree::Layout layout(experiment.fat_tree);
      return larger(layout.hosts(), layout.routers());
    }
    case v1::Topology::kTofu:
      return topology::lattice::Layout(experiment.tofu).routers();
    case v1::Topology::kBlueGeneQ:
      return topology::lattice::Layout(experiment.blue_gene_q).routers();
    case v1::Topology::kDragonfly:
      return topology::dragonfly::Layout(experiment.dragonfly).hosts();
    case v1::Topology::kSunFireX4600:
      return 8;
    case v1::Topology::kGraph:
      return larger(static_cast<double>(experiment.graph.hosts.size()),
                    static_cast<double>(experiment.graph.routers.size()));
    default:
      return 1.0 * topology::lattice::Layout(experiment.torus).routers() * experiment.torus.hosts_per_router;
  }
}

bool routed_by_coordinates(const experiment::Experiment& experiment) {
  if (experiment.router.model != v1::EXANET) return false;
  if (experiment.topology == v1::Topology::kExanest) return true;
  return experiment.topology == v1::Topology::kTorus && experiment.torus.plain() &&
         experiment.routing.algorithm == v1::DEFAULT && experiment.routing.order.empty();
}

absl::Status add_route_table(const experiment::Experiment& experiment, const routing::RoutingAlgorithm& algorithm,
                             system::SystemGraph& graph) {
  absl::StatusOr<std::shared_ptr<const system::RouteTable>> table = routing::table::make_route_table(graph, algorithm);
  if (!table.ok()) {
    return absl::InvalidArgumentError(experiment::format_diagnostic(
        experiment.routing_place, fmt::format("routers of the model EXANET go by tables here, and {}; write another "
                                              "routing, or router {{ model: INPUT_QUEUED }}",
                                              message_of(table.status()))));
  }
  graph.routes = *std::move(table);
  return absl::OkStatus();
}

std::shared_ptr<const routing::Routing> make_routing(const system::SystemGraph& graph, const system::Element& element) {
  if (graph.routes) return std::make_shared<routing::table::TableRouting>(graph.routes, element.node);
  if (element.kind == system::ElementKind::kRouter)
    return std::make_shared<routing::lattice::TorusRouting>(graph.dims, element.coordinates);
  if (topology::exanest::is_network_fpga(element))
    return std::make_shared<routing::exanest::NetworkFpgaRouting>(graph.dims, element.coordinates);
  return std::make_shared<routing::exanest::PlainFpgaRouting>(element.address);
}

}  // namespace fabrictwin::network
