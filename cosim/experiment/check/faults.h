// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The check of faults.
#pragma once

#include "cosim/experiment/check/field_checker.h"
#include "cosim/experiment/experiment.h"

namespace fabrictwin::experiment {

/// Checks times and rates of the faults of an experiment whose router and statistics have been checked, and fills in
/// Experiment::faults. Links are only compared with the graph when that is built.
void check_faults(Experiment& experiment, FieldChecker& fields);

}  // namespace fabrictwin::experiment
