// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Fat trees of any number of levels: docs/models/topologies.md.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "models/topology/topology.h"
#include "models/topology/tree/tree.h"

namespace fabrictwin::topology::tree {
namespace {

using experiment::kMaxNodes;
using experiment::kMaxRouterPorts;
using experiment::TopologyReader;

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

FatTreeSpec check_fat_tree(const v1::FatTree& fat_tree, TopologyReader& reader) {
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

class FatTree final : public TopologyOf<v1::Topology::kFatTree, v1::FatTree, FatTreeSpec> {
 public:
  system::TopologyFamily family() const override { return system::TopologyFamily::kTree; }

 private:
  FatTreeSpec check(const v1::FatTree& fat_tree, const experiment::RouterSpec& /*router*/,
                    TopologyReader& reader) const override {
    return check_fat_tree(fat_tree, reader);
  }
  absl::StatusOr<system::SystemGraph> build(const FatTreeSpec& spec,
                                            const experiment::Experiment& experiment) const override {
    std::string name = fmt::format("fat tree {}", fmt::join(spec.down, "x"));
    if (!spec.up.empty()) name += fmt::format(" up {}", fmt::join(spec.up, "x"));
    return build_tree(std::move(name), spec, experiment);
  }
  double nodes(const FatTreeSpec& spec) const override { return tree_nodes(spec); }
};

}  // namespace

const Topology& fat_tree() {
  static const FatTree topology;
  return topology;
}

}  // namespace fabrictwin::topology::tree
