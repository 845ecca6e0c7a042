// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/proof/deadlock_check.h"

#include <optional>
#include <utility>
#include <vector>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "models/routing/proof/dependency_graph.h"
#include "models/routing/proof/escape_check.h"
#include "models/routing/proof/route_states.h"
#include "models/routing/proof/structure_check.h"
#include "models/routing/router_graph.h"

namespace fabrictwin::routing::proof {
namespace {

/// The proof that visits every state, or nothing if that is too much work.
absl::StatusOr<std::optional<DeadlockProof>> check_all(const RouterGraph& routers, const RoutingAlgorithm& routing,
                                                       int32_t vcs, bool whole_packets, const DeadlockLimits& limits) {
  const int64_t pairs = int64_t{routers.routers()} * routers.routers();
  if (pairs > limits.pairs) return std::nullopt;
  RouteStates states(routers, routing, vcs);
  DependencyGraph graph(routers, vcs);
  int64_t seen = 0;
  const auto add_all = [&] {
    seen += static_cast<int64_t>(states.states().size());
    for (const RouteStates::State& state : states.states()) {
      for (int32_t i = 0; state.buffer >= 0 && i < state.step_count; ++i)
        graph.add(state.buffer, states.states()[states.steps()[state.first_step + i].state].buffer);
    }
    return states.work() <= limits.work;
  };
  for (int32_t router = 0; states.has_detours() && router < routers.routers(); ++router) {
    if (absl::Status status = states.explore_detour(router); !status.ok()) return status;
    if (!add_all()) return std::nullopt;
  }
  for (int32_t host = 0; host < routers.hosts(); ++host) {
    if (absl::Status status = states.explore(host); !status.ok()) return status;
    if (!add_all()) return std::nullopt;
  }
  std::vector<int32_t> ranks;
  if (graph.rank(ranks)) {
    return DeadlockProof{
        DeadlockProofKind::kAcyclic,
        fmt::format("free of deadlock: no cycle among the {} dependencies of {} buffers (all {} pairs of routers, {} "
                    "states of packets)",
                    graph.edges(), graph.buffers(), pairs, seen)};
  }
  if (states.saw_escape() && whole_packets) return check_escapes(routers, states, vcs, limits);
  return absl::InvalidArgumentError(fmt::format(
      "packets can wait for each other in a circle: {}{}", graph.cycle_text(graph.find_cycle()),
      states.saw_escape() ? "; escapes do not help where a packet can stand behind another in a VC and still hold its "
                            "last one, so write router { switching: VIRTUAL_CUT_THROUGH }"
                          : ""));
}

}  // namespace

absl::StatusOr<DeadlockProof> check_deadlock(const system::SystemGraph& graph, const RoutingAlgorithm& routing,
                                             int32_t vcs, bool whole_packets, const DeadlockLimits& limits) {
  const RouterGraph routers(graph);
  absl::StatusOr<std::optional<DeadlockProof>> all = check_all(routers, routing, vcs, whole_packets, limits);
  if (!all.ok()) return absl::InvalidArgumentError(std::string(message_of(all.status())));
  if (all->has_value()) return **std::move(all);
  return check_structure(routers, routing, vcs);
}

}  // namespace fabrictwin::routing::proof
