// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the links of an experiment's faults.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"
#include "models/router/packet/link_fault.h"

namespace fabrictwin::network {

/// The outputs that the faults of an experiment concern, in a graph with an index: both of a link, or one.
/// InvalidArgument, as a diagnostic with its location, if a link does not exist or two faults of a link overlap in
/// time. Thread-safe.
absl::StatusOr<std::vector<router::packet::LinkFault>> find_faults(const experiment::Experiment& experiment,
                                                                   const system::SystemGraph& graph);

}  // namespace fabrictwin::network
