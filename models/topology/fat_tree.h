// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Fat trees and spine-leaf networks. docs/models/topologies.md
#pragma once

#include "cosim/run/experiment.h"
#include "cosim/run/system_graph.h"

namespace fabrictwin {

/// Hosts, routers and links of experiment.fat_tree, numbered as FatTreeLayout says. Routers have positions
/// "level.index", leaves "1.0", "1.1", ...; hosts "leaf.child".
SystemGraph build_fat_tree(const Experiment& experiment);

/// The same of experiment.spine_leaf: leaves are at level 1, spines at level 2.
SystemGraph build_spine_leaf(const Experiment& experiment);

}  // namespace fabrictwin
