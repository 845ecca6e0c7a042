// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/topology/graph_builder.h"

#include <utility>

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace fabrictwin::topology {

std::string position_text(const std::vector<int32_t>& numbers) { return fmt::format("{}", fmt::join(numbers, ".")); }

void add_port_names(std::vector<std::string>& ports, std::string_view stem, int32_t count) {
  for (int32_t i = 0; i < count; ++i) ports.push_back(fmt::format("{}{}", stem, i));
}

GraphBuilder::GraphBuilder(std::string name, const experiment::Experiment& experiment, Bandwidth link_rate) {
  graph_.topology = std::move(name);
  graph_.router_clock = Clock(experiment.router.clock);
  graph_.buffer_words = experiment.router.buffer_words;
  graph_.link_rate = link_rate;
}

void GraphBuilder::add(system::ElementKind kind, int32_t node, std::vector<int32_t> coordinates, std::string position,
                       std::vector<std::string> ports, std::string name) {
  if (name.empty()) name = fmt::format("{}[{}]", kind == system::ElementKind::kHost ? "host" : "router", node);
  graph_.elements.push_back(
      {std::move(name), kind, node, std::move(coordinates), std::move(ports), std::move(position)});
}

void GraphBuilder::add_host(std::vector<int32_t> coordinates, std::string position, std::vector<std::string> ports,
                            std::string name) {
  add(system::ElementKind::kHost, hosts_++, std::move(coordinates), std::move(position), std::move(ports),
      std::move(name));
}

void GraphBuilder::add_router(std::vector<int32_t> coordinates, std::string position, std::vector<std::string> ports,
                              std::string name) {
  add(system::ElementKind::kRouter, static_cast<int32_t>(graph_.elements.size()) - hosts_, std::move(coordinates),
      std::move(position), std::move(ports), std::move(name));
}

void GraphBuilder::join_host(int32_t host, int32_t host_port, int32_t router, int32_t router_port,
                             const experiment::LinkSpec& link) {
  graph_.links.push_back(
      {{{host, host_port}, {hosts_ + router, router_port}}, link.rate, link.latency, graph_.buffer_words});
}

void GraphBuilder::join_routers(int32_t a, int32_t port_a, int32_t b, int32_t port_b,
                                const experiment::LinkSpec& link) {
  graph_.links.push_back({{{hosts_ + a, port_a}, {hosts_ + b, port_b}}, link.rate, link.latency, graph_.buffer_words});
}

system::SystemGraph GraphBuilder::build() {
  graph_.build_index();
  return std::move(graph_);
}

}  // namespace fabrictwin::topology
