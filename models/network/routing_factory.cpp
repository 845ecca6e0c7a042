// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/routing_factory.h"

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "models/routing/dimension_order.h"
#include "models/routing/dragonfly_routing.h"
#include "models/routing/file_table.h"
#include "models/routing/graph_adaptive.h"
#include "models/routing/lattice.h"
#include "models/routing/lattice_adaptive.h"
#include "models/routing/lattice_valiant.h"
#include "models/routing/router_graph.h"
#include "models/routing/shortest.h"
#include "models/routing/tree_routing.h"
#include "models/routing/up_down.h"

namespace fabrictwin {
namespace {

using Made = absl::StatusOr<std::shared_ptr<const RoutingAlgorithm>>;

bool is_lattice(const SystemGraph& graph) {
  return graph.kind == TopologyKind::kTorus || graph.kind == TopologyKind::kTofu ||
         graph.kind == TopologyKind::kBlueGeneQ;
}

bool is_tree(const SystemGraph& graph) {
  return graph.kind == TopologyKind::kFatTree || graph.kind == TopologyKind::kSpineLeaf;
}

/// Makes the algorithm of one experiment.
class Factory {
 public:
  Factory(const Experiment& experiment, const SystemGraph& graph, int32_t vcs)
      : experiment_(experiment),
        spec_(experiment.routing),
        graph_(graph),
        vcs_(vcs),
        kind_(routing_kind(experiment, graph)) {}

