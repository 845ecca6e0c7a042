// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The Sun Fire X4600 M2: docs/models/topologies.md.
#pragma once

#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::topology::graph {

/// The eight sockets, router[i] and host[i], and eleven HyperTransport links of experiment.sun_fire_x4600.
system::SystemGraph build_sun_fire_x4600(const experiment::Experiment& experiment);

}  // namespace fabrictwin::topology::graph
