// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/factory.h"

#include <string>
#include <variant>

#include "cosim/base/text.h"
#include "fmt/format.h"

namespace fabrictwin::routing {

absl::Status Request::refuse(const experiment::SourceLocation& location, std::string_view message) {
  return absl::InvalidArgumentError(experiment::format_diagnostic(location, message));
}

absl::Status Request::unsuitable(std::string_view reason) const {
  return refuse(experiment_.routing_location,
                fmt::format("routing {} does not suit {}{}; write algorithm: DEFAULT, or see `fabrictwin describe "
                            "--list routing`",
                            v1::RoutingKind_Name(kind_), graph_.topology, reason));
}

absl::Status Request::refuse_root(const absl::Status& reason) const {
  return refuse(spec().root.empty() ? experiment_.topology_location : experiment_.root_location, message_of(reason));
}

absl::Status Request::check_vcs(int32_t classes) const {
  if (vcs_ >= classes) return absl::OkStatus();
  if (experiment_.router.model == v1::EXANET) {
    const bool traffic = experiment_.workload_traits.bare_packets;
    return refuse(experiment_.routing_location,
                  fmt::format("routing {} on {} needs {} classes of VCs, and routers of the model EXANET have {}; "
                              "write router {{ model: {} vcs: {} }}, or another routing",
                              v1::RoutingKind_Name(kind_), graph_.topology, classes, vcs_,
                              traffic ? "INPUT_QUEUED" : "PACKET", classes));
  }
  if (experiment_.message.has_pfc()) {
    return refuse(
        experiment_.routing_location,
        fmt::format("routing {} on {} tells {} classes of VCs apart, and switches with pfc have no VCs; write "
                    "another routing, a topology without rings (spine_leaf, fat_tree), or leave pfc out",
                    v1::RoutingKind_Name(kind_), graph_.topology, classes));
  }
  return refuse(experiment_.vcs_location,
                fmt::format("vcs {}: routing {} on {} tells {} classes of VCs apart; write router {{ vcs: {} }} or "
                            "more, or another routing",
                            vcs_, v1::RoutingKind_Name(kind_), graph_.topology, classes, classes));
}

absl::Status Request::check_size(int32_t most_routers) const {
  if (graph_.router_count() > most_routers) {
    return unsuitable(
        fmt::format(": it has {} routers, and tables are made for {} at most", graph_.router_count(), most_routers));
  }
  return absl::OkStatus();
}

}  // namespace fabrictwin::routing
