// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The routers of an experiment: from the message to checked values.
#pragma once

#include "cosim/run/experiment.h"
#include "cosim/run/field_checker.h"

namespace fabrictwin {

/// Fills experiment.router from the message.
void check_router(Experiment& experiment, FieldChecker& fields);

/// What routers of the model INPUT_QUEUED ask of the rest of the experiment, once that has been checked: traffic,
/// buffers that its packets fit into, switching that suits the routing.
void check_input_queued(Experiment& experiment, FieldChecker& fields);

}  // namespace fabrictwin
