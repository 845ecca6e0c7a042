// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The 5D torus of Blue Gene/Q: docs/models/topologies.md.
#pragma once

#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::topology::lattice {

/// Hosts, routers and links of experiment.blue_gene_q, numbered as Layout says. Positions are "a.b.c.d.e".
system::SystemGraph build_blue_gene_q(const experiment::Experiment& experiment);

}  // namespace fabrictwin::topology::lattice
