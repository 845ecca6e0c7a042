// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/workload_factory.h"

#include "workloads/tenants.h"

namespace fabrictwin::workloads {

absl::StatusOr<std::unique_ptr<host::Workload>> make_workload(const experiment::Experiment& experiment,
                                                              const system::SystemGraph& graph) {
  return kind_of(experiment).make(experiment, graph);
}

absl::Status merge_parts(const experiment::Experiment& experiment, const system::SystemGraph& graph,
                         const google::protobuf::RepeatedPtrField<v1::WorkloadPart>& parts, v1::Report& report) {
  absl::StatusOr<std::unique_ptr<host::Workload>> workload = make_workload(experiment, graph);
  if (!workload.ok()) return workload.status();
  for (const v1::WorkloadPart& part : parts) {
    if (absl::Status status = (*workload)->add_part(part); !status.ok()) return status;
  }
  (*workload)->report_parts(report);
  report.set_complete(report.complete() && (*workload)->parts_done());
  return absl::OkStatus();
}

}  // namespace fabrictwin::workloads
