// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the workload of an experiment.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"
#include "fabrictwin/v1/hosts_report.pb.h"
#include "fabrictwin/v1/report.pb.h"
#include "models/host/workload.h"

namespace fabrictwin::workloads {

/// Makes the workload of `experiment` on the hosts of `graph`. Errors (InvalidArgument, NotFound, Unimplemented,
/// DataLoss) that concern the experiment are diagnostics at its `workload_location`: a trace with more ranks than
/// hosts, with calls that cannot be replayed (each by name, rank and event), or with receives without a send; traffic
/// on a single host. The workload keeps what it needs of both arguments.
absl::StatusOr<std::unique_ptr<host::Workload>> make_workload(const experiment::Experiment& experiment,
                                                              const system::SystemGraph& graph);

/// Reports the workload of `experiment` as a whole from the parts that several partitions have measured. The report is
/// complete only if all of it is done. DataLoss if they are not of it.
absl::Status merge_parts(const experiment::Experiment& experiment, const system::SystemGraph& graph,
                         const google::protobuf::RepeatedPtrField<v1::WorkloadPart>& parts, v1::Report& report);

}  // namespace fabrictwin::workloads
