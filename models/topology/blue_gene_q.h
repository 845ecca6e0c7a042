// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The 5D torus of Blue Gene/Q. docs/models/topologies.md
#pragma once

#include "cosim/run/experiment.h"
#include "cosim/run/system_graph.h"

namespace fabrictwin {

/// Hosts, routers and links of experiment.blue_gene_q, numbered as LatticeLayout says. Positions are "a.b.c.d.e".
SystemGraph build_blue_gene_q(const Experiment& experiment);

}  // namespace fabrictwin
