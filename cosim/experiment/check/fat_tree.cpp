// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>

#include "cosim/experiment/check/topology_families.h"
#include "cosim/experiment/check/topology_reader.h"

namespace fabrictwin::experiment {
namespace {

constexpr size_t kMaxLevels = 8;

/// Counts the routers of all levels: for each level, the subtrees of that height times the routers at the top of each.
int64_t count_routers(const FatTreeSpec& spec) {
  int64_t routers = 0;
  for (size_t level = 0; level < spec.down.size(); ++level) {
    int64_t count = 1;
    for (size_t i = 0; i < level; ++i) count = std::min(count * spec.up[i], kMaxNodes + 1);
    for (size_t i = level + 1; i < spec.down.size(); ++i) count = std::min(count * spec.down[i], kMaxNodes + 1);
    routers += count;
  }
  return routers;
}

/// The values of `up` or `parallel`, one less than levels; where there are none, those of `fallback`.
std::vector<int32_t> between_levels(TopologyReader& reader, std::string_view name, bool given,
                                    const std::vector<int32_t>& fallback) {
  if (!given) return fallback;
  std::vector<int32_t> values = reader.numbers(name, 1, kMaxRouterPorts);
  if (values.size() == fallback.size()) return values;
  reader.complain(fmt::format("{}[0]", name),
                  fmt::format("{} values of {} for {} levels; write one for each level of down but the last, or none",
                              values.size(), name, fallback.size() + 1));
  return fallback;
}

}  // namespace

FatTreeSpec check_fat_tree(const v1::FatTree& fat_tree, Frequency clock, FieldChecker& fields) {
  TopologyReader reader(fat_tree, "topology.fat_tree", clock, fields);
  FatTreeSpec spec;
  spec.down = reader.numbers("down", 1, kMaxRouterPorts);
  if (spec.down.size() > kMaxLevels) {
    reader.complain(fmt::format("down[{}]", kMaxLevels),
                    fmt::format("{} levels: a fat tree has at most {}", spec.down.size(), kMaxLevels));
    spec.down.resize(kMaxLevels);
  }
  const size_t levels = spec.down.size();
  spec.parallel = between_levels(reader, "parallel", !fat_tree.parallel().empty(), std::vector<int32_t>(levels - 1, 1));
  // The default is as many links up as down.
  std::vector<int32_t> full;
  for (size_t level = 0; level + 1 < levels; ++level) {
    const int32_t links = spec.down[level] * (level == 0 ? 1 : spec.parallel[level - 1]);
    full.push_back(std::max(1, links / spec.parallel[level]));
    if (fat_tree.up().empty() && links % spec.parallel[level] != 0) {
      reader.complain(fmt::format("parallel[{}]", level),
                      fmt::format("parallel {}: a router of level {} has {} links down, which {} to each parent do not "
                                  "divide; write up, or another number",
                                  spec.parallel[level], level + 1, links, spec.parallel[level]));
    }
  }
  spec.up = between_levels(reader, "up", !fat_tree.up().empty(), full);
  for (size_t level = 0; level < levels; ++level) {
    int64_t ports = int64_t{spec.down[level]} * (level == 0 ? 1 : spec.parallel[level - 1]);
    if (level + 1 < levels) ports += int64_t{spec.up[level]} * spec.parallel[level];
    reader.check_ports(fmt::format("down[{}]", level), fmt::format("a router of level {}", level + 1), ports,
                       fmt::format("write a smaller down{}", level + 1 < levels ? " or up" : ""));
  }
  int64_t hosts = 1;
  for (const int32_t children : spec.down) hosts = std::min(hosts * children, kMaxNodes + 1);
  reader.check_nodes("down[0]", hosts, count_routers(spec));
  spec.link = reader.link("link");
  spec.host = reader.link("host");
  return spec;
}

SpineLeafSpec check_spine_leaf(const v1::SpineLeaf& spine_leaf, Frequency clock, FieldChecker& fields) {
  TopologyReader reader(spine_leaf, "topology.spine_leaf", clock, fields);
  SpineLeafSpec spec;
  spec.spines = reader.number("spines", 1, kMaxRouterPorts);
  spec.leaves = reader.number("leaves", 1, kMaxRouterPorts);
  spec.hosts_per_leaf = reader.number("hosts_per_leaf", 1, kMaxRouterPorts);
  spec.parallel = reader.number("parallel", 1, kMaxRouterPorts);
  const auto written = [&](std::string_view name) { return reader.has(name) ? name : std::string_view(); };
  reader.check_ports(written("spines"), "a leaf", spec.hosts_per_leaf + int64_t{spec.spines} * spec.parallel,
                     "write fewer spines, hosts_per_leaf or parallel links");
  reader.check_ports(written("leaves"), "a spine", int64_t{spec.leaves} * spec.parallel,
                     "write fewer leaves or parallel links");
  spec.link = reader.link("link");
  spec.host = reader.link("host");
  return spec;
}

}  // namespace fabrictwin::experiment
