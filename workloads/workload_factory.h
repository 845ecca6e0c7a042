// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the workload of an experiment.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"
#include "models/host/workload.h"

namespace fabrictwin::workloads {

/// Makes the workload of `experiment` on the hosts of `graph`. Errors (InvalidArgument, NotFound, Unimplemented,
/// DataLoss) that concern the experiment are diagnostics at its `workload_location`: a trace with more ranks than
/// hosts, with calls that cannot be replayed (each by name, rank and event), or with receives without a send; traffic
/// on a single host. The workload keeps what it needs of both arguments.
absl::StatusOr<std::unique_ptr<host::Workload>> make_workload(const experiment::Experiment& experiment,
                                                              const system::SystemGraph& graph);

}  // namespace fabrictwin::workloads
