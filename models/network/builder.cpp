// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/network/builder.h"

#include "cosim/base/text.h"
#include "cosim/link/record.h"
#include "fmt/format.h"
#include "models/network/coarse_depth.h"
#include "models/network/faults.h"
#include "models/network/input_queued_config.h"
#include "models/network/packet_network.h"
#include "models/network/routing_plan.h"
#include "models/network/topology.h"
#include "models/nic/exanet/node_timing.h"
#include "models/router/external/limits.h"
#include "models/routing/proof/deadlock_check.h"

namespace fabrictwin::network {
namespace {

/// The proof for a torus or exanest whose routers use the coordinates in headers.
absl::StatusOr<routing::proof::DeadlockProof> check_coordinates(const system::SystemGraph& graph) {
  const auto routing = make_header_routing(graph);
  if (!routing.ok()) return routing.status();
  return routing::proof::check_deadlock(graph, **routing, link::kVcs, true);
}

/// Routers that are a user's own route packets themselves.
absl::StatusOr<system::SystemGraph> finish_external(const experiment::Experiment& experiment,
                                                    system::SystemGraph graph) {
  if (experiment.routing.algorithm != v1::DEFAULT || !experiment.routing.order.empty()) {
    return absl::InvalidArgumentError(experiment::format_diagnostic(
        experiment.routing_location, "routers of the model EXTERNAL route packets themselves; leave routing out"));
  }
  if (absl::Status header = router::external::check_header(experiment, graph); !header.ok()) return header;
  graph.routing = "routed by its routers, of which nothing is known, so that it may have deadlocks";
  graph.routing_proved = false;
  return graph;
}

}  // namespace

absl::StatusOr<system::SystemGraph> build_system(const experiment::Experiment& experiment) {
  absl::StatusOr<system::SystemGraph> graph = build_topology(experiment);
  if (!graph.ok() || graph->has_card()) return graph;
  if (graph->has_nodes() && experiment.calibration.has_value()) {
    absl::StatusOr<std::vector<system::Link>> links = nic::exanet::modelled_links(experiment, *graph);
    if (!links.ok()) return links.status();
    graph->modelled_links = *std::move(links);
  }
  if (experiment.router.model == v1::EXTERNAL) return finish_external(experiment, *std::move(graph));
  if (routed_by_coordinates(experiment)) {
    const absl::StatusOr<routing::proof::DeadlockProof> proof = check_coordinates(*graph);
    if (!proof.ok()) {
      return absl::InvalidArgumentError(experiment::format_diagnostic(
          experiment.topology_location,
          fmt::format("{} is not free of deadlock: {}; write another topology, or a routing", graph->topology,
                      message_of(proof.status()))));
    }
    graph->routing = fmt::format("by coordinates, highest dimension first, 2 of 2 VCs needed; {}", proof->text);
    graph->routing_proved = proof->proved();
    return graph;
  }
  if (experiment.router.model == v1::INPUT_QUEUED) {
    if (absl::Status status = check_iq_network(experiment, *graph); !status.ok()) return status;
  }
  if (const auto faults = find_faults(experiment, *graph); !faults.ok()) return faults.status();
  const absl::StatusOr<RoutingPlan> routing = plan_routing(experiment, *graph);
  if (!routing.ok()) return routing.status();
  graph->routing = fmt::format("{}, {} of {} VCs needed; {}", to_lower(v1::RoutingKind_Name(routing->kind)),
                               routing->classes, routing->vcs, routing->proof.text);
  graph->routing_proved = routing->proof.proved();
  if (experiment.router.model == v1::PACKET) {
    if (absl::Status status = check_packet_network(experiment, *graph, *routing->algorithm); !status.ok())
      return status;
  }
  if (experiment.router.model == v1::EXANET) {
    if (absl::Status status = add_route_table(experiment, *routing->algorithm, *graph); !status.ok()) return status;
  }
  return graph;
}

}  // namespace fabrictwin::network
