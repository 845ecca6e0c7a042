// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/congestion_report.h"

#include <algorithm>
#include <numeric>

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace fabrictwin::partition {
namespace {

/// A line names at most so many hosts.
constexpr size_t kMostNames = 8;
/// Above so many flows, only all of them together are followed.
constexpr size_t kMostFlows = 64;
/// A series has at most so many points; then it has half as many, at twice the interval.
constexpr size_t kMostPoints = 8192;

}  // namespace

void CongestionReport::add_point(Time end) {
  Point& point = points_.emplace_back();
  point.end = end;
  point.queue_bytes = network_.longest_queue();
  point.pauses = network_.pauses();
  if (flow_bytes_.size() <= kMostFlows) {
    point.flow_bytes.assign(flow_bytes_.begin(), flow_bytes_.end());
  } else {
    point.flow_bytes = {std::accumulate(flow_bytes_.begin(), flow_bytes_.end(), uint64_t{0})};
  }
}

void CongestionReport::sample(Time until) {
  while (next_ <= until && !next_.is_never()) {
    add_point(next_);
    if (points_.size() == kMostPoints) {
      for (size_t i = 0; i < kMostPoints / 2; ++i) points_[i] = std::move(points_[2 * i + 1]);
      points_.resize(kMostPoints / 2);
      interval_ = interval_ + interval_;
    }
    next_ = points_.back().end + interval_;
  }
}

std::string CongestionReport::name_of(const system::LinkEnd& end) const {
  const system::Element& element = graph_.elements[static_cast<size_t>(end.element)];
  return fmt::format("{}.{}", element.name, element.ports[static_cast<size_t>(end.port)]);
}

void CongestionReport::add_waits(std::vector<std::string>& lines) const {
  for (const router::packet::Network::FailedOutput& output : network_.failed_outputs()) {
    const system::LinkEnd end{static_cast<system::ElementId>(output.element), output.port};
    const bool stays = faults_[static_cast<size_t>(output.fault)].until.is_never();
    const std::string since =
        fmt::format("{} has failed at {}{}", name_of(end), to_string(output.at), stays ? " and does not return" : "");
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

// Both directions of a link are one fault: the longest queue of either, and when both were empty again.
void CongestionReport::report_faults(v1::Report& report) const {
  const std::vector<router::packet::FaultOutcome> outcomes = network_.fault_outcomes();
  size_t next = 0;
  for (size_t i = 0; i < faults_.size(); ++i) {
    const experiment::FaultSpec& fault = faults_[i];
    v1::FaultReport& line = *report.add_faults();
    line.set_link(fault.link);
    line.set_at_seconds(fault.at.seconds());
    if (!fault.until.is_never()) line.set_until_seconds(fault.until.seconds());
    line.set_rate(fault.rate);
    int64_t most = 0;
    Time recovered;
    for (; next < outcomes.size() && outcomes[next].fault == static_cast<int32_t>(i); ++next) {
      most = std::max(most, outcomes[next].queue_bytes);
      recovered = std::max(recovered, outcomes[next].recovered);
    }
    line.set_queue_bytes(static_cast<uint64_t>(most));
    if (!recovered.is_never()) line.set_recovery_seconds((recovered - fault.until).seconds());
  }
}

void CongestionReport::report(Time at, v1::Report& report) const {
  if (network_.counts_queues()) {
    const router::packet::ShardedNetwork::Queues queues = network_.queues(at);
    v1::QueuesReport& line = *report.mutable_queues();
    line.set_max_bytes(static_cast<uint64_t>(queues.most));
    line.set_mean_bytes(queues.mean);
    if (queues.most > 0) {
      line.set_max_port(name_of(queues.most_at));
      line.set_mean_port(name_of(queues.mean_at));
    }
  }
  report_faults(report);
  if (network_.pausing()) report.set_pauses(network_.pauses());
  if (!hosts_.empty()) {
    fabric::ControlCounters all;
    for (const fabric::TransportHosts* hosts : hosts_) all.add(hosts->control());
    v1::ControlReport& control = *report.mutable_control();
    control.set_marks(all.marks);
    control.set_acknowledgements(all.acknowledgements);
    control.set_notices(all.notices);
    control.set_bytes(all.bytes);
  }
  if (points_.empty()) return;
  v1::SeriesReport& series = *report.mutable_series();
  series.set_interval_seconds(interval_.seconds());
  const Point* before = nullptr;
  for (const Point& point : points_) {
    v1::SeriesPoint& line = *series.add_points();
    line.set_seconds(point.end.seconds());
    for (size_t flow = 0; flow < point.flow_bytes.size(); ++flow)
      line.add_flow_bytes(point.flow_bytes[flow] - (before == nullptr ? 0 : before->flow_bytes[flow]));
    line.set_queue_bytes(static_cast<uint64_t>(point.queue_bytes));
    line.set_pauses(point.pauses);
    before = &point;
  }
}

}  // namespace fabrictwin::partition
