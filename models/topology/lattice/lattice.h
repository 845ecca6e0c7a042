// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Graphs of lattices of any kind, numbered as Layout says.
#pragma once

#include <cstdint>
#include <string>

#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"
#include "models/topology/lattice/layout.h"

namespace fabrictwin::topology::lattice {

/// The largest size of a dimension.
inline constexpr int32_t kMaxSize = 256;

/// Builds hosts, routers and links. Ports for host links are named `host_port`, with a number if a router has several
/// of them. Positions are the coordinates, "x.y.z"; with several hosts on a router, those of hosts have one number
/// more.
system::SystemGraph build_lattice(std::string name, const Layout& layout, const experiment::LinkSpec& link,
                                  const experiment::LinkSpec& host_link, std::string_view host_port,
                                  const experiment::Experiment& experiment);

}  // namespace fabrictwin::topology::lattice
