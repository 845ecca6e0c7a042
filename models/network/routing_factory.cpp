// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/network/routing_factory.h"

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "models/routing/dragonfly/routing.h"
#include "models/routing/graph/adaptive.h"
#include "models/routing/graph/shortest.h"
#include "models/routing/graph/up_down.h"
#include "models/routing/lattice/adaptive.h"
#include "models/routing/lattice/dimension_order.h"
#include "models/routing/lattice/lattice.h"
#include "models/routing/lattice/valiant.h"
#include "models/routing/router_graph.h"
#include "models/routing/table/file_table.h"
#include "models/routing/tree/routing.h"

namespace fabrictwin::network {
namespace {

using Made = absl::StatusOr<std::shared_ptr<const routing::RoutingAlgorithm>>;

bool is_lattice(const system::SystemGraph& graph) {
  return graph.kind == system::TopologyKind::kTorus || graph.kind == system::TopologyKind::kTofu ||
         graph.kind == system::TopologyKind::kBlueGeneQ;
}

bool is_tree(const system::SystemGraph& graph) {
  return graph.kind == system::TopologyKind::kFatTree || graph.kind == system::TopologyKind::kSpineLeaf;
}

/// Makes the algorithm of one experiment.
class Factory {
 public:
  Factory(const experiment::Experiment& experiment, const system::SystemGraph& graph, int32_t vcs)
      : experiment_(experiment),
        spec_(experiment.routing),
        graph_(graph),
        vcs_(vcs),
        kind_(routing_kind(experiment, graph)) {}

  Made make() const {
    switch (kind_) {
      case v1::DIMENSION_ORDER:
        return on_lattice<routing::lattice::DimensionOrder>();
      case v1::MINIMAL_ADAPTIVE:
        return is_lattice(graph_) ? on_lattice<routing::lattice::Adaptive>() : adaptive_on_graph();
      case v1::VALIANT:
        return with_detours(routing::DetourMode::kAlways);
      case v1::UGAL_L:
        return with_detours(routing::DetourMode::kLocal);
      case v1::UGAL_G:
        return with_detours(routing::DetourMode::kGlobal);
      case v1::UP_DOWN:
        return is_tree(graph_) && spec_.root.empty() ? on_tree(routing::tree::TreeRouting::Up::kAny)
                                                     : up_down_on_graph();
      case v1::D_MOD_K:
        return on_tree(routing::tree::TreeRouting::Up::kDModK);
      case v1::TABLE:
        return from_file();
      case v1::SHORTEST:
        return shortest();
      case v1::MINIMAL:
        // The tables of ExaNet routers cannot choose among equal links.
        return on_dragonfly({.by_destination = experiment_.router.model == v1::EXANET});
      default:
        return unsuitable("");
    }
  }

