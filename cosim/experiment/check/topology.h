// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The topology of an experiment: from the message to checked values.
#pragma once

#include <string>

#include "cosim/run/experiment.h"
#include "cosim/run/field_checker.h"

namespace fabrictwin {

/// The clock of routers, as it would be written, if router.clock is left out.
std::string default_router_clock(const v1::Topology& topology);

/// Fills what belongs to the topology in `experiment` from its message. The router's clock must be there already: rates
/// are compared with it.
void check_topology(Experiment& experiment, FieldChecker& fields);

}  // namespace fabrictwin
