// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The dragonfly: docs/models/topologies.md.
#pragma once

#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::topology::dragonfly {

/// Hosts, routers and links of experiment.dragonfly, numbered as Layout says. Routers have positions
/// "group.row.column", hosts "group.row.column.slot".
system::SystemGraph build_dragonfly(const experiment::Experiment& experiment);

}  // namespace fabrictwin::topology::dragonfly
