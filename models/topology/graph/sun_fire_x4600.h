// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The Sun Fire X4600 M2. docs/models/topologies.md
#pragma once

#include "cosim/run/experiment.h"
#include "cosim/run/system_graph.h"

namespace fabrictwin {

/// The eight sockets, router[i] and host[i], and eleven HyperTransport links of experiment.sun_fire_x4600.
SystemGraph build_sun_fire_x4600(const Experiment& experiment);

}  // namespace fabrictwin