  Made make() const {
    switch (kind_) {
      case v1::DIMENSION_ORDER:
        return on_lattice<DimensionOrder>();
      case v1::MINIMAL_ADAPTIVE:
        return is_lattice(graph_) ? on_lattice<LatticeAdaptive>() : adaptive_on_graph();
      case v1::VALIANT:
        return with_detours(DetourMode::kAlways);
      case v1::UGAL_L:
        return with_detours(DetourMode::kLocal);
      case v1::UGAL_G:
        return with_detours(DetourMode::kGlobal);
      case v1::UP_DOWN:
        return is_tree(graph_) && spec_.root.empty() ? on_tree(TreeRouting::Up::kAny) : up_down_on_graph();
      case v1::D_MOD_K:
        return on_tree(TreeRouting::Up::kDModK);
      case v1::TABLE:
        return from_file();
      case v1::SHORTEST:
        return shortest();
      case v1::MINIMAL:
        // The tables of ExaNet routers have no choice among equal links.
        return on_dragonfly({.by_destination = experiment_.router.model == v1::EXANET});
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
    if (experiment_.router.model == v1::EXANET) {
      const bool traffic = std::holds_alternative<TrafficSpec>(experiment_.workload);
      return refuse(experiment_.routing_place,
                    fmt::format("routing {} on {} needs {} classes of VCs, and routers of the model EXANET have {}; "
                                "write router {{ model: {} vcs: {} }}, or another routing",
                                v1::RoutingKind_Name(kind_), graph_.topology, classes, vcs_,
                                traffic ? "INPUT_QUEUED" : "PACKET", classes));
    }
    return refuse(experiment_.vcs_place,
                  fmt::format("vcs {}: routing {} on {} tells {} classes of VCs apart; write router {{ vcs: {} }} or "
                              "more, or another routing",
                              vcs_, v1::RoutingKind_Name(kind_), graph_.topology, classes, classes));
  }
  /// OK if a table of all pairs of routers is not too large, and ports can be numbered in it.
  absl::Status check_size(int32_t most_routers) const {
    if (graph_.router_count() > most_routers) {
      return unsuitable(
          fmt::format(": it has {} routers, and tables are made for {} at most", graph_.router_count(), most_routers));
    }
    return absl::OkStatus();
  }
  template <typename Algorithm>
  static Made share(Algorithm made) {
    return std::make_shared<Algorithm>(std::move(made));
  }

  template <typename Algorithm, typename... Arguments>
  Made on_lattice(Arguments... arguments) const {
    if (!is_lattice(graph_)) return unsuitable(", which is no lattice");
    absl::StatusOr<Lattice> lattice = Lattice::create(graph_, spec_.order);
    if (!lattice.ok()) {
      return refuse(spec_.order.empty() ? experiment_.routing_place : experiment_.order_place,
                    message_of(lattice.status()));
    }
    if (absl::Status status = check_vcs(Algorithm::classes(*lattice)); !status.ok()) return status;
    return std::make_shared<Algorithm>(*std::move(lattice), vcs_, arguments...);
  }

  Made with_detours(DetourMode mode) const {
    if (graph_.kind != TopologyKind::kDragonfly) return on_lattice<LatticeValiant>(mode, spec_.bias);
    if (absl::Status status = refuse_order(); !status.ok()) return status;
    return on_dragonfly({true, mode, spec_.bias});
  }

  Made on_dragonfly(const DragonflyRouting::Options& options) const {
    if (graph_.kind != TopologyKind::kDragonfly) return unsuitable(", which is no dragonfly");
    if (absl::Status status = check_vcs(DragonflyRouting::classes_of(options)); !status.ok()) return status;
    absl::StatusOr<DragonflyRouting> made = DragonflyRouting::create(RouterGraph(graph_), vcs_, options);
    if (!made.ok()) return unsuitable(message_of(made.status()));
    return share(*std::move(made));
  }

  Made on_tree(TreeRouting::Up up) const {
    absl::StatusOr<TreeRouting> made = TreeRouting::create(RouterGraph(graph_), vcs_, up);
    if (!made.ok()) return unsuitable(message_of(made.status()));
    return share(*std::move(made));
  }

  Made up_down_on_graph() const {
    if (absl::Status status = check_size(RouterTable<uint8_t>::kMaxRouters); !status.ok()) return status;
    absl::StatusOr<UpDown> made = UpDown::create(RouterGraph(graph_), vcs_, spec_.root);
    if (!made.ok()) return refuse_root(made.status());
    return share(*std::move(made));
  }

  Made adaptive_on_graph() const {
    if (absl::Status status = refuse_order(); !status.ok()) return status;
    if (absl::Status status = check_size(GraphAdaptive::kMaxRouters); !status.ok()) return status;
    if (absl::Status status = check_vcs(GraphAdaptive::kClasses); !status.ok()) return status;
    const RouterGraph routers(graph_);
    if (routers.most_ports() > GraphAdaptive::kMaxPorts)
      return unsuitable(fmt::format(", whose routers have more than {} ports", GraphAdaptive::kMaxPorts));
    absl::StatusOr<GraphAdaptive> made = GraphAdaptive::create(routers, vcs_, spec_.root);
    if (!made.ok()) return refuse_root(made.status());
    return share(*std::move(made));
  }

  Made shortest() const {
    if (absl::Status status = check_size(RouterTable<uint8_t>::kMaxRouters); !status.ok()) return status;
    absl::StatusOr<Shortest> made = Shortest::create(RouterGraph(graph_), vcs_);
    if (!made.ok()) return refuse(experiment_.topology_place, message_of(made.status()));
    return share(*std::move(made));
  }

  Made from_file() const {
    absl::StatusOr<FileTable> made = FileTable::load(RouterGraph(graph_), spec_.table, vcs_);
    if (!made.ok()) return made.status();
    return share(*std::move(made));
  }

  absl::Status refuse_root(const absl::Status& reason) const {
    return refuse(spec_.root.empty() ? experiment_.topology_place : experiment_.root_place, message_of(reason));
  }
  absl::Status refuse_order() const {
    if (spec_.order.empty()) return absl::OkStatus();
    return refuse(experiment_.order_place,
                  fmt::format("order is for lattices, and this is {}; leave it out", graph_.topology));
  }

  const Experiment& experiment_;
  const RoutingSpec& spec_;
  const SystemGraph& graph_;
  const int32_t vcs_;
  const v1::RoutingKind kind_;
};

}  // namespace

v1::RoutingKind routing_kind(const Experiment& experiment, const SystemGraph& graph) {
  if (experiment.routing.algorithm != v1::DEFAULT) return experiment.routing.algorithm;
  if (is_lattice(graph)) return v1::DIMENSION_ORDER;
  if (graph.kind == TopologyKind::kDragonfly) return v1::MINIMAL;
  // The tables of ExaNet routers have no choice on the way up.
  return is_tree(graph) && experiment.router.model == v1::EXANET ? v1::D_MOD_K : v1::UP_DOWN;
}

absl::StatusOr<std::shared_ptr<const RoutingAlgorithm>> make_routing_algorithm(const Experiment& experiment,
                                                                               const SystemGraph& graph, int32_t vcs) {
  return Factory(experiment, graph, vcs).make();
}

}  // namespace fabrictwin
