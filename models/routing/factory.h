// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What makes the routing algorithm of an experiment, and what it needs for that.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"
#include "models/routing/detour_choice.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::routing {

/// The network for which an algorithm is made. Keeps references to its arguments. Refusals are InvalidArgument, as
/// diagnostics with their location.
class Request {
 public:
  /// `graph` has an index, and its routers have `vcs` VCs on each port. `kind` is not DEFAULT.
  Request(const experiment::Experiment& experiment, const system::SystemGraph& graph, int32_t vcs, v1::RoutingKind kind)
      : experiment_(experiment), graph_(graph), vcs_(vcs), kind_(kind) {}

  const experiment::Experiment& experiment() const { return experiment_; }
  const experiment::RoutingSpec& spec() const { return experiment_.routing; }
  const system::SystemGraph& graph() const { return graph_; }
  int32_t vcs() const { return vcs_; }
  v1::RoutingKind kind() const { return kind_; }

  static absl::Status refuse(const experiment::SourceLocation& location, std::string_view message);
  /// The algorithm does not suit the topology. `reason` continues the sentence: ", which is no lattice".
  absl::Status unsuitable(std::string_view reason) const;
  /// Refuses the root of a spanning tree, or the topology if none is written.
  absl::Status refuse_root(const absl::Status& reason) const;
  /// When UGAL, or VALIANT, takes detours.
  DetourRule detours(DetourMode mode) const {
    return {mode, spec().bias, spec().threshold, spec().queue_measure == v1::Routing::WAITING,
            spec().notification.has_value()};
  }
  /// OK if there are enough VCs for so many classes.
  absl::Status check_vcs(int32_t classes) const;
  /// OK if there are at most so many routers.
  absl::Status check_size(int32_t most_routers) const;

 private:
  const experiment::Experiment& experiment_;
  const system::SystemGraph& graph_;
  int32_t vcs_;
  v1::RoutingKind kind_;
};

/// An algorithm that was made, or why it was not.
using Made = absl::StatusOr<std::shared_ptr<const RoutingAlgorithm>>;

/// Makes the algorithm of one value of RoutingKind, on some or all topologies. Immutable; thread-safe.
struct Factory {
  v1::RoutingKind kind = v1::DEFAULT;
  /// The fields of v1::Routing besides `algorithm` that it reads.
  std::vector<std::string_view> parameters;
  /// Whether it is for this network. If several of its kind are, the first in the list is taken.
  bool (*suits)(const Request&) = [](const Request&) { return true; };
  /// Why it is not, for Request::unsuitable().
  std::string_view unless;
  Made (*make)(const Request&) = nullptr;
};

inline bool is_lattice(const Request& request) { return request.graph().family == system::TopologyFamily::kLattice; }
inline bool is_tree(const Request& request) { return request.graph().family == system::TopologyFamily::kTree; }
inline bool is_dragonfly(const Request& request) {
  return request.graph().family == system::TopologyFamily::kDragonfly;
}

/// An algorithm that Algorithm::create() has made, as what factories return.
template <typename Algorithm>
Made share(Algorithm made) {
  return std::make_shared<Algorithm>(std::move(made));
}

}  // namespace fabrictwin::routing
