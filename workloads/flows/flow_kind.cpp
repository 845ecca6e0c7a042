// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/flows/flow_kind.h"

#include <algorithm>
#include <utility>

#include "workloads/flows/workload.h"

namespace fabrictwin::flows {

absl::Status wrong_flows(const experiment::SourceLocation& location, const std::string& message) {
  return absl::InvalidArgumentError(experiment::format_diagnostic(location, message));
}

void FlowKind::check(experiment::Experiment& experiment, const experiment::FileChecker& files,
                     experiment::FieldChecker& fields) const {
  v1::Workload& workload = *experiment.message.mutable_workload();
  const auto* field = workload.GetDescriptor()->FindFieldByNumber(kind());
  google::protobuf::Message& message = *workload.GetReflection()->MutableMessage(&workload, field);
  experiment.workload_spec =
      check_flows(message, files, experiment::MessageReader(message, "workload." + field->name(), fields));
  experiment.workload_traits = {.flows = true};
}

std::string FlowKind::text(const experiment::Experiment& experiment) const {
  return flows_text(experiment.workload_spec);
}

absl::StatusOr<std::unique_ptr<host::Workload>> FlowKind::make(const experiment::Experiment& experiment,
                                                               const system::SystemGraph& graph) const {
  const FlowSite site = {.hosts = graph.host_count(),
                         .rate = graph.channel_link(graph.channel_from(0, 0)).rate.bits_per_second,
                         .seed = experiment.seed,
                         .transport = experiment.transport.has_value(),
                         .endless = false,
                         .location = experiment.workload_location};
  absl::StatusOr<FlowList> flows = list(experiment.workload_spec, site);
  if (!flows.ok()) return flows.status();
  return std::make_unique<Workload>(*std::move(flows), site.hosts, site.transport);
}

}  // namespace fabrictwin::flows
