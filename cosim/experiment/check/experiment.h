// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The last step of reading an experiment: from the message with its strings to checked values with types.
#pragma once

#include "cosim/experiment/experiment.h"
#include "cosim/experiment/location_map.h"
#include "cosim/experiment/tenants.h"

namespace fabrictwin::experiment {

/// Fills everything in `experiment` from its `message`. `locations` has the source locations of the fields; mistakes
/// are added to `diagnostics`. The path of a trace is relative to the folder of the file, or to the working directory
/// if it was given on the command line (and does exist there). With `check_files` the trace must be readable.
void check_experiment(Experiment& experiment, const Tenants& tenants, const LocationMap& locations, bool check_files,
                      DiagnosticList& diagnostics);

}  // namespace fabrictwin::experiment