 private:
  static absl::Status refuse(const experiment::SourcePlace& place, std::string_view message) {
    return absl::InvalidArgumentError(experiment::format_diagnostic(place, message));
  }
  absl::Status unsuitable(std::string_view reason) const {
    return refuse(experiment_.routing_place,
                  fmt::format("routing {} does not suit {}{}; write algorithm: DEFAULT, or see `fabrictwin describe "
                              "--list routing`",
                              v1::RoutingKind_Name(kind_), graph_.topology, reason));
  }
  /// OK if there are enough VCs.
  absl::Status check_vcs(int32_t classes) const {
    if (vcs_ >= classes) return absl::OkStatus();
    if (experiment_.router.model == v1::EXANET) {
      const bool traffic = std::holds_alternative<experiment::TrafficSpec>(experiment_.workload);
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
  /// OK if a table of all pairs of routers is not too large, and its entries can number the ports.
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
    absl::StatusOr<routing::lattice::Lattice> lattice = routing::lattice::Lattice::create(graph_, spec_.order);
    if (!lattice.ok()) {
      return refuse(spec_.order.empty() ? experiment_.routing_place : experiment_.order_place,
                    message_of(lattice.status()));
    }
    if (absl::Status status = check_vcs(Algorithm::classes(*lattice)); !status.ok()) return status;
    return std::make_shared<Algorithm>(*std::move(lattice), vcs_, arguments...);
  }

  Made with_detours(routing::DetourMode mode) const {
    if (graph_.kind != system::TopologyKind::kDragonfly) return on_lattice<routing::lattice::Valiant>(mode, spec_.bias);
    if (absl::Status status = refuse_order(); !status.ok()) return status;
    return on_dragonfly({true, mode, spec_.bias});
  }

  Made on_dragonfly(const routing::dragonfly::DragonflyRouting::Options& options) const {
    if (graph_.kind != system::TopologyKind::kDragonfly) return unsuitable(", which is no dragonfly");
    if (absl::Status status = check_vcs(routing::dragonfly::DragonflyRouting::classes_of(options)); !status.ok())
      return status;
    absl::StatusOr<routing::dragonfly::DragonflyRouting> made =
        routing::dragonfly::DragonflyRouting::create(routing::RouterGraph(graph_), vcs_, options);
    if (!made.ok()) return unsuitable(message_of(made.status()));
    return share(*std::move(made));
  }

  Made on_tree(routing::tree::TreeRouting::Up up) const {
    absl::StatusOr<routing::tree::TreeRouting> made =
        routing::tree::TreeRouting::create(routing::RouterGraph(graph_), vcs_, up);
    if (!made.ok()) return unsuitable(message_of(made.status()));
    return share(*std::move(made));
  }

  Made up_down_on_graph() const {
    if (absl::Status status = check_size(routing::table::RouterTable<uint8_t>::kMaxRouters); !status.ok())
      return status;
    absl::StatusOr<routing::graph::UpDown> made =
        routing::graph::UpDown::create(routing::RouterGraph(graph_), vcs_, spec_.root);
    if (!made.ok()) return refuse_root(made.status());
    return share(*std::move(made));
  }

  Made adaptive_on_graph() const {
    if (absl::Status status = refuse_order(); !status.ok()) return status;
    if (absl::Status status = check_size(routing::graph::Adaptive::kMaxRouters); !status.ok()) return status;
    if (absl::Status status = check_vcs(routing::graph::Adaptive::kClasses); !status.ok()) return status;
    const routing::RouterGraph routers(graph_);
    if (routers.most_ports() > routing::graph::Adaptive::kMaxPorts)
      return unsuitable(fmt::format(", whose routers have more than {} ports", routing::graph::Adaptive::kMaxPorts));
    absl::StatusOr<routing::graph::Adaptive> made = routing::graph::Adaptive::create(routers, vcs_, spec_.root);
    if (!made.ok()) return refuse_root(made.status());
    return share(*std::move(made));
  }

  Made shortest() const {
    if (absl::Status status = check_size(routing::table::RouterTable<uint8_t>::kMaxRouters); !status.ok())
      return status;
    absl::StatusOr<routing::graph::Shortest> made =
        routing::graph::Shortest::create(routing::RouterGraph(graph_), vcs_);
    if (!made.ok()) return refuse(experiment_.topology_place, message_of(made.status()));
    return share(*std::move(made));
  }

  Made from_file() const {
    absl::StatusOr<routing::table::FileTable> made =
        routing::table::FileTable::load(routing::RouterGraph(graph_), spec_.table, vcs_);
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

  const experiment::Experiment& experiment_;
  const experiment::RoutingSpec& spec_;
  const system::SystemGraph& graph_;
  const int32_t vcs_;
  const v1::RoutingKind kind_;
};

}  // namespace

v1::RoutingKind routing_kind(const experiment::Experiment& experiment, const system::SystemGraph& graph) {
  if (experiment.routing.algorithm != v1::DEFAULT) return experiment.routing.algorithm;
  if (is_lattice(graph)) return v1::DIMENSION_ORDER;
  if (graph.kind == system::TopologyKind::kDragonfly) return v1::MINIMAL;
  // The tables of ExaNet routers cannot choose on the way up.
  return is_tree(graph) && experiment.router.model == v1::EXANET ? v1::D_MOD_K : v1::UP_DOWN;
}

absl::StatusOr<std::shared_ptr<const routing::RoutingAlgorithm>> make_routing_algorithm(
    const experiment::Experiment& experiment, const system::SystemGraph& graph, int32_t vcs) {
  return Factory(experiment, graph, vcs).make();
}

}  // namespace fabrictwin::network
