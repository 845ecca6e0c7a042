// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/proof/escape_check.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "models/routing/proof/dependency_graph.h"

namespace fabrictwin::routing::proof {
namespace {

/// One proof. Not all dependencies are collected: ranks are computed from the known ones, every state is compared with
/// them, and contradicting dependencies are added, until there are none or the known ones have a cycle.
class EscapeProof {
 public:
  EscapeProof(const RouterGraph& routers, RouteStates& states, int32_t vcs, const DeadlockLimits& limits)
      : routers_(routers), states_(states), limits_(limits), graph_(routers, vcs) {
    escapes_.resize(static_cast<size_t>(graph_.buffers()));
  }

  absl::StatusOr<std::optional<DeadlockProof>> prove() {
    if (states_.has_detours()) {
      return DeadlockProof{DeadlockProofKind::kNone,
                           "not proved free of deadlock: escapes together with detours are more than the check knows"};
    }
    if (absl::Status status = find_escapes(); !status.ok()) return status;
    while (graph_.rank(ranks_)) {
      if (states_.work() > limits_.work) return std::nullopt;
      bool changed = false;
      for (int32_t host = 0; host < routers_.hosts(); ++host) {
        if (absl::Status status = states_.explore(host); !status.ok()) return status;
        if (compare()) changed = true;
      }
      if (changed) continue;
      return DeadlockProof{
          DeadlockProofKind::kEscape,
          fmt::format(
              "free of deadlock by Duato's condition: every packet has an escape in all of {} states, and among "
              "the {} escape buffers there is no cycle of dependencies (all {} pairs of routers)",
              seen_, std::ranges::count(escapes_, true), int64_t{routers_.routers()} * routers_.routers())};
    }
    return absl::InvalidArgumentError(fmt::format("packets on their escapes can wait for each other in a circle: {}",
                                                  graph_.cycle_text(graph_.find_cycle())));
  }

 private:
  /// Finds the buffers that are ever an escape.
  absl::Status find_escapes() {
    for (int32_t host = 0; host < routers_.hosts(); ++host) {
      if (absl::Status status = states_.explore(host); !status.ok()) return status;
      seen_ += static_cast<int64_t>(states_.states().size());
      for (const RouteStates::Step& step : states_.steps()) {
        if (step.escape) escapes_[states_.states()[step.state].buffer] = true;
      }
    }
    for (int32_t host = 0; host < routers_.hosts(); ++host) {
      if (absl::Status status = states_.explore(host); !status.ok()) return status;
      for (const RouteStates::State& state : states_.states()) {
        if (absl::Status status = check_state(state, host); !status.ok()) return status;
      }
    }
    return absl::OkStatus();
  }

  /// A packet that has not arrived has an escape, and one that came on an escape goes on to another: so escapes alone
  /// lead to the host, as a route without cycles must end.
  absl::Status check_state(const RouteStates::State& state, int32_t host) {
    if (state.arrived) return absl::OkStatus();
    bool escape = false;
    for (int32_t i = 0; i < state.step_count; ++i) {
      const int32_t to = states_.states()[states_.steps()[state.first_step + i].state].buffer;
      if (!escapes_[to]) continue;
      escape = escape || states_.steps()[state.first_step + i].escape;
      if (state.buffer >= 0 && escapes_[state.buffer]) graph_.add(state.buffer, to);
    }
    if (escape) return absl::OkStatus();
    return absl::InvalidArgumentError(
        fmt::format("a packet for {} {} has no escape", routers_.host_name(host),
                    state.buffer < 0 ? "in its source" : "that came over " + graph_.buffer_name(state.buffer)));
  }

  /// Adds the dependencies for one destination that contradict the ranks. Returns whether there were any.
  bool compare() {
    const auto& states = states_.states();
    // By state: the escape buffer of least rank that a packet in it may request before any other escape buffer.
    least_.assign(states.size(), kNothing);
    bool again = true;
    while (again) {
      again = false;
      // Later states of a route were mostly found later.
      for (size_t i = states.size(); i-- > 0;) {
        for (int32_t s = 0; s < states[i].step_count; ++s) {
          const int32_t next = states_.steps()[states[i].first_step + s].state;
          const int32_t buffer = states[next].buffer;
          const int32_t wanted = escapes_[buffer] ? buffer : least_[next];
          if (wanted == kNothing || (least_[i] != kNothing && ranks_[least_[i]] <= ranks_[wanted])) continue;
          least_[i] = wanted;
          again = true;
        }
      }
    }
    bool contradicted = false;
    for (size_t i = 0; i < states.size(); ++i) {
      const int32_t held = states[i].buffer;
      if (held < 0 || !escapes_[held] || least_[i] == kNothing || ranks_[held] < ranks_[least_[i]]) continue;
      graph_.add(held, least_[i]);
      contradicted = true;
    }
    return contradicted;
  }

  static constexpr int32_t kNothing = -1;

  const RouterGraph& routers_;
  RouteStates& states_;
  DeadlockLimits limits_;
  DependencyGraph graph_;
  std::vector<bool> escapes_;  ///< By buffer.
  std::vector<int32_t> ranks_;
  std::vector<int32_t> least_;
  int64_t seen_ = 0;
};

}  // namespace

absl::StatusOr<std::optional<DeadlockProof>> check_escapes(const RouterGraph& routers, RouteStates& states, int32_t vcs,
                                                           const DeadlockLimits& limits) {
  return EscapeProof(routers, states, vcs, limits).prove();
}

}  // namespace fabrictwin::routing::proof
