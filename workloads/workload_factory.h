// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// From an experiment to the workload that it asks for.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "cosim/run/experiment.h"
#include "cosim/run/system_graph.h"
#include "models/workload.h"

namespace fabrictwin {

/// Makes the workload of `experiment` on the hosts of `graph`. Errors (InvalidArgument, NotFound, Unimplemented,
/// DataLoss) that concern the experiment are diagnostics at its `workload_place`: a trace with more ranks than hosts,
/// with calls that cannot be replayed (each by name, rank and event), with receives that nothing is sent to; traffic on
/// a single host. The workload keeps what it needs of both arguments.
absl::StatusOr<std::unique_ptr<Workload>> make_workload(const Experiment& experiment, const SystemGraph& graph);

}  // namespace fabrictwin
