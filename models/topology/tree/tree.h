// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Graphs of fat trees of any kind.
#pragma once

#include <string>

#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"
#include "models/topology/tree/layout.h"

namespace fabrictwin::topology::tree {

/// Hosts, routers and links, numbered as Layout says. Routers have positions "level.index", leaves "1.0", "1.1", ...;
/// hosts "leaf.child".
system::SystemGraph build_tree(std::string name, const FatTreeSpec& spec, const experiment::Experiment& experiment);

/// The number of hosts, or of routers if there are more.
double tree_nodes(const FatTreeSpec& spec);

}  // namespace fabrictwin::topology::tree
