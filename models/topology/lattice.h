// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Graphs of lattices of any kind, numbered as LatticeLayout says.
#pragma once

#include <string>

#include "cosim/run/experiment.h"
#include "cosim/run/system_graph.h"
#include "models/topology/lattice_layout.h"

namespace fabrictwin {

/// Builds hosts, routers and links. Links of hosts have the names `host_port`, with a number if a router has several of
/// them. Positions are the coordinates, "x.y.z"; with several hosts on a router, theirs have one number more.
SystemGraph build_lattice(TopologyKind kind, std::string name, const LatticeLayout& layout, const LinkSpec& link,
                          const LinkSpec& host_link, std::string_view host_port, const Experiment& experiment);

}  // namespace fabrictwin
