// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The traffic of an experiment: from the message to checked values.
#pragma once

#include "cosim/run/experiment.h"
#include "cosim/run/field_checker.h"

namespace fabrictwin {

/// Reads workload.traffic; the router must have been checked. Whether a pattern exists on the network's hosts shows
/// when the workload is made.
TrafficSpec check_traffic(const Experiment& experiment, FieldChecker& fields);

}  // namespace fabrictwin
