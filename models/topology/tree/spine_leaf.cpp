// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Spine-leaf networks, fat trees of two levels: docs/models/topologies.md.
#include <cstdint>
#include <string_view>

#include "fmt/format.h"
#include "models/topology/topology.h"
#include "models/topology/tree/tree.h"

namespace fabrictwin::topology::tree {
namespace {

using experiment::kMaxRouterPorts;

/// See SpineLeaf in topology.proto.
struct SpineLeafSpec {
  int32_t spines = 1;
  int32_t leaves = 1;
  int32_t hosts_per_leaf = 1;
  int32_t parallel = 1;
  experiment::LinkSpec link;
  experiment::LinkSpec host;

  /// Leaves are at level 1, spines at level 2.
  FatTreeSpec tree() const { return {{hosts_per_leaf, leaves}, {spines}, {parallel}, link, host}; }
};

class SpineLeaf final : public TopologyOf<v1::Topology::kSpineLeaf, v1::SpineLeaf, SpineLeafSpec> {
 public:
  system::TopologyFamily family() const override { return system::TopologyFamily::kTree; }

 private:
  SpineLeafSpec check(const v1::SpineLeaf& /*message*/, const experiment::RouterSpec& /*router*/,
                      experiment::TopologyReader& reader) const override {
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
  absl::StatusOr<system::SystemGraph> build(const SpineLeafSpec& spec,
                                            const experiment::Experiment& experiment) const override {
    return build_tree(fmt::format("spine-leaf {}x{}x{}", spec.spines, spec.leaves, spec.hosts_per_leaf), spec.tree(),
                      experiment);
  }
  double nodes(const SpineLeafSpec& spec) const override { return tree_nodes(spec.tree()); }
};

}  // namespace

const Topology& spine_leaf() {
  static const SpineLeaf topology;
  return topology;
}

}  // namespace fabrictwin::topology::tree
