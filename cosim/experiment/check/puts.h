// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The Puts of an experiment: from the message to checked values.
#pragma once

#include "cosim/run/experiment.h"
#include "cosim/run/field_checker.h"

namespace fabrictwin {

/// Reads workload.puts; the router must have been checked. Whether its hosts exist shows when the workload is made.
PutsSpec check_puts(const Experiment& experiment, FieldChecker& fields);

}  // namespace fabrictwin
