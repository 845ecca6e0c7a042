// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/graph/explicit_graph.h"

#include <utility>

#include "fmt/format.h"
#include "models/topology/graph_builder.h"

namespace fabrictwin::topology::graph {

system::SystemGraph build_explicit_graph(system::TopologyKind kind, std::string name, const experiment::GraphSpec& spec,
                                         const experiment::Experiment& experiment) {
  GraphBuilder builder(kind, std::move(name), experiment, spec.link_rate);
  std::vector<std::vector<std::string>> ports(spec.routers.size());
  // Adds a port to a router and returns its number.
  const auto add_port = [&](int32_t router, const std::string& port) {
    ports[router].push_back(port);
    return static_cast<int32_t>(ports[router].size()) - 1;
  };
  std::vector<int32_t> host_ports;
  for (const experiment::GraphSpec::Host& host : spec.hosts) host_ports.push_back(add_port(host.router, host.port));
  std::vector<std::pair<int32_t, int32_t>> link_ports;
  for (const experiment::GraphSpec::Link& link : spec.links) {
    const int32_t from = add_port(link.routers[0], link.ports[0]);
    link_ports.emplace_back(from, add_port(link.routers[1], link.ports[1]));
  }
  for (const experiment::GraphSpec::Host& host : spec.hosts) builder.add_host({}, {}, {"nic"}, host.name);
  for (size_t r = 0; r < spec.routers.size(); ++r) builder.add_router({}, {}, ports[r], spec.routers[r]);
  for (size_t h = 0; h < spec.hosts.size(); ++h)
    builder.join_host(static_cast<int32_t>(h), 0, spec.hosts[h].router, host_ports[h], spec.hosts[h].link);
  for (size_t i = 0; i < spec.links.size(); ++i) {
    const experiment::GraphSpec::Link& link = spec.links[i];
    builder.join_routers(link.routers[0], link_ports[i].first, link.routers[1], link_ports[i].second, link.link);
  }
  return builder.build();
}

system::SystemGraph build_explicit_graph(const experiment::Experiment& experiment) {
  const experiment::GraphSpec& spec = experiment.graph;
  return build_explicit_graph(system::TopologyKind::kGraph,
                              fmt::format("graph of {} routers and {} links", spec.routers.size(), spec.links.size()),
                              spec, experiment);
}

}  // namespace fabrictwin::topology::graph
