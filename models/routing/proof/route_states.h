// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// All states that packets for one target can be in.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "models/routing/router_graph.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::routing::proof {

/// Follows packets for one target (a host or an intermediate router) through every router that they can be in, visiting
/// each state once, for any load. Not thread-safe.
class RouteStates {
 public:
  /// A packet in a buffer: a VC of a channel (DependencyGraph), or -1 for its source.
  struct State {
    int32_t buffer = -1;
    PacketRoute route;
    int32_t first_step = 0;  ///< Index into steps().
    int32_t step_count = 0;
    bool arrived = false;  ///< Its host is one of its next hops.
  };
  struct Step {
    int32_t state = 0;
    bool escape = false;
  };

  RouteStates(const RouterGraph& routers, const RoutingAlgorithm& routing, int32_t vcs);

  /// Explores packets for `destination` from any router with hosts, and those that reach it on a detour found by
  /// explore_detour(). InternalError, naming the position, if one has no route or reaches another host.
  absl::Status explore(int32_t destination);
  /// Explores packets for `intermediate`. Call it for all intermediate routers before explore().
  absl::Status explore_detour(int32_t intermediate);
  bool has_detours() const { return has_detours_; }

  const std::vector<State>& states() const { return states_; }
  const std::vector<Step>& steps() const { return steps_; }
  /// Calls of options() so far: the measure of work.
  int64_t work() const { return work_; }
  /// Whether any option was an escape.
  bool saw_escape() const { return saw_escape_; }

 private:
  struct Variant {
    int32_t buffer;
    uint32_t random;
    uint16_t state;
    bool operator==(const Variant&) const = default;
    template <typename H>
    friend H AbslHashValue(H hash, const Variant& v) {  // NOLINT(readability-identifier-naming): Abseil looks for it.
      return H::combine(std::move(hash), v.buffer, v.random, v.state);
    }
  };
  /// The first state of a buffer for this target; others are in variants_.
  struct First {
    int32_t target = -1;
    int32_t state = 0;
  };
  struct Beginning {
    int32_t router;
    uint32_t random;
    uint16_t state;
  };
  struct Arrival {
    int32_t buffer;
    uint16_t state;
    bool operator==(const Arrival&) const = default;
  };

  void find_detours();
  void restart();
  int32_t state_of(int32_t buffer, const PacketRoute& route);
  absl::Status expand(int32_t state, int32_t router, int32_t in_port, int32_t in_vc, PacketRoute route);
  absl::Status expand_all(int32_t first);
  void add_arrival(int32_t intermediate, const State& state);

  const RouterGraph& routers_;
  const RoutingAlgorithm& routing_;
  int32_t vcs_;
  bool has_detours_ = false;
  bool saw_escape_ = false;
  int64_t work_ = 0;
  int32_t target_ = 0;  ///< Number of the current exploration.
  std::vector<First> first_;
  absl::flat_hash_map<Variant, int32_t> variants_;
  std::vector<State> states_;
  std::vector<Step> steps_;
  std::vector<std::vector<Beginning>> detours_;  ///< By intermediate router.
  std::vector<std::vector<Arrival>> arrivals_;   ///< By intermediate router.
};

}  // namespace fabrictwin::routing::proof
