// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/network/routing_plan.h"

#include <memory>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "models/network/routing_factory.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::network {

absl::StatusOr<RoutingPlan> plan_routing(const experiment::Experiment& experiment, const system::SystemGraph& graph) {
  RoutingPlan plan;
  plan.kind = routing_kind(experiment, graph);
  plan.vcs = experiment.router.vcs;
  absl::StatusOr<std::shared_ptr<const routing::RoutingAlgorithm>> routing =
      make_routing_algorithm(experiment, graph, plan.vcs);
  if (!routing.ok()) return routing.status();
  plan.classes = (*routing)->classes();
  absl::StatusOr<routing::proof::DeadlockProof> proof =
      routing::proof::check_deadlock(graph, **routing, plan.vcs, experiment.router.whole_packets);
  if (!proof.ok()) {
    return absl::InvalidArgumentError(experiment::format_diagnostic(
        plan.kind == v1::TABLE ? experiment.table_location : experiment.routing_location,
        fmt::format("routing {} on {} is not free of deadlock: {}; write algorithm: DEFAULT, or another that {} suits "
                    "with the VCs it needs",
                    v1::RoutingKind_Name(plan.kind), graph.topology, message_of(proof.status()), graph.topology)));
  }
  plan.proof = *std::move(proof);
  plan.algorithm = *std::move(routing);
  return plan;
}

}  // namespace fabrictwin::network
