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

/// What routers of the model INPUT_QUEUED ask of the rest of the experiment, once that has been checked: a torus, links
/// of one flit a cycle, VCs that the ports have room for, models in this process, traffic.
void check_input_queued(Experiment& experiment, FieldChecker& fields);

}  // namespace fabrictwin
