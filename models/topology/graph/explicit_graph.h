// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Graphs that the user lists router by router: docs/models/topologies.md.
#pragma once

#include <string>

#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::topology::graph {

/// Hosts, routers and links of experiment.graph. Ports of a router are numbered in order: first those of its hosts,
/// then those of its links. Elements have no positions.
system::SystemGraph build_explicit_graph(const experiment::Experiment& experiment);

/// Hosts, routers and links of `spec`, for topologies that are defined by such a graph.
system::SystemGraph build_explicit_graph(system::TopologyKind kind, std::string name, const experiment::GraphSpec& spec,
                                         const experiment::Experiment& experiment);

}  // namespace fabrictwin::topology::graph
