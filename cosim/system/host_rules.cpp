// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/system/host_rules.h"

#include <algorithm>
#include <string>

#include "fmt/format.h"

namespace fabrictwin::system {
namespace {

/// Places the hosts of one system.
class HostPlacer {
 public:
  HostPlacer(const experiment::Experiment& experiment, const SystemGraph& graph, std::vector<int32_t>& rule_of,
             experiment::DiagnosticList& diagnostics)
      : experiment_(experiment), graph_(graph), rules_(experiment), rule_of_(rule_of), diagnostics_(diagnostics) {}

  /// Places a host of routers.
  void place_beside_router(ElementId host, bool cut) {
    const int32_t of_router = rule_of_[graph_.host_router(host)];
    int32_t& of_host = rule_of_[host];
    const bool later =
        of_host < of_router && (rules_.is_coarse(of_router) || rules_.depth_of(of_host) != rules_.depth_of(of_router));
    if (later) of_host = rules_.is_coarse(of_router) ? of_router : kNoRule;
    if (cut && !rules_.is_coarse(of_router) && !rules_.is_coarse(of_host)) return;
    if (of_host == kNoRule) of_host = of_router;
    for (int32_t port = 0; port < static_cast<int32_t>(graph_.elements[host].ports.size()); ++port)
      check_beside(host, port);
  }

  /// Places a host of a node.
  void place_beside_node(ElementId host) {
    const ElementId node = graph_.host_router(host);
    const int32_t of_node = rule_of_[node];
    if (rules_.implementation_of(of_node) != v1::MODEL) return;
    int32_t& of_host = rule_of_[host];
    if (of_host < of_node) of_host = of_node;
    if (rules_.same_place(of_host, of_node)) return;
    complain(std::max(of_host, of_node),
             fmt::format("{} would run at {} and {}, its node, at {}: the model of a node runs where its host does; "
                         "leave the host out of rules, and it is where its node is",
                         graph_.elements[host].name, rules_.place_text(of_host), graph_.elements[node].name,
                         other_place(of_node, of_host)));
  }

  /// Places a sender at a card, or its computer, whose end is that of the run: the card is never idle.
  void place_beside_card(ElementId host) {
    if (rules_.place_text(rule_of_[host]) == "inproc") return;
    complain(rule_of_[host],
             fmt::format("{} would run at {}: senders and the computer of a card run in the process of the run, which "
                         "they end; select \"{}\" only",
                         graph_.elements[host].name, rules_.place_text(rule_of_[host]), graph_.all_logic));
  }

 private:
  /// Complains if a host and the router at one of its ports are at different places.
  void check_beside(ElementId host, int32_t port) {
    const int32_t channel = graph_.channel_from(host, port);
    if (channel < 0) return;
    const ElementId router = graph_.channel_target(channel).element;
    const int32_t of_host = rule_of_[host];
    const int32_t of_router = rule_of_[router];
    const bool alike = rules_.depth_of(of_host) == rules_.depth_of(of_router);
    if (alike && rules_.same_place(of_host, of_router)) return;
    const auto what = [&](int32_t rule) {
      return alike ? fmt::format("run at {}", rules_.place_text(rule))
                   : fmt::format("be {}", v1::RouterModel_Name(rules_.depth_of(rule)));
    };
    complain(std::max(of_host, of_router),
             fmt::format("{} would {} and {}, which it is linked with, would {}: a host {} its routers {}; select both "
                         "in one rule",
                         graph_.elements[host].name, what(of_host), graph_.elements[router].name,
                         alike ? fmt::format("run at {}", other_place(of_router, of_host)) : what(of_router),
                         alike ? "runs where" : "is as deep as", alike ? "do" : "are"));
  }

  /// The place of a rule as one that is not that of `than`: each rule starts a worker of its own.
  std::string other_place(int32_t rule, int32_t than) const {
    const std::string_view place = rules_.place_text(rule);
    return place == rules_.place_text(than) ? fmt::format("another {}", place) : std::string(place);
  }

  void complain(int32_t rule, std::string_view message) {
    diagnostics_.add(experiment_.uses[static_cast<size_t>(rule)].source, message);
  }

  const experiment::Experiment& experiment_;
  const SystemGraph& graph_;
  Rules rules_;
  std::vector<int32_t>& rule_of_;
  experiment::DiagnosticList& diagnostics_;
};

}  // namespace

bool is_local_worker(const experiment::UseSpec& use) {
  return use.place == "worker:shm" || use.place == "worker:unix" || use.place == "worker:tcp";
}

v1::RouterModel Rules::depth_of(int32_t rule) const {
  const v1::RouterModel depth =
      rule == kNoRule ? v1::ROUTER_MODEL_UNSPECIFIED : experiment_.uses[static_cast<size_t>(rule)].depth;
  return depth == v1::ROUTER_MODEL_UNSPECIFIED ? experiment_.router.model : depth;
}

v1::Implementation Rules::implementation_of(int32_t rule) const {
  return rule == kNoRule ? v1::MODEL : experiment_.uses[static_cast<size_t>(rule)].implementation;
}

std::string_view Rules::place_text(int32_t rule) const {
  return rule == kNoRule ? std::string_view("inproc")
                         : std::string_view(experiment_.uses[static_cast<size_t>(rule)].place);
}

bool Rules::same_place(int32_t a, int32_t b) const {
  if (a == b) return true;
  return place_text(a) == place_text(b) &&
         (place_text(a) == "inproc" || !is_local_worker(experiment_.uses[static_cast<size_t>(a)]));
}

void place_hosts(const experiment::Experiment& experiment, const SystemGraph& graph, std::vector<int32_t>& rule_of,
                 experiment::DiagnosticList& diagnostics) {
  const bool cut = experiment.capabilities.of(experiment.router.model).host_links;
  HostPlacer placer(experiment, graph, rule_of, diagnostics);
  for (ElementId host = 0; host < graph.host_count(); ++host) {
    if (graph.has_nodes()) {
      placer.place_beside_node(host);
    } else if (graph.has_card()) {
      placer.place_beside_card(host);
    } else {
      placer.place_beside_router(host, cut);
    }
  }
}

}  // namespace fabrictwin::system
