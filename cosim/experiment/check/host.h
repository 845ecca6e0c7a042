// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The hosts of an experiment: from the message to checked values.
#pragma once

#include "cosim/run/experiment.h"
#include "cosim/run/field_checker.h"

namespace fabrictwin {

/// Fills experiment.host from the message. Topology and workload have been checked.
void check_host(Experiment& experiment, FieldChecker& fields);

}  // namespace fabrictwin
