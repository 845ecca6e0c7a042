// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/tree/fat_tree.h"

#include <string>
#include <utility>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "models/topology/graph_builder.h"
#include "models/topology/tree/layout.h"

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
void join_parents(const Layout& layout, int32_t level, int32_t subtree, int32_t place, const experiment::LinkSpec& link,
                  GraphBuilder& builder) {
  const int32_t siblings = layout.children(level + 1);
  for (int32_t u = 0; u < layout.parents(level); ++u) {
    const int32_t parent = layout.router_of(level + 1, subtree / siblings, place + u * layout.width(level));
    for (int32_t k = 0; k < layout.links_up(level); ++k) {
      builder.join_routers(layout.router_of(level, subtree, place), layout.up_port(level, u, k), parent,
                           layout.down_port(level + 1, subtree % siblings, k), link);
    }
  }
}

system::SystemGraph build(const Layout& layout, const experiment::LinkSpec& link, const experiment::LinkSpec& host_link,
                          GraphBuilder builder) {
  add_elements(layout, builder);
  for (int32_t host = 0; host < layout.hosts(); ++host)
    builder.join_host(host, 0, layout.leaf_of(host), host % layout.children(1), host_link);
  for (int32_t level = 1; level < layout.levels(); ++level) {
    for (int32_t index = 0; index < layout.routers(level); ++index)
      join_parents(layout, level, index / layout.width(level), index % layout.width(level), link, builder);
  }
  return builder.build();
}

}  // namespace

system::SystemGraph build_fat_tree(const experiment::Experiment& experiment) {
  const experiment::FatTreeSpec& spec = experiment.fat_tree;
  const Layout layout(spec);
  GraphBuilder builder(system::TopologyKind::kFatTree,
                       spec.up.empty()
                           ? fmt::format("fat tree {}", fmt::join(spec.down, "x"))
                           : fmt::format("fat tree {} up {}", fmt::join(spec.down, "x"), fmt::join(spec.up, "x")),
                       experiment, spec.link.rate);
  return build(layout, spec.link, spec.host, std::move(builder));
}

system::SystemGraph build_spine_leaf(const experiment::Experiment& experiment) {
  const experiment::SpineLeafSpec& spec = experiment.spine_leaf;
  GraphBuilder builder(system::TopologyKind::kSpineLeaf,
                       fmt::format("spine-leaf {}x{}x{}", spec.spines, spec.leaves, spec.hosts_per_leaf), experiment,
                       spec.link.rate);
  return build(Layout(spec), spec.link, spec.host, std::move(builder));
}

}  // namespace fabrictwin::topology::tree
