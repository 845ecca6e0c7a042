// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/statistics/congestion_report.h"

#include <algorithm>

#include "cosim/metric/metric.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "models/partition/statistics/control_report.h"
#include "models/partition/statistics/flow_measures.h"
#include "models/partition/statistics/queue_report.h"

namespace fabrictwin::partition::statistics {
namespace {

/// A line names at most so many hosts.
constexpr size_t kMostNames = 8;

const metric::Counter kPauses{{.name = "fabrictwin_pauses_total",
                               .help = "How often inputs of routers have paused their senders",
                               .order = 450,
                               .in_report = false}};
const metric::Counter kPausedSeconds{{.name = "fabrictwin_paused_seconds_total",
                                      .unit = "seconds",
                                      .help = "Simulated time for which outputs have been paused, all together",
                                      .order = 451,
                                      .in_report = false}};
const metric::Counter kFlowMarks{
    {.name = "fabrictwin_flow_marks_total",
     .help = "Packets of one flow that arrived with a mark of congestion; of workloads of at most 64 flows",
     .labels = {"flow"},
     .order = 470,
     .in_report = false}};
const metric::Counter kFlowNotices{
    {.name = "fabrictwin_flow_notices_total",
     .help = "Notices of congestion that the receiver of one flow has sent; of workloads of at most 64 flows",
     .labels = {"flow"},
     .order = 470,
     .in_report = false}};

}  // namespace

NetworkPoint CongestionReport::state() const {
  NetworkPoint point{.flow_bytes = NetworkPoint::of_flows(workload_.flow_bytes()),
                     .class_bytes = workload_.class_bytes(),
                     .queue_bytes = network_.longest_queue(),
                     .pauses = network_.pauses(),
                     .set_aside = network_.set_aside().in_use()};
  add_allowances(point);
  return point;
}

void CongestionReport::add_allowances(NetworkPoint& point) const {
  if (!flows_.controlled || flows_.signs.size() > kMostFollowedFlows) return;
  for (const fabric::FlowSigns& flow : flows_.signs) {
    uint64_t rate = 0;
    uint64_t window = 0;
    // A host is in one shard, and the others know nothing of its flows.
    for (size_t shard = 0; shard < hosts_.size() && flow.source >= 0; ++shard) {
      const fabric::TransportHosts::Allowance here = hosts_[shard]->allowance(flow.source, flow.queue_pair);
      rate += here.rate;
      window += here.window;
    }
    point.flow_rates.push_back(rate);
    point.flow_windows.push_back(window);
  }
}

void CongestionReport::add_tree(Time at) {
  if (!network_.whole()) {
    v1::TreePart& part = tree_parts_.emplace_back();
    part.set_at_fs(at.fs());
    const router::packet::sharded::ShardedNetwork::TreeState state = network_.tree_state(at);
    for (const auto& queue : state.queues) {
      part.add_outputs(queue.output);
      part.add_bytes(queue.bytes);
      part.add_held_up(queue.held_up);
    }
    for (const auto& [from, to] : state.leads) {
      part.add_leads_from(from);
      part.add_leads_to(to);
    }
    return;
  }
  v1::TreeSnapshot& tree = trees_.emplace_back();
  tree.set_seconds(at.seconds());
  for (const router::packet::sharded::ShardedNetwork::TreeOutput& output : network_.congested(at)) {
    v1::TreePort& port = *tree.add_ports();
    port.set_port(graph_.end_name(output.end));
    port.set_bytes(static_cast<uint64_t>(output.bytes));
    if (output.next >= 0) port.set_next(output.next);
  }
}

void CongestionReport::sample(Time until) {
  while (next_tree() <= until && !next_tree().is_never()) add_tree(next_tree());
  series_.sample(until, workload_, [this] { return state(); });
}

void CongestionReport::add_waits(std::vector<std::string>& lines) const {
  for (const router::packet::FailedOutput& output : network_.failed_outputs()) {
    const system::LinkEnd end{static_cast<system::ElementId>(output.element), output.port};
    const bool stays = faults_[static_cast<size_t>(output.fault)].until.is_never();
    const std::string since = fmt::format("{} has failed at {}{}", graph_.end_name(end), to_string(output.at),
                                          stays ? " and does not return" : "");
    if (static_cast<int32_t>(output.element) < graph_.host_count()) {
      lines.push_back(fmt::format("{}: {} cannot send", since, graph_.elements[output.element].name));
      continue;
    }
    if (output.sources.empty()) continue;
    std::vector<std::string> sources;
    for (const int32_t host : output.sources) {
      if (sources.size() == kMostNames) break;
      sources.push_back(graph_.elements[static_cast<size_t>(host)].name);
    }
    lines.push_back(fmt::format("{}: packets of {}{} wait for it", since, fmt::join(sources, ", "),
                                output.sources.size() > kMostNames ? " and others" : ""));
  }
}

void CongestionReport::report_lane(const experiment::FaultSpec& fault, uint64_t damaged, v1::FaultReport& line) {
  if (fault.bit_error_rate <= 0) return;
  line.set_bit_error_rate(fault.bit_error_rate);
  line.set_damaged_packets(damaged);
  line.set_lost_packets(0);
}

// Both directions of a link are one fault: the longest queue of either, and when both were empty again.
void CongestionReport::report_faults(v1::Report& report) const {
  const std::vector<router::packet::FaultOutcome> outcomes = network_.fault_outcomes();
  size_t next = 0;
  for (size_t i = 0; i < faults_.size(); ++i) {
    int64_t most = 0;
    Time recovered;
    uint64_t damaged = 0;
    for (; next < outcomes.size() && outcomes[next].fault == static_cast<int32_t>(i); ++next) {
      most = std::max(most, outcomes[next].queue_bytes);
      recovered = std::max(recovered, outcomes[next].recovered);
      damaged += outcomes[next].slicing.repeated + outcomes[next].slicing.saved;
    }
    v1::FaultReport& line = *report.add_faults();
    report_fault(faults_[i], most, recovered, line);
    report_lane(faults_[i], damaged, line);
  }
}

void CongestionReport::report_fault(const experiment::FaultSpec& fault, int64_t queue_bytes, Time recovered,
                                    v1::FaultReport& line) {
  line.set_link(fault.link);
  line.set_at_seconds(fault.at.seconds());
  if (!fault.until.is_never()) line.set_until_seconds(fault.until.seconds());
  line.set_rate(fault.rate);
  line.set_queue_bytes(static_cast<uint64_t>(queue_bytes));
  if (!recovered.is_never()) line.set_recovery_seconds((recovered - fault.until).seconds());
}

host::ControlCounters CongestionReport::control() const {
  host::ControlCounters all;
  for (const fabric::TransportHosts* hosts : hosts_) all.add(hosts->control());
  return all;
}

void CongestionReport::measure(metric::Sink& sink) const {
  if (network_.counts_queues()) measure_queues(network_.longest_queue(), network_.queues(network_.now()), sink);
  if (network_.pausing()) {
    sink.add(kPauses, static_cast<double>(network_.pauses()));
    sink.add(kPausedSeconds, network_.paused(network_.now()).seconds());
  }
  if (!hosts_.empty()) measure_control(control(), sink);
  if (network_.sets_aside()) measure_set_aside(network_.set_aside().in_use(), sink);
  if (flows_.signs.size() > kMostFollowedFlows) return;
  for (size_t flow = 0; flow < flows_.signs.size(); ++flow) {
    if (!network_.whole() && flows_.signs[flow].marks == 0 && flows_.signs[flow].notices == 0) continue;
    const std::string number = std::to_string(flow);
    sink.add(kFlowMarks, static_cast<double>(flows_.signs[flow].marks), {number});
    sink.add(kFlowNotices, static_cast<double>(flows_.signs[flow].notices), {number});
  }
}

void CongestionReport::report_set_aside(const router::packet::buffer::SetAsideCount& set_aside,
                                        v1::QueuesReport& report) {
  report.set_set_aside_most(static_cast<uint64_t>(set_aside.most()));
  report.set_set_aside_at_end(static_cast<uint64_t>(set_aside.in_use()));
  if (set_aside.released() > 0) report.set_set_aside_released_seconds(Time::from_fs(set_aside.released()).seconds());
}

void CongestionReport::report_queues(Time at, v1::QueuesReport& report) const {
  const router::packet::sharded::ShardedNetwork::Queues queues = network_.queues(at);
  statistics::report_queues(queues, report);
  if (network_.pausing()) report.set_paused_seconds(network_.paused(at).seconds());
  if (network_.sets_aside()) report_set_aside(network_.set_aside(), report);
  if (queues.most == 0) return;
  report.set_max_port(graph_.end_name(queues.most_at));
  report.set_mean_port(graph_.end_name(queues.mean_at));
}

std::string CongestionReport::no_tree(Time wanted, Time at) {
  return fmt::format(
      "statistics.tree_at {}: the run was over at {}, so there is no tree of that time; write an earlier one",
      to_string(wanted), to_string(at));
}

void CongestionReport::report_flows(v1::Report& report) const {
  if (report.flows_size() == 0) return;
  measure_flows(flow_paths(network_, flows_.signs, report), flows_.signs, flows_.payload_share, report);
}

void CongestionReport::report(Time at, bool complete, v1::Report& report) const {
  if (network_.counts_queues()) report_queues(at, *report.mutable_queues());
  report_faults(report);
  if (network_.pausing()) report.set_pauses(network_.pauses());
  if (!hosts_.empty()) report_control(control(), *report.mutable_control());
  // What came after the end of the workload does not belong to it.
  for (size_t i = 0; i < tree_at_.size(); ++i) {
    if (i < trees_.size() && (!complete || tree_at_[i] <= at)) {
      *report.add_trees() = trees_[i];
    } else {
      report.add_warnings(no_tree(tree_at_[i], at));
    }
  }
  series_.report(at, complete, report);
}

}  // namespace fabrictwin::partition::statistics
