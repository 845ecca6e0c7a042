// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The routers of an experiment: from the message to checked values.
#pragma once

#include "cosim/experiment/check/field_checker.h"
#include "cosim/experiment/check/file.h"
#include "cosim/experiment/experiment.h"
#include "cosim/experiment/tenants.h"

namespace fabrictwin::experiment {

/// Fills experiment.router from the message.
void check_router(Experiment& experiment, const Tenants& tenants, const FileChecker& files, FieldChecker& fields);

/// Checks what routers require of the rest of the experiment, which must have been checked before, but for the hosts.
void complete_router(Experiment& experiment, const Tenants& tenants, FieldChecker& fields);

}  // namespace fabrictwin::experiment
