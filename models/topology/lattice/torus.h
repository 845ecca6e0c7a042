// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The k-ary n-cube, a mixed-radix torus or mesh of routers: docs/models/topologies.md.
#pragma once

#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::topology::lattice {

/// Hosts, routers and links of experiment.torus, numbered as Layout says; with one host per router, that is also the
/// numbering of TorusRouting.
system::SystemGraph build_torus(const experiment::Experiment& experiment);

}  // namespace fabrictwin::topology::lattice
