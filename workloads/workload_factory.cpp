// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/workload_factory.h"

#include "workloads/tenants.h"

namespace fabrictwin::workloads {

absl::StatusOr<std::unique_ptr<host::Workload>> make_workload(const experiment::Experiment& experiment,
                                                              const system::SystemGraph& graph) {
  return kind_of(experiment).make(experiment, graph);
}

}  // namespace fabrictwin::workloads
