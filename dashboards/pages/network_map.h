// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosim/system/system_graph.h"
#include "dashboards/html/page.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::dashboards::pages {

/// Draws a network with its links coloured by load and stall, and by the congested queues that send into them at the
/// times of snapshots of trees. A lattice is drawn by its coordinates, planes of a third
/// dimension beside each other; another network by the distance of its routers from hosts, or as a ring if each router
/// has hosts. `report` has a line for each direction of each link. Hosts, then the whole map, are left out where there
/// are too many for a page, which the note says.
html::Map network_map(const system::SystemGraph& graph, const v1::Report& report);

}  // namespace fabrictwin::dashboards::pages
