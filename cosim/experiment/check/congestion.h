// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The check of congestion management.
#pragma once

#include "cosim/experiment/check/field_checker.h"
#include "cosim/experiment/experiment.h"
#include "cosim/experiment/tenants.h"

namespace fabrictwin::experiment {

/// Makes checked values of `congestion` and `transport`, and refuses them where routers or network interfaces cannot
/// carry them; so it does with `pfc`, which the routers check. All the rest of the experiment has been checked.
void check_congestion(Experiment& experiment, const Tenants& tenants, FieldChecker& fields);

}  // namespace fabrictwin::experiment
