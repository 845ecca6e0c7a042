// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/graph/sun_fire_x4600.h"

#include "fmt/format.h"
#include "models/topology/graph/explicit_graph.h"

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

}  // namespace

system::SystemGraph build_sun_fire_x4600(const experiment::Experiment& experiment) {
  const experiment::SunFireX4600Spec& spec = experiment.sun_fire_x4600;
  experiment::GraphSpec graph;
  graph.link_rate = spec.link.rate;
  for (int32_t socket = 0; socket < kSockets; ++socket) {
    graph.routers.push_back(fmt::format("router[{}]", socket));
    graph.hosts.push_back({fmt::format("host[{}]", socket), socket, "cores", spec.host});
  }
  int32_t used[kSockets] = {};
  for (const auto& [a, b] : kLinks) {
    experiment::GraphSpec::Link link{{a, b}, {fmt::format("ht{}", used[a]), fmt::format("ht{}", used[b])}, spec.link};
    ++used[a];
    ++used[b];
    graph.links.push_back(std::move(link));
  }
  return build_explicit_graph(system::TopologyKind::kSunFireX4600, "sun fire x4600", graph, experiment);
}

}  // namespace fabrictwin::topology::graph
