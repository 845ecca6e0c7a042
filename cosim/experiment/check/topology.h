// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The topology of an experiment: from the message to checked values.
#pragma once

#include <string>

#include "cosim/experiment/check/field_checker.h"
#include "cosim/experiment/experiment.h"
#include "cosim/experiment/tenants.h"

namespace fabrictwin::experiment {

/// The clock of routers if router.clock is left out, as a user would write it.
std::string default_router_clock(const v1::Topology& topology, const Tenants& tenants);

/// Fills what belongs to the topology in `experiment` from its message. The router's clock must be known already,
/// because rates are compared with it.
void check_topology(Experiment& experiment, const Tenants& tenants, FieldChecker& fields);

}  // namespace fabrictwin::experiment
