// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The Puts of an experiment: from the message to checked values.
#pragma once

#include "cosim/experiment/check/field_checker.h"
#include "cosim/experiment/experiment.h"

namespace fabrictwin::experiment {

/// Reads workload.puts; the router must have been checked before. Whether its hosts exist is checked when the workload
/// is built.
PutsSpec check_puts(const Experiment& experiment, FieldChecker& fields);

}  // namespace fabrictwin::experiment
