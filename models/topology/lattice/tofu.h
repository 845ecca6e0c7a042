// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The 6D mesh/torus of Tofu, Tofu2 and TofuD: docs/models/topologies.md.
#pragma once

#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::topology::lattice {

/// Hosts, routers and links of experiment.tofu, numbered as Layout says. Positions are "x.y.z.a.b.c".
system::SystemGraph build_tofu(const experiment::Experiment& experiment);

}  // namespace fabrictwin::topology::lattice
