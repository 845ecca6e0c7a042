// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The k-ary n-cube: mixed-radix torus or mesh of routers. docs/models/topologies.md
#pragma once

#include "cosim/run/experiment.h"
#include "cosim/run/system_graph.h"

namespace fabrictwin {

/// Hosts, routers and links of experiment.torus, numbered as LatticeLayout says: with one host a router, as
/// TorusRouting does.
SystemGraph build_torus(const Experiment& experiment);

}  // namespace fabrictwin
