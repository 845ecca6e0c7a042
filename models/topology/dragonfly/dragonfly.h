// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The dragonfly. docs/models/topologies.md
#pragma once

#include "cosim/run/experiment.h"
#include "cosim/run/system_graph.h"

namespace fabrictwin {

/// Hosts, routers and links of experiment.dragonfly, numbered as DragonflyLayout says. Routers have positions
/// "group.row.column", hosts "group.row.column.slot".
SystemGraph build_dragonfly(const Experiment& experiment);

}  // namespace fabrictwin
