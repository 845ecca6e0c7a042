// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The Sun Fire X4600 M2: docs/models/topologies.md.
#include <cstdint>
#include <utility>

#include "fmt/format.h"
#include "models/topology/graph/explicit_graph.h"
#include "models/topology/topology.h"

namespace fabrictwin::topology::graph {
namespace {

constexpr int32_t kSockets = 8;

/// Rails 0-2-4-6 and 1-3-5-7 with their outer rungs; the inner rungs are crossed, and 1 and 6 have a link of their own:
///
///   0 --- 2 --- 4 --- 6
///   |      \   /      |
///   |        X        |     and 1 --- 6
///   |      /   \      |
///   1 --- 3 --- 5 --- 7
///
/// Sockets 0 and 7 have two links, as their third leads to I/O; all others have three.
constexpr int32_t kLinks[][2] = {{0, 1}, {0, 2}, {1, 3}, {1, 6}, {2, 4}, {2, 5},
                                 {3, 4}, {3, 5}, {4, 6}, {5, 7}, {6, 7}};

/// See SunFireX4600 in topology.proto.
struct SunFireX4600Spec {
  experiment::LinkSpec link;
  experiment::LinkSpec host;
};

/// The eight sockets, router[i] and host[i], and eleven HyperTransport links.
GraphSpec graph_of(const SunFireX4600Spec& spec) {
  GraphSpec graph;
  graph.link_rate = spec.link.rate;
  for (int32_t socket = 0; socket < kSockets; ++socket) {
    graph.routers.push_back(fmt::format("router[{}]", socket));
    graph.hosts.push_back({fmt::format("host[{}]", socket), socket, "cores", spec.host});
  }
  int32_t used[kSockets] = {};
  for (const auto& [a, b] : kLinks) {
    GraphSpec::Link link{{a, b}, {fmt::format("ht{}", used[a]), fmt::format("ht{}", used[b])}, spec.link};
    ++used[a];
    ++used[b];
    graph.links.push_back(std::move(link));
  }
  return graph;
}

class SunFireX4600 final : public TopologyOf<v1::Topology::kSunFireX4600, v1::SunFireX4600, SunFireX4600Spec> {
  SunFireX4600Spec check(const v1::SunFireX4600& /*message*/, const experiment::RouterSpec& /*router*/,
                         experiment::TopologyReader& reader) const override {
    return {reader.link("link"), reader.link("host")};
  }
  absl::StatusOr<system::SystemGraph> build(const SunFireX4600Spec& spec,
                                            const experiment::Experiment& experiment) const override {
    return build_explicit_graph("sun fire x4600", graph_of(spec), experiment);
  }
  double nodes(const SunFireX4600Spec& /*spec*/) const override { return kSockets; }
};

}  // namespace

const Topology& sun_fire_x4600() {
  static const SunFireX4600 topology;
  return topology;
}

}  // namespace fabrictwin::topology::graph
