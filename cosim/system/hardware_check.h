// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether RTL and boards can be what a rule makes of them.
#pragma once

#include "cosim/experiment/experiment.h"
#include "cosim/experiment/location_map.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::system {

/// Adds a diagnostic for each thing that hardware of ExaNet (experiment.capabilities.hardware) cannot do of an
/// experiment in which `use` makes elements of it.
void check_hardware(const experiment::Experiment& experiment, const SystemGraph& graph, const experiment::UseSpec& use,
                    experiment::DiagnosticList& diagnostics);

}  // namespace fabrictwin::system
