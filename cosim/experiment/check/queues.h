// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The check of the queues of routers.
#pragma once

#include "cosim/experiment/check/field_checker.h"
#include "cosim/experiment/experiment.h"

namespace fabrictwin::experiment {

/// Makes checked values of `queues`, and refuses them where routers cannot have them. What depends on the topology
/// (whether so many queues fit a router, whether its routing suits them) is checked with that. All the rest of the
/// experiment has been checked.
void check_queues(Experiment& experiment, FieldChecker& fields);

}  // namespace fabrictwin::experiment
