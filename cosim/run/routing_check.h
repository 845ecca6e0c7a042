// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The routing of an experiment: from the message to checked values.
#pragma once

#include "cosim/run/experiment.h"
#include "cosim/run/field_checker.h"

namespace fabrictwin {

/// Fills experiment.routing from the message, once the routers have been checked. Whether the algorithm suits the
/// topology shows when it is made (models/routing). With `check_files` a table must be readable.
void check_routing(Experiment& experiment, bool check_files, FieldChecker& fields);

}  // namespace fabrictwin
