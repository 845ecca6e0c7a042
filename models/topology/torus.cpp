// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/torus.h"

#include <string>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "models/exanet_router.h"
#include "models/torus_routing.h"

namespace fabrictwin {
namespace {

std::string dimension_name(size_t dimension) {
  constexpr std::string_view kNames = "xyzabc";
  return dimension < kNames.size() ? std::string(1, kNames[dimension]) : fmt::format("d{}", dimension);
}

}  // namespace

absl::StatusOr<SystemGraph> build_torus(const Experiment& experiment) {
  const TorusSpec& torus = experiment.torus;
  const size_t dimensions = torus.dims.size();
  if (experiment.router.model == v1::EXANET && 1 + 2 * dimensions > ExanetRouter::kMaxPorts) {
    return absl::InvalidArgumentError(format_diagnostic(
        experiment.topology_place,
        fmt::format(
            "a torus of {} dimensions needs routers of {} ports, but they have at most {}; use at most {} dimensions",
            dimensions, 1 + 2 * dimensions, ExanetRouter::kMaxPorts, (ExanetRouter::kMaxPorts - 1) / 2)));
  }
  SystemGraph graph;
  graph.topology = fmt::format("torus {}", fmt::join(torus.dims, "x"));
  graph.dims = torus.dims;
  graph.router_clock = Clock(experiment.router.clock);
  graph.buffer_words = experiment.router.buffer_words;
  graph.link_rate = torus.link_rate;

  int32_t nodes = 1;
  for (const int32_t size : torus.dims) nodes *= size;
  for (int32_t node = 0; node < nodes; ++node) {
    graph.elements.push_back(
        {fmt::format("host[{}]", node), ElementKind::kHost, node, torus_coordinates(torus.dims, node), {"tile"}});
  }
  for (int32_t node = 0; node < nodes; ++node) {
    Element router{
        fmt::format("router[{}]", node), ElementKind::kRouter, node, torus_coordinates(torus.dims, node), {"tile"}};
    for (size_t d = 0; d < dimensions; ++d) {
      router.ports.push_back(dimension_name(d) + "+");
      router.ports.push_back(dimension_name(d) + "-");
    }
    graph.elements.push_back(std::move(router));
  }
  for (int32_t node = 0; node < nodes; ++node) {
    graph.links.push_back({{{node, 0}, {nodes + node, TorusRouting::kTilePort}},
                           torus.tile_rate,
                           torus.tile_latency,
                           graph.buffer_words});
  }
  int32_t stride = 1;
  for (size_t d = 0; d < dimensions; ++d) {
    const int32_t size = torus.dims[d];
    const auto dimension = static_cast<int32_t>(d);
    for (int32_t node = 0; size > 1 && node < nodes; ++node) {
      const int32_t here = node / stride % size;
      const int32_t next = node + ((here + 1) % size - here) * stride;
      graph.links.push_back(
          {{{nodes + node, TorusRouting::plus_port(dimension)}, {nodes + next, TorusRouting::minus_port(dimension)}},
           torus.link_rate,
           torus.link_latency,
           graph.buffer_words});
    }
    stride *= size;
  }
  graph.build_index();
  return graph;
}

}  // namespace fabrictwin
