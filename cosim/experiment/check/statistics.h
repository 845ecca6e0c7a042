// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The statistics of an experiment: from the message to checked values.
#pragma once

#include "cosim/experiment/check/field_checker.h"
#include "cosim/experiment/experiment.h"

namespace fabrictwin::experiment {

/// Reads `statistics`; everything else must have been checked before.
StatisticsSpec check_statistics(const Experiment& experiment, FieldChecker& fields);

}  // namespace fabrictwin::experiment
