// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Fat trees and spine-leaf networks: docs/models/topologies.md.
#pragma once

#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::topology::tree {

/// Hosts, routers and links of experiment.fat_tree, numbered as Layout says. Routers have positions
/// "level.index", leaves "1.0", "1.1", ...; hosts "leaf.child".
system::SystemGraph build_fat_tree(const experiment::Experiment& experiment);

/// Hosts, routers and links of experiment.spine_leaf: leaves are at level 1, spines at level 2.
system::SystemGraph build_spine_leaf(const experiment::Experiment& experiment);

}  // namespace fabrictwin::topology::tree
