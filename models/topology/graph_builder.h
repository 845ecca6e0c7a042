// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The common part of all topologies: adds hosts, then routers, then links to a graph.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::topology {

/// The text of a position, "3.0.12", as selectors use it. Coordinates come last first, the most significant first.
std::string position_text(const std::vector<int32_t>& numbers);

/// `count` names: "down0", "down1", ...
void add_port_names(std::vector<std::string>& ports, std::string_view stem, int32_t count);

/// Builds a graph. All hosts are added before the first router.
class GraphBuilder {
 public:
  /// `name` is the topology's name for users; loads are fractions of `link_rate`.
  GraphBuilder(std::string name, const experiment::Experiment& experiment, Bandwidth link_rate);

  system::SystemGraph& graph() { return graph_; }

  /// Adds host[i] with its ports. `name` replaces its name unless empty.
  void add_host(std::vector<int32_t> coordinates, std::string position, std::vector<std::string> ports,
                std::string name = {});
  /// Adds router[i].
  void add_router(std::vector<int32_t> coordinates, std::string position, std::vector<std::string> ports,
                  std::string name = {});

  /// Links a port of a host with one of a router, or two routers. Arguments are host and router numbers, not elements.
  void join_host(int32_t host, int32_t host_port, int32_t router, int32_t router_port,
                 const experiment::LinkSpec& link);
  void join_routers(int32_t a, int32_t port_a, int32_t b, int32_t port_b, const experiment::LinkSpec& link);

  /// Returns the graph with its index.
  system::SystemGraph build();

 private:
  void add(system::ElementKind kind, int32_t node, std::vector<int32_t> coordinates, std::string position,
           std::vector<std::string> ports, std::string name);

  system::SystemGraph graph_;
  int32_t hosts_ = 0;
};

}  // namespace fabrictwin::topology
