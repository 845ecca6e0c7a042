// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/tree/tree.h"

#include <algorithm>
#include <string>
#include <utility>

#include "models/topology/graph_builder.h"

namespace fabrictwin::topology::tree {
namespace {

void add_elements(const Layout& layout, GraphBuilder& builder) {
  for (int32_t host = 0; host < layout.hosts(); ++host) {
    const int32_t child = host % layout.children(1);
    builder.add_host({child, layout.leaf_of(host)}, position_text({layout.leaf_of(host), child}), {"nic"});
  }
  for (int32_t level = 1; level <= layout.levels(); ++level) {
    std::vector<std::string> ports;
    add_port_names(ports, level == 1 ? "host" : "down", layout.first_up(level));
    add_port_names(ports, "up", layout.up_ports(level));
    for (int32_t index = 0; index < layout.routers(level); ++index)
      builder.add_router({index, level}, position_text({level, index}), ports);
  }
}

/// Joins one router with all its parents.
void join_parents(const Layout& layout, int32_t level, int32_t subtree, int32_t index, const experiment::LinkSpec& link,
                  GraphBuilder& builder) {
  const int32_t siblings = layout.children(level + 1);
  for (int32_t u = 0; u < layout.parents(level); ++u) {
    const int32_t parent = layout.router_of(level + 1, subtree / siblings, index + u * layout.width(level));
    for (int32_t k = 0; k < layout.links_up(level); ++k) {
      builder.join_routers(layout.router_of(level, subtree, index), layout.up_port(level, u, k), parent,
                           layout.down_port(level + 1, subtree % siblings, k), link);
    }
  }
}

}  // namespace

system::SystemGraph build_tree(std::string name, const FatTreeSpec& spec, const experiment::Experiment& experiment) {
  const Layout layout(spec);
  GraphBuilder builder(std::move(name), experiment, spec.link.rate);
  add_elements(layout, builder);
  for (int32_t host = 0; host < layout.hosts(); ++host)
    builder.join_host(host, 0, layout.leaf_of(host), host % layout.children(1), spec.host);
  for (int32_t level = 1; level < layout.levels(); ++level) {
    for (int32_t index = 0; index < layout.routers(level); ++index)
      join_parents(layout, level, index / layout.width(level), index % layout.width(level), spec.link, builder);
  }
  return builder.build();
}

double tree_nodes(const FatTreeSpec& spec) {
  const Layout layout(spec);
  return std::max(layout.hosts(), layout.routers());
}

}  // namespace fabrictwin::topology::tree
