// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/flows/workload.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "fmt/format.h"
#include "workloads/flows/flow_metrics.h"
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
      group_of_(static_cast<size_t>(hosts), kNone),
      here_(static_cast<size_t>(hosts)) {
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
  here_[index] = true;
  if (!takes_part(node)) return std::unique_ptr<host::HostProcess>();
  Group& group = groups_[static_cast<size_t>(group_of_[index])];
  auto process =
      std::make_unique<Process>(node, state_, std::move(by_source_[index]), expected_[index], digest, group.background);
  group.processes.push_back(process.get());
  return process;
}

void Workload::measure_sums(metric::Sink& sink) const { measure_flows(state_, here_, sink); }

void Workload::report(v1::Report& report) const {
  Time end = Time::from_fs(report.simulated_fs());
  for (const Group& group : groups_) {
    for (const Process* process : group.processes) end = std::max(end, process->finish_time());
  }
  report_flows(state_, end, report);
}

bool Workload::report_part(v1::WorkloadPart& part) const {
  v1::FlowsPart& flows = *part.mutable_flows();
  for (size_t number = 0; number < state_.flows.size(); ++number) {
    const Flow& flow = state_.flows[number];
    const bool source = here_[static_cast<size_t>(flow.source)];
    const bool destination = here_[static_cast<size_t>(flow.destination)];
    if (!source && !destination) continue;
    const Outcome& outcome = state_.outcomes[number];
    v1::FlowPart& line = *flows.add_flows();
    line.set_flow(static_cast<uint32_t>(number));
    line.set_source(source);
    line.set_acknowledged_fs(outcome.acknowledged.fs());
    line.set_shift_fs(outcome.shift.fs());
    line.set_alone_fs(outcome.alone.fs());
    line.set_destination(destination);
    line.set_bytes(state_.bytes[number]);
    line.set_arrived_fs(outcome.arrived.fs());
    line.set_arrived_shift_fs(outcome.arrived_shift.fs());
  }
  Time end;
  for (size_t number = 0; number < groups_.size(); ++number) {
    const Group& group = groups_[number];
    for (const Process* process : group.processes) end = std::max(end, process->finish_time());
    if (!group.background || !std::ranges::any_of(group.processes, &Process::sends)) continue;
    const GroupEnd rounds = end_of(number);
    v1::FlowRoundsPart& line = *flows.add_rounds();
    line.set_group(static_cast<int32_t>(number));
    line.set_completions(rounds.completions);
    line.set_end_fs(rounds.at.fs());
  }
  flows.set_end_fs(end.fs());
  return true;
}

absl::Status Workload::add_part(const v1::WorkloadPart& part) {
  end_ = std::max(end_, Time::from_fs(part.flows().end_fs()));
  for (const v1::FlowRoundsPart& line : part.flows().rounds()) {
    const auto number = static_cast<size_t>(line.group());
    if (number >= groups_.size()) {
      return absl::DataLossError(
          fmt::format("a place tells of the flows of job {}, and {} jobs have some", line.group(), groups_.size()));
    }
    GroupEnd& end = groups_[number].of_parts;
    end = {std::min(end.completions, line.completions()), std::max(end.at, Time::from_fs(line.end_fs()))};
  }
  for (const v1::FlowPart& line : part.flows().flows()) {
    if (line.flow() >= state_.flows.size()) {
      return absl::DataLossError(
          fmt::format("a place tells of flow {}, and there are {}", line.flow(), state_.flows.size()));
    }
    Outcome& outcome = state_.outcomes[line.flow()];
    if (line.source()) {
      outcome.acknowledged = Time::from_fs(line.acknowledged_fs());
      outcome.shift = Time::from_fs(line.shift_fs());
      outcome.alone = Time::from_fs(line.alone_fs());
    }
    if (!line.destination()) continue;
    state_.bytes[line.flow()] = line.bytes();
    outcome.arrived = Time::from_fs(line.arrived_fs());
    outcome.arrived_shift = Time::from_fs(line.arrived_shift_fs());
  }
  return absl::OkStatus();
}

void Workload::report_parts(v1::Report& report) const {
  // Flows in the background, and those of a run that is stopped, go on until then.
  report_flows(state_, std::max(end_, Time::from_fs(report.simulated_fs())), report);
}

double Workload::done() const {
  return static_cast<double>(state_.finished.load(std::memory_order_relaxed)) /
         static_cast<double>(std::max<size_t>(state_.flows.size(), 1));
}

bool Workload::foreground_finished() const {
  return std::ranges::all_of(groups_, [](const Group& group) {
    return group.background || std::ranges::all_of(group.processes, &Process::finished);
  });
}

Workload::GroupEnd Workload::end_of(size_t index) const {
  const Group& group = groups_[index];
  GroupEnd end = group.background ? kNoSource : GroupEnd{1, Time::zero()};
  for (const Process* process : group.processes) {
    if (!group.background) {
      end.at = std::max(end.at, process->finish_time());
      if (!process->finished()) end.completions = 0;
    } else if (process->sends()) {
      end.completions = std::min(end.completions, process->rounds());
      end.at = std::max(end.at, process->round_end());
    }
  }
  if (end.completions == kNoSource.completions) end.completions = 0;
  return end;
}

Workload::GroupEnd Workload::end_of_parts(size_t index) const {
  GroupEnd end = groups_[index].of_parts;
  if (end.completions == kNoSource.completions) end.completions = 0;
  return end;
}

}  // namespace fabrictwin::flows
