// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The statistics of an experiment: from the message to checked values.
#pragma once

#include "cosim/run/experiment.h"
#include "cosim/run/field_checker.h"

namespace fabrictwin {

/// Reads `statistics`; everything else must have been checked.
StatisticsSpec check_statistics(const Experiment& experiment, FieldChecker& fields);

}  // namespace fabrictwin
