// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Graphs that are written down router by router. docs/models/topologies.md
#pragma once

#include <string>

#include "cosim/run/experiment.h"
#include "cosim/run/system_graph.h"

namespace fabrictwin {

/// Hosts, routers and links of experiment.graph. Ports of a router are numbered as they come: those of its hosts, then
/// those of its links. Elements have no positions.
SystemGraph build_explicit_graph(const Experiment& experiment);

/// The same of any such graph.
SystemGraph build_explicit_graph(TopologyKind kind, std::string name, const GraphSpec& spec,
                                 const Experiment& experiment);

}  // namespace fabrictwin
