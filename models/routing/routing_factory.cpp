// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/routing_factory.h"

#include <string>
#include <string_view>
#include <utility>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "models/routing/dimension_order.h"
#include "models/routing/lattice.h"

namespace fabrictwin {
namespace {

using Made = absl::StatusOr<std::shared_ptr<const RoutingAlgorithm>>;

bool is_lattice(const SystemGraph& graph) {
  return graph.kind == TopologyKind::kTorus || graph.kind == TopologyKind::kTofu ||
         graph.kind == TopologyKind::kBlueGeneQ;
}

/// Makes the algorithm of one experiment.
class Factory {
 public:
  Factory(const Experiment& experiment, const SystemGraph& graph, int32_t vcs)
      : experiment_(experiment), graph_(graph), vcs_(vcs), kind_(routing_kind(experiment, graph)) {}

  Made make() const {
    switch (kind_) {
      case v1::DIMENSION_ORDER:
        return on_lattice<DimensionOrder>();
      default:
        return unsuitable("");
    }
  }

 private:
  static absl::Status refuse(const SourcePlace& place, std::string_view message) {
    return absl::InvalidArgumentError(format_diagnostic(place, message));
  }
  absl::Status unsuitable(std::string_view reason) const {
    return refuse(experiment_.routing_place,
                  fmt::format("routing {} does not suit {}{}; write algorithm: DEFAULT, or see `fabrictwin describe "
                              "--list routing`",
                              v1::RoutingKind_Name(kind_), graph_.topology, reason));
  }
  /// OK if there are VCs enough.
  absl::Status check_vcs(int32_t classes) const {
    if (vcs_ >= classes) return absl::OkStatus();
    return refuse(experiment_.vcs_place,
                  fmt::format("vcs {}: routing {} on {} tells {} classes of VCs apart; write router {{ vcs: {} }} or "
                              "more, or another routing",
                              vcs_, v1::RoutingKind_Name(kind_), graph_.topology, classes, classes));
  }

  template <typename Algorithm>
  Made on_lattice() const {
    if (!is_lattice(graph_)) return unsuitable(", which is no lattice");
    absl::StatusOr<Lattice> lattice = Lattice::create(graph_, experiment_.routing.order);
    if (!lattice.ok()) {
      const bool order = !experiment_.routing.order.empty();
      return refuse(order ? experiment_.order_place : experiment_.routing_place, message_of(lattice.status()));
    }
    if (absl::Status status = check_vcs(Algorithm::classes(*lattice)); !status.ok()) return status;
    return std::make_shared<Algorithm>(*std::move(lattice), vcs_);
  }

  const Experiment& experiment_;
  const SystemGraph& graph_;
  const int32_t vcs_;
  const v1::RoutingKind kind_;
};

}  // namespace

v1::RoutingKind routing_kind(const Experiment& experiment, const SystemGraph& graph) {
  if (experiment.routing.algorithm != v1::DEFAULT) return experiment.routing.algorithm;
  if (is_lattice(graph)) return v1::DIMENSION_ORDER;
  return graph.kind == TopologyKind::kDragonfly ? v1::MINIMAL : v1::UP_DOWN;
}

absl::StatusOr<std::shared_ptr<const RoutingAlgorithm>> make_routing_algorithm(const Experiment& experiment,
                                                                               const SystemGraph& graph, int32_t vcs) {
  return Factory(experiment, graph, vcs).make();
}

}  // namespace fabrictwin
