// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Graphs that are listed router by router: docs/models/topologies.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::topology::graph {

/// See Graph in topology.proto.
struct GraphSpec {
  struct Host {
    std::string name;
    int32_t router = 0;
    std::string port;  ///< The port name at the router.
    experiment::LinkSpec link;
  };
  struct Link {
    int32_t routers[2] = {0, 0};
    std::string ports[2];
    experiment::LinkSpec link;
  };
  std::vector<std::string> routers;  ///< The names of the routers.
  std::vector<Host> hosts;
  std::vector<Link> links;  ///< Parallel links are separate entries.
  Bandwidth link_rate;      ///< The rate of which loads are fractions.
};

/// Hosts, routers and links of `spec`. Ports of a router are numbered in order: first those of its hosts, then those of
/// its links. Elements have no positions.
system::SystemGraph build_explicit_graph(std::string name, const GraphSpec& spec,
                                         const experiment::Experiment& experiment);

}  // namespace fabrictwin::topology::graph
