// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A torus for tests of the planner, built here so that they depend on no model.
#pragma once

#include <fmt/format.h>

#include <vector>

#include "cosim/system/system_graph.h"

namespace fabrictwin {

/// Hosts, routers, tile links and "+" links of a torus with `dims`.
inline system::SystemGraph small_graph(std::vector<int32_t> dims) {
  static constexpr const char* kAxes[] = {"x", "y", "z", "w"};
  system::SystemGraph graph;
  graph.topology = "torus";
  graph.dims = dims;
  int32_t nodes = 1;
  for (const int32_t size : dims) nodes *= size;
  for (const bool router : {false, true}) {
    for (int32_t node = 0; node < nodes; ++node) {
      system::Element element;
      element.kind = router ? system::ElementKind::kRouter : system::ElementKind::kHost;
      element.name = fmt::format("{}[{}]", router ? "router" : "host", node);
      element.node = node;
      int32_t rest = node;
      for (const int32_t size : dims) {
        element.coordinates.push_back(rest % size);
        rest /= size;
      }
      element.ports.push_back("tile");
      for (size_t d = 0; router && d < dims.size(); ++d) {
        element.ports.push_back(fmt::format("{}+", kAxes[d]));
        element.ports.push_back(fmt::format("{}-", kAxes[d]));
      }
      graph.elements.push_back(element);
    }
  }
  const auto join = [&](system::ElementId a, int32_t pa, system::ElementId b, int32_t pb) {
    system::Link link;
    link.ends[0] = {a, pa};
    link.ends[1] = {b, pb};
    link.rate = Bandwidth{10'000'000'000};
    link.latency = Time::from_ns(120);
    graph.links.push_back(link);
  };
  for (int32_t node = 0; node < nodes; ++node) {
    join(node, 0, nodes + node, 0);
    int32_t stride = 1;
    for (size_t d = 0; d < dims.size(); ++d) {
      const int32_t here = graph.elements[nodes + node].coordinates[d];
      const int32_t next = node + (((here + 1) % dims[d]) - here) * stride;
      if (dims[d] > 1)
        join(nodes + node, static_cast<int32_t>(1 + 2 * d), nodes + next, static_cast<int32_t>(2 + 2 * d));
      stride *= dims[d];
    }
  }
  return graph;
}

}  // namespace fabrictwin
