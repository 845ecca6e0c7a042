// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/topology.h"

#include <algorithm>

#include "cosim/base/text.h"
#include "cosim/run/topology_reader.h"
#include "fmt/format.h"
#include "models/exanest_routing.h"
#include "models/exanet_router.h"
#include "models/node_timing.h"
#include "models/routing/route_table_builder.h"
#include "models/routing/table_routing.h"
#include "models/topology/blue_gene_q.h"
#include "models/topology/dragonfly.h"
#include "models/topology/dragonfly_layout.h"
#include "models/topology/exanest.h"
#include "models/topology/explicit_graph.h"
#include "models/topology/fat_tree.h"
#include "models/topology/fat_tree_layout.h"
#include "models/topology/lattice_layout.h"
#include "models/topology/sun_fire_x4600.h"
#include "models/topology/tofu.h"
#include "models/topology/torus.h"
#include "models/torus_routing.h"

namespace fabrictwin {

static_assert(ExanetRouter::kMaxPorts >= kMaxRouterPorts);

absl::StatusOr<SystemGraph> build_topology(const Experiment& experiment) {
  // Before anything is built: what is wrong with a calibration is the user's.
  if (const auto timing = node_timing(experiment); !timing.ok()) return timing.status();
  switch (experiment.topology) {
    case v1::Topology::kExanest:
      return build_exanest(experiment);
    case v1::Topology::kTofu:
      return build_tofu(experiment);
    case v1::Topology::kBlueGeneQ:
      return build_blue_gene_q(experiment);
    case v1::Topology::kSpineLeaf:
      return build_spine_leaf(experiment);
    case v1::Topology::kDragonfly:
      return build_dragonfly(experiment);
    case v1::Topology::kFatTree:
      return build_fat_tree(experiment);
    case v1::Topology::kSunFireX4600:
      return build_sun_fire_x4600(experiment);
    case v1::Topology::kGraph:
      return build_explicit_graph(experiment);
    default:
      return build_torus(experiment);
  }
}

double topology_nodes(const Experiment& experiment) {
  const auto larger = [](double hosts, double routers) { return std::max(hosts, routers); };
  switch (experiment.topology) {
    case v1::Topology::kExanest:
      return 1.0 * kFpgasPerQfdb * experiment.exanest.blades * experiment.exanest.qfdbs;
    case v1::Topology::kSpineLeaf: {
      const FatTreeLayout layout(experiment.spine_leaf);
      return larger(layout.hosts(), layout.routers());
    }
    case v1::Topology::kFatTree: {
      const FatTreeLayout layout(experiment.fat_tree);
      return larger(layout.hosts(), layout.routers());
    }
    case v1::Topology::kTofu:
      return LatticeLayout(experiment.tofu).routers();
    case v1::Topology::kBlueGeneQ:
      return LatticeLayout(experiment.blue_gene_q).routers();
    case v1::Topology::kDragonfly:
      return DragonflyLayout(experiment.dragonfly).hosts();
    case v1::Topology::kSunFireX4600:
      return 8;
    case v1::Topology::kGraph:
      return larger(static_cast<double>(experiment.graph.hosts.size()),
                    static_cast<double>(experiment.graph.routers.size()));
    default:
      return 1.0 * LatticeLayout(experiment.torus).routers() * experiment.torus.hosts_per_router;
  }
}

bool routed_by_coordinates(const Experiment& experiment) {
  if (experiment.router.model != v1::EXANET) return false;
  if (experiment.topology == v1::Topology::kExanest) return true;
  return experiment.topology == v1::Topology::kTorus && experiment.torus.plain() &&
         experiment.routing.algorithm == v1::DEFAULT && experiment.routing.order.empty();
}

absl::Status add_route_table(const Experiment& experiment, const RoutingAlgorithm& algorithm, SystemGraph& graph) {
  absl::StatusOr<std::shared_ptr<const RouteTable>> table = make_route_table(graph, algorithm);
  if (!table.ok()) {
    return absl::InvalidArgumentError(format_diagnostic(
        experiment.routing_place, fmt::format("routers of the model EXANET go by tables here, and {}; write another "
                                              "routing, or router {{ model: INPUT_QUEUED }}",
                                              message_of(table.status()))));
  }
  graph.routes = *std::move(table);
  return absl::OkStatus();
}

std::shared_ptr<const Routing> make_routing(const SystemGraph& graph, const Element& element) {
  if (graph.routes) return std::make_shared<TableRouting>(graph.routes, element.node);
  if (element.kind == ElementKind::kRouter) return std::make_shared<TorusRouting>(graph.dims, element.coordinates);
  if (is_network_fpga(element)) return std::make_shared<NetworkFpgaRouting>(graph.dims, element.coordinates);
  return std::make_shared<PlainFpgaRouting>(element.address);
}

}  // namespace fabrictwin
