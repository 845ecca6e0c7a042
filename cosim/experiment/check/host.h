// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The hosts of an experiment: from the message to checked values.
#pragma once

#include "cosim/experiment/check/field_checker.h"
#include "cosim/experiment/experiment.h"
#include "cosim/experiment/tenants.h"

namespace fabrictwin::experiment {

/// Fills experiment.host from the message. Topology and workload must have been checked before.
void check_host(Experiment& experiment, const Tenants& tenants, FieldChecker& fields);

}  // namespace fabrictwin::experiment
