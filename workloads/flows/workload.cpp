// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/flows/workload.h"

#include <algorithm>
#include <utility>

#include "workloads/flows/summary.h"

namespace fabrictwin::flows {

Workload::Workload(FlowList flows, int32_t hosts, bool transport)
    : by_source_(static_cast<size_t>(hosts)), expected_(static_cast<size_t>(hosts)) {
  state_.flows = std::move(flows);
  state_.outcomes.resize(state_.flows.size());
  state_.bytes.resize(state_.flows.size());
  state_.transport = transport;
  for (uint32_t number = 0; number < state_.flows.size(); ++number) {
    const Flow& flow = state_.flows[number];
    by_source_[static_cast<size_t>(flow.source)].push_back(number);
    if (flow.stop.is_never()) ++expected_[static_cast<size_t>(flow.destination)];
  }
  for (std::vector<uint32_t>& own : by_source_) {
    std::stable_sort(own.begin(), own.end(),
                     [this](uint32_t a, uint32_t b) { return state_.flows[a].start < state_.flows[b].start; });
  }
}

absl::StatusOr<std::unique_ptr<host::HostProcess>> Workload::make_process(int32_t node,
                                                                          observe::EndpointDigest* digest) {
  const auto index = static_cast<size_t>(node);
  auto process = std::make_unique<Process>(node, state_, std::move(by_source_[index]), expected_[index], digest);
  processes_.push_back(process.get());
  return process;
}

void Workload::report(v1::Report& report) const {
  Time end = Time::from_fs(report.simulated_fs());
  for (const Process* process : processes_) end = std::max(end, process->finish_time());
  report_flows(state_, end, report);
}

double Workload::done() const {
  return static_cast<double>(state_.finished.load(std::memory_order_relaxed)) /
         static_cast<double>(std::max<size_t>(state_.flows.size(), 1));
}

}  // namespace fabrictwin::flows
