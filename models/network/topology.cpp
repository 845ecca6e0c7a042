// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/network/topology.h"

#include "cosim/base/text.h"
#include "cosim/experiment/check/topology_reader.h"
#include "fmt/format.h"
#include "models/network/tenants.h"
#include "models/nic/exanet/node_timing.h"
#include "models/router/exanet/router.h"
#include "models/routing/exanest/routing.h"
#include "models/routing/lattice/torus_routing.h"
#include "models/routing/table/builder.h"
#include "models/routing/table/routing.h"
#include "models/topology/exanest/exanest.h"

namespace fabrictwin::network {

static_assert(router::exanet::Router::kMaxPorts >= experiment::kMaxRouterPorts);

absl::StatusOr<system::SystemGraph> build_topology(const experiment::Experiment& experiment) {
  // A wrong calibration is the user's error and is reported before anything is built.
  if (const auto timing = nic::exanet::node_timing(experiment); !timing.ok()) return timing.status();
  absl::StatusOr<system::SystemGraph> graph = topology_of(experiment).build(experiment);
  if (!graph.ok() || graph->has_card()) return graph;
  const experiment::RouterSpec& router = experiment.router;
  graph->packets = router.packets;
  graph->words.word_bits = router.packets.word_bits();
  graph->words.credit_words = router.credit_words;
  graph->external = router.model == v1::EXTERNAL;
  if (graph->external) graph->words.vcs = router.vcs;
  for (system::Link& link : graph->links) link.word_bits = graph->words.word_bits;
  return graph;
}

double topology_nodes(const experiment::Experiment& experiment) { return topology_of(experiment).nodes(experiment); }

double hosts_per_router(const experiment::Experiment& experiment) {
  return topology_of(experiment).hosts_per_router(experiment);
}

bool routed_by_coordinates(const experiment::Experiment& experiment) {
  if (experiment.router.model != v1::EXANET) return false;
  return experiment.routing.algorithm == v1::DEFAULT && experiment.routing.order.empty() &&
         topology_of(experiment).routed_by_coordinates(experiment);
}

absl::Status add_route_table(const experiment::Experiment& experiment, const routing::RoutingAlgorithm& algorithm,
                             system::SystemGraph& graph) {
  absl::StatusOr<std::shared_ptr<const system::RouteTable>> table = routing::table::make_route_table(graph, algorithm);
  if (!table.ok()) {
    return absl::InvalidArgumentError(experiment::format_diagnostic(
        experiment.routing_location, fmt::format("routers of the model EXANET go by tables here, and {}; write another "
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
