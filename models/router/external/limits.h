// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether a network fits the words of a user's own routers.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/plan.h"
#include "cosim/system/system_graph.h"

namespace fabrictwin::router::external {

/// InvalidArgument, as a diagnostic with its location, if a field of the header has too few bits for the hosts or the
/// coordinates of a graph, or for messages of which hosts with several ports have many under way.
absl::Status check_header(const experiment::Experiment& experiment, const system::SystemGraph& graph);

/// A warning if a link carries more than one word in a cycle of the clock of RTL at its end, which takes no more; else
/// empty.
std::string rate_warning(const experiment::Experiment& experiment, const system::Plan& plan);

}  // namespace fabrictwin::router::external
