// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The 6D mesh/torus of Tofu, Tofu2 and TofuD. docs/models/topologies.md
#pragma once

#include "cosim/run/experiment.h"
#include "cosim/run/system_graph.h"

namespace fabrictwin {

/// Hosts, routers and links of experiment.tofu, numbered as LatticeLayout says. Positions are "x.y.z.a.b.c".
SystemGraph build_tofu(const Experiment& experiment);

}  // namespace fabrictwin
