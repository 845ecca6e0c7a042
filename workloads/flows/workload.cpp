// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/flows/workload.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "workloads/flows/summary.h"

namespace fabrictwin::flows {
namespace {

std::vector<FlowGroup> on_all_hosts(FlowList flows, int32_t hosts) {
  std::vector<FlowGroup> groups(1);
  groups[0].flows = std::move(flows);
  groups[0].hosts.resize(static_cast<size_t>(hosts));
  std::iota(groups[0].hosts.begin(), groups[0].hosts.end(), 0);
  return groups;
}

}  // namespace

Workload::Workload(FlowList flows, int32_t hosts, bool transport)
    : Workload(on_all_hosts(std::move(flows), hosts), hosts, transport) {}

Workload::Workload(std::vector<FlowGroup> groups, int32_t hosts, bool transport)
    : by_source_(static_cast<size_t>(hosts)),
      expected_(static_cast<size_t>(hosts)),
      group_of_(static_cast<size_t>(hosts), kNone) {
  for (FlowGroup& group : groups) {
    for (const int32_t host : group.hosts) group_of_[static_cast<size_t>(host)] = static_cast<int32_t>(groups_.size());
    groups_.push_back({group.background, {}});
    state_.flows.reserve(state_.flows.size() + group.flows.size());
    for (Flow& flow : group.flows) {
      flow.repeats = group.background;
      add_flow(flow);
    }
  }
  state_.outcomes.resize(state_.flows.size());
  state_.bytes.resize(state_.flows.size());
  state_.transport = transport;
  for (std::vector<uint32_t>& own : by_source_) {
    std::stable_sort(own.begin(), own.end(),
                     [this](uint32_t a, uint32_t b) { return state_.flows[a].start < state_.flows[b].start; });
  }
}

void Workload::add_flow(Flow flow) {
  by_source_[static_cast<size_t>(flow.source)].push_back(static_cast<uint32_t>(state_.flows.size()));
  if (flow.stop.is_never() && !flow.repeats) ++expected_[static_cast<size_t>(flow.destination)];
  state_.flows.push_back(flow);
}

absl::StatusOr<std::unique_ptr<host::HostProcess>> Workload::make_process(int32_t node,
                                                                          observe::EndpointDigest* digest) {
  const auto index = static_cast<size_t>(node);
  if (group_of_[index] == kNone) return std::unique_ptr<host::HostProcess>();
  Group& group = groups_[static_cast<size_t>(group_of_[index])];
  auto process =
      std::make_unique<Process>(node, state_, std::move(by_source_[index]), expected_[index], digest, group.background);
  group.processes.push_back(process.get());
  return process;
}

void Workload::report(v1::Report& report) const {
  Time end = Time::from_fs(report.simulated_fs());
  for (const Group& group : groups_) {
    for (const Process* process : group.processes) end = std::max(end, process->finish_time());
  }
  report_flows(state_, end, report);
}

double Workload::done() const {
  return static_cast<double>(state_.finished.load(std::memory_order_relaxed)) /
         static_cast<double>(std::max<size_t>(state_.flows.size(), 1));
}

Workload::GroupEnd Workload::end_of(size_t index) const {
  const Group& group = groups_[index];
  GroupEnd end{group.background ? ~uint64_t{0} : 1, Time::zero()};
  for (const Process* process : group.processes) {
    if (!group.background) {
      end.at = std::max(end.at, process->finish_time());
      if (!process->finished()) end.completions = 0;
    } else if (process->sends()) {
      end.completions = std::min(end.completions, process->rounds());
      end.at = std::max(end.at, process->round_end());
    }
  }
  if (end.completions == ~uint64_t{0}) end.completions = 0;
  return end;
}

}  // namespace fabrictwin::flows
