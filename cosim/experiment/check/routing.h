// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The routing of an experiment: from the message to checked values.
#pragma once

#include "cosim/experiment/check/field_checker.h"
#include "cosim/experiment/experiment.h"
#include "cosim/experiment/tenants.h"

namespace fabrictwin::experiment {

/// Fills experiment.routing from the message; the routers must have been checked before. Whether the algorithm suits
/// the topology is checked when the routing is built (models/routing). With `check_files` a table must be readable.
void check_routing(Experiment& experiment, const Tenants& tenants, bool check_files, FieldChecker& fields);

}  // namespace fabrictwin::experiment
