// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/graph/explicit_graph.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "models/topology/graph/graph_check.h"
#include "models/topology/graph_builder.h"
#include "models/topology/topology.h"

namespace fabrictwin::topology::graph {
namespace {

class Graph final : public TopologyOf<v1::Topology::kGraph, v1::Graph, GraphSpec> {
  GraphSpec check(const v1::Graph& graph, const experiment::RouterSpec& /*router*/,
                  experiment::TopologyReader& reader) const override {
    return check_graph(graph, reader);
  }
  absl::StatusOr<system::SystemGraph> build(const GraphSpec& spec,
                                            const experiment::Experiment& experiment) const override {
    system::SystemGraph graph = build_explicit_graph(
        fmt::format("graph of {} routers and {} links", spec.routers.size(), spec.links.size()), spec, experiment);
    graph.all_logic.clear();
    return graph;
  }
  double nodes(const GraphSpec& spec) const override {
    return static_cast<double>(std::max(spec.hosts.size(), spec.routers.size()));
  }
};

}  // namespace

system::SystemGraph build_explicit_graph(std::string name, const GraphSpec& spec,
                                         const experiment::Experiment& experiment) {
  GraphBuilder builder(std::move(name), experiment, spec.link_rate);
  std::vector<std::vector<std::string>> ports(spec.routers.size());
  // Adds a port to a router and returns its number.
  const auto add_port = [&](int32_t router, const std::string& port) {
    ports[router].push_back(port);
    return static_cast<int32_t>(ports[router].size()) - 1;
  };
  std::vector<int32_t> host_ports;
  for (const GraphSpec::Host& host : spec.hosts) host_ports.push_back(add_port(host.router, host.port));
  std::vector<std::pair<int32_t, int32_t>> link_ports;
  for (const GraphSpec::Link& link : spec.links) {
    const int32_t from = add_port(link.routers[0], link.ports[0]);
    link_ports.emplace_back(from, add_port(link.routers[1], link.ports[1]));
  }
  for (const GraphSpec::Host& host : spec.hosts) builder.add_host({}, {}, {"nic"}, host.name);
  for (size_t r = 0; r < spec.routers.size(); ++r) builder.add_router({}, {}, ports[r], spec.routers[r]);
  for (size_t h = 0; h < spec.hosts.size(); ++h)
    builder.join_host(static_cast<int32_t>(h), 0, spec.hosts[h].router, host_ports[h], spec.hosts[h].link);
  for (size_t i = 0; i < spec.links.size(); ++i) {
    const GraphSpec::Link& link = spec.links[i];
    builder.join_routers(link.routers[0], link_ports[i].first, link.routers[1], link_ports[i].second, link.link);
  }
  return builder.build();
}

const Topology& explicit_graph() {
  static const Graph topology;
  return topology;
}

}  // namespace fabrictwin::topology::graph
