// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The flows that a workload of an experiment makes.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "fabrictwin/v1/report.pb.h"
#include "models/network/topology.h"
#include "tests/experiments.h"
#include "workloads/workload_factory.h"

namespace fabrictwin::test {

/// Makes the workload of an experiment and returns its flows before any of them has started; an error if the
/// experiment or the workload is refused. Paths are relative to the folder of `file`.
inline absl::StatusOr<std::vector<v1::FlowReport>> make_flows(const std::string& text,
                                                              const std::string& file = "e.textproto") {
  const auto experiment = parse_experiment(text, file);
  if (!experiment.ok()) return experiment.status();
  const auto graph = network::build_topology(*experiment);
  if (!graph.ok()) return graph.status();
  const auto workload = workloads::make_workload(*experiment, *graph);
  if (!workload.ok()) return workload.status();
  v1::Report report;
  (*workload)->report(report);
  return std::vector<v1::FlowReport>(report.flows().begin(), report.flows().end());
}

}  // namespace fabrictwin::test
