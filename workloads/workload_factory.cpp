// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/workload_factory.h"

#include "models/host/message_latencies.h"
#include "models/partition/statistics/congestion_parts.h"
#include "models/partition/statistics/occupancy_parts.h"
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
  bool of_workload = false;
  for (const v1::WorkloadPart& part : parts) {
    if (!part.has_traffic() && !part.has_activity() && !part.has_ip() && !part.has_flows() && part.jobs().empty())
      continue;
    of_workload = true;
    if (absl::Status status = (*workload)->add_part(part); !status.ok()) return status;
  }
  if (of_workload) (*workload)->report_parts(report);
  if (experiment.statistics.latency_histogram) {
    if (absl::Status status = host::MessageLatencies::report_parts(parts, report); !status.ok()) return status;
  }
  report.set_complete(report.complete() && (*workload)->parts_done());
  if (absl::Status status = partition::statistics::report_congestion(experiment, graph, parts, report); !status.ok())
    return status;
  return partition::statistics::report_occupancy(parts, report);
}

}  // namespace fabrictwin::workloads
