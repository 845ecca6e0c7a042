// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/system_builder.h"

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "models/routing/routing_plan.h"
#include "models/topology/topology.h"

namespace fabrictwin {

absl::StatusOr<SystemGraph> build_system(const Experiment& experiment) {
  absl::StatusOr<SystemGraph> graph = build_topology(experiment);
  if (!graph.ok()) return graph;
  if (absl::Status status = check_ports(experiment, *graph); !status.ok()) return status;
  if (routed_by_coordinates(experiment)) return graph;
  const absl::StatusOr<RoutingPlan> routing = plan_routing(experiment, *graph);
  if (!routing.ok()) return routing.status();
  graph->routing = fmt::format("{}, {} of {} VCs needed; {}", to_lower(v1::RoutingKind_Name(routing->kind)),
                               routing->classes, routing->vcs, routing->proof.text);
  graph->routing_proved = routing->proof.proved();
  if (experiment.router.model == v1::EXANET) {
    if (absl::Status status = add_route_table(experiment, *routing->algorithm, *graph); !status.ok()) return status;
  }
  return graph;
}

}  // namespace fabrictwin
