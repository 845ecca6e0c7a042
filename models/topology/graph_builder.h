// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What all topologies do to make a graph: add hosts, then routers, then links.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/run/experiment.h"
#include "cosim/run/system_graph.h"

namespace fabrictwin {

/// "3.0.12": coordinates as selectors say a position, the last first: what is called first is the most significant.
std::string position_text(const std::vector<int32_t>& numbers);

/// `count` names: "down0", "down1", ...
void add_port_names(std::vector<std::string>& ports, std::string_view stem, int32_t count);

/// Puts a graph together. All hosts are added before the first router.
class GraphBuilder {
 public:
  /// `name` is the topology's, as people read it; `link_rate` what loads are fractions of.
  GraphBuilder(TopologyKind kind, std::string name, const Experiment& experiment, Bandwidth link_rate);

  SystemGraph& graph() { return graph_; }

  /// Adds host[i] with its ports. Its name may be another one.
  void add_host(std::vector<int32_t> coordinates, std::string position, std::vector<std::string> ports,
                std::string name = {});
  /// Adds router[i].
  void add_router(std::vector<int32_t> coordinates, std::string position, std::vector<std::string> ports,
                  std::string name = {});

  /// Joins a port of a host with one of a router, or two routers; by number, not as elements.
  void join_host(int32_t host, int32_t host_port, int32_t router, int32_t router_port, const LinkSpec& link);
  void join_routers(int32_t a, int32_t port_a, int32_t b, int32_t port_b, const LinkSpec& link);

  /// The graph with its index.
  SystemGraph build();

 private:
  void add(ElementKind kind, int32_t node, std::vector<int32_t> coordinates, std::string position,
           std::vector<std::string> ports, std::string name);

  SystemGraph graph_;
  int32_t hosts_ = 0;
};

}  // namespace fabrictwin
