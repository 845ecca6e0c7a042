// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/network/builder.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/link/record.h"
#include "fmt/format.h"
#include "models/network/faults.h"
#include "models/network/input_queued_config.h"
#include "models/network/packet_network.h"
#include "models/network/routing_plan.h"
#include "models/network/topology.h"
#include "models/routing/lattice/header_routing.h"
#include "models/routing/lattice/lattice.h"
#include "models/routing/proof/deadlock_check.h"

namespace fabrictwin::network {
namespace {

/// The proof for a torus or exanest whose routers use the coordinates in headers.
absl::StatusOr<routing::proof::DeadlockProof> check_coordinates(const system::SystemGraph& graph) {
  std::vector<std::shared_ptr<const routing::Routing>> routers;
  for (size_t i = static_cast<size_t>(graph.host_count()); i < graph.elements.size(); ++i)
    routers.push_back(make_routing(graph, graph.elements[i]));
  std::optional<routing::lattice::Lattice> lattice;
  if (graph.family == system::TopologyFamily::kLattice) {
    absl::StatusOr<routing::lattice::Lattice> made = routing::lattice::Lattice::create(graph, "");
    if (!made.ok()) return made.status();
    made = routing::lattice::Lattice::create(graph, made->reversed_order());
    if (!made.ok()) return made.status();
    lattice = *std::move(made);
  }
  return routing::proof::check_deadlock(
      graph, routing::lattice::HeaderRouting(graph, std::move(routers), std::move(lattice)), link::kVcs, true);
}

}  // namespace

absl::StatusOr<system::SystemGraph> build_system(const experiment::Experiment& experiment) {
  absl::StatusOr<system::SystemGraph> graph = build_topology(experiment);
  if (!graph.ok()) return graph;
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
