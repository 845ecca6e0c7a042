// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/statistics/congestion_parts.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "models/fabric/transport_hosts.h"
#include "models/kernel/queue_times.h"
#include "models/network/packet_network.h"
#include "models/partition/statistics/congestion_part_check.h"
#include "models/partition/statistics/congestion_report.h"
#include "models/partition/statistics/flow_measures.h"
#include "models/partition/statistics/goodput_window.h"
#include "models/partition/statistics/point_series.h"
#include "models/partition/statistics/queue_report.h"
#include "models/router/packet/buffer/input_queues.h"
#include "models/router/packet/sharded/sharded_network.h"

namespace fabrictwin::partition::statistics {
namespace {

using router::packet::sharded::ShardedNetwork;

using Bytes = google::protobuf::RepeatedField<uint64_t>;

/// Adds what has arrived since the point before to a line; `sum` is all that has arrived.
void add_arrived(const Bytes& sum, std::vector<uint64_t>& before, Bytes& line) {
  before.resize(static_cast<size_t>(sum.size()));
  for (int i = 0; i < sum.size(); ++i) line.Add(sum[i] - std::exchange(before[static_cast<size_t>(i)], sum[i]));
}

void add_up(const Bytes& part, Bytes& sum) {
  while (sum.size() < part.size()) sum.Add(0);
  for (int i = 0; i < part.size(); ++i) sum[i] += part[i];
}

/// Puts parts together that have been checked.
class Merge {
 public:
  Merge(const experiment::Experiment& experiment, const system::SystemGraph& graph,
        std::vector<v1::CongestionPart> parts, v1::Report& report)
      : experiment_(experiment),
        graph_(graph),
        parts_(std::move(parts)),
        report_(report),
        end_(Time::from_fs(report.simulated_fs())) {
    for (const system::Element& element : graph.elements) {
      for (size_t port = 0; port < element.ports.size(); ++port) {
        outputs_.push_back(
            {static_cast<system::ElementId>(&element - graph.elements.data()), static_cast<int32_t>(port)});
      }
    }
    int64_t window = 1;
    for (const v1::CongestionPart& part : parts_) window = std::max(window, part.window_fs());
    stops_ = (end_.fs() / window + 1) * window;
  }

  void report() {
    if (any(&v1::CongestionPart::has_queues)) report_queues();
    report_faults();
    if (any(&v1::CongestionPart::has_control)) report_control();
    report_trees();
    if (any(&v1::CongestionPart::has_series)) report_series();
    report_goodput_window();
    report_flows();
  }

 private:
  bool any(bool (v1::CongestionPart::*has)() const) const {
    return std::ranges::any_of(parts_, [&](const v1::CongestionPart& part) { return (part.*has)(); });
  }
  /// Whether it was in the run, which in one partition would have been over afterwards.
  bool counts(int64_t at) const { return !report_.complete() || at < stops_; }
  std::string name_of(uint32_t output) const {
    if (output >= outputs_.size()) return {};
    return graph_.end_name(outputs_[output]);
  }

  void report_queues();
  void report_set_aside(v1::QueuesReport& line) const;
  void report_faults();
  void report_control();
  void report_trees();
  v1::TreeSnapshot tree_at(Time at) const;
  void report_series();
  void report_goodput_window();
  void report_flows();
  FlowPaths paths_of_flows() const;

  const experiment::Experiment& experiment_;
  const system::SystemGraph& graph_;
  std::vector<v1::CongestionPart> parts_;
  v1::Report& report_;
  Time end_;
  int64_t stops_ = 0;  ///< One partition would simulate everything before this.
  std::vector<system::LinkEnd> outputs_;
};

void Merge::report_queues() {
  kernel::QueueTotals totals;
  bool pausing = false;
  bool at_inputs = false;
  uint64_t pauses = 0;
  int64_t paused = 0;
  for (const v1::CongestionPart& part : parts_) {
    totals.add(totals_of(part.queues()), end_);
    pausing = pausing || part.queues().pausing();
    at_inputs = at_inputs || part.queues().at_inputs();
    pauses += part.queues().pauses();
    paused += part.queues().paused_fs() + end_.fs() * part.queues().paused_outputs();
  }
  const kernel::QueueSummary queues = totals.at(end_);
  v1::QueuesReport& line = *report_.mutable_queues();
  statistics::report_queues(queues, line);
  if (at_inputs) line.set_at_inputs(true);
  if (pausing) {
    line.set_paused_seconds(Time::from_fs(std::max<int64_t>(paused, 0)).seconds());
    report_.set_pauses(pauses);
  }
  report_set_aside(line);
  if (queues.most == 0) return;
  line.set_max_port(name_of(totals.most_queue));
  line.set_mean_port(name_of(totals.mean_queue));
}

void Merge::report_set_aside(v1::QueuesReport& line) const {
  router::packet::buffer::SetAsideCount count;
  std::vector<router::packet::buffer::SetAsideChange> changes;
  bool sets_aside = false;
  for (const v1::CongestionPart& part : parts_) {
    const v1::QueuesPart& queues = part.queues();
    sets_aside = sets_aside || queues.sets_aside();
    for (int i = 0; i < std::min(queues.set_aside_fs_size(), queues.set_aside_change_size()); ++i) {
      if (counts(queues.set_aside_fs(i))) changes.push_back({queues.set_aside_fs(i), queues.set_aside_change(i)});
    }
  }
  count.add(changes);
  if (sets_aside) CongestionReport::report_set_aside(count, line);
}

void Merge::report_faults() {
  struct Outcome {
    int64_t most = 0;
    Time recovered;
    uint64_t damaged = 0;
  };
  std::map<int32_t, Outcome> outcomes;
  for (const v1::CongestionPart& part : parts_) {
    for (const v1::FaultPart& fault : part.faults()) {
      auto& [most, recovered, damaged] = outcomes[fault.fault()];
      most = std::max(most, fault.queue_bytes());
      const Time at = counts(fault.recovered_fs()) ? Time::from_fs(fault.recovered_fs()) : Time::never();
      recovered = std::max(recovered, at);
      damaged += static_cast<uint64_t>(
          std::ranges::count_if(fault.damaged_fs(), [&](int64_t damage) { return counts(damage); }));
    }
  }
  if (outcomes.empty()) return;
  for (size_t i = 0; i < experiment_.faults.size(); ++i) {
    const auto& [most, recovered, damaged] = outcomes[static_cast<int32_t>(i)];
    v1::FaultReport& line = *report_.add_faults();
    CongestionReport::report_fault(experiment_.faults[i], most, recovered, line);
    CongestionReport::report_lane(experiment_.faults[i], damaged, line);
  }
}

void Merge::report_control() {
  v1::ControlReport& line = *report_.mutable_control();
  line.Clear();
  for (const v1::CongestionPart& part : parts_) {
    const v1::ControlReport& control = part.control();
    v1::ControlLatePart late;
    for (const v1::ControlLatePart& more : part.late()) {
      if (counts(more.at_fs())) continue;
      late.set_marks(late.marks() + more.marks());
      late.set_acknowledgements(late.acknowledgements() + more.acknowledgements());
      late.set_notices(late.notices() + more.notices());
      late.set_bytes(late.bytes() + more.bytes());
    }
    line.set_marks(line.marks() + control.marks() - late.marks());
    line.set_acknowledgements(line.acknowledgements() + control.acknowledgements() - late.acknowledgements());
    line.set_notices(line.notices() + control.notices() - late.notices());
    line.set_bytes(line.bytes() + control.bytes() - late.bytes());
  }
}

// An output is congested, and waits for another one, by the rules of ShardedNetwork::congested().
v1::TreeSnapshot Merge::tree_at(Time at) const {
  struct Queue {
    int64_t bytes = 0;
    bool held_up = false;
  };
  std::map<uint32_t, Queue> queues;
  std::map<uint32_t, uint32_t> leads;
  int64_t longest = 0;
  for (const v1::CongestionPart& part : parts_) {
    for (const v1::TreePart& tree : part.trees()) {
      if (tree.at_fs() != at.fs()) continue;
      for (int i = 0; i < std::min({tree.outputs_size(), tree.bytes_size(), tree.held_up_size()}); ++i) {
        queues[tree.outputs(i)] = {tree.bytes(i), tree.held_up(i)};
        longest = std::max(longest, tree.bytes(i));
      }
      for (int i = 0; i < std::min(tree.leads_from_size(), tree.leads_to_size()); ++i)
        leads[tree.leads_from(i)] = tree.leads_to(i);
    }
  }
  std::vector<uint32_t> outputs;
  for (const auto& [output, queue] : queues) {
    if (2 * queue.bytes > longest || queue.held_up) outputs.push_back(output);
  }
  v1::TreeSnapshot snapshot;
  snapshot.set_seconds(at.seconds());
  for (size_t i = 0; i < outputs.size(); ++i) {
    v1::TreePort& port = *snapshot.add_ports();
    port.set_port(name_of(outputs[i]));
    port.set_bytes(static_cast<uint64_t>(queues[outputs[i]].bytes));
    const auto next = leads.find(outputs[i]);
    if (next == leads.end()) continue;
    const auto known = std::ranges::find(outputs, next->second);
    port.set_next(static_cast<int32_t>(known - outputs.begin()));
    if (known == outputs.end()) outputs.push_back(next->second);
  }
  return snapshot;
}

void Merge::report_trees() {
  for (const Time at : experiment_.statistics.tree_at) {
    const bool taken = std::ranges::any_of(parts_, [&](const v1::CongestionPart& part) {
      return std::ranges::any_of(part.trees(), [&](const v1::TreePart& tree) { return tree.at_fs() == at.fs(); });
    });
    if (taken && (!report_.complete() || at <= end_)) {
      *report_.add_trees() = tree_at(at);
    } else {
      report_.add_warnings(CongestionReport::no_tree(at, end_));
    }
  }
}

// Intervals of parts differ by powers of two, and a part in which nothing happened any more has its last state.
void Merge::report_series() {
  int64_t interval = 0;
  int64_t last = 0;
  for (const v1::CongestionPart& part : parts_) {
    if (!part.has_series() || part.series().interval_fs() <= 0) continue;
    interval = std::max(interval, part.series().interval_fs());
    last = std::max(last, part.series().interval_fs() * part.series().points_size());
  }
  if (interval == 0) return;
  if (report_.complete()) {
    last = std::min(last, end_.fs());
  } else if (end_ == experiment_.stop_after) {
    // Nobody knew what others would say of that time.
    last = end_.fs();
  }
  // In one partition there would not be more points either.
  while (last / interval >= static_cast<int64_t>(PointSeries<int>::kMostPoints)) interval *= 2;
  if (last < interval) return;
  v1::SeriesReport& series = *report_.mutable_series();
  series.set_interval_seconds(Time::from_fs(interval).seconds());
  const bool pausing =
      std::ranges::any_of(parts_, [](const v1::CongestionPart& part) { return part.series().pausing(); });
  const bool queues =
      std::ranges::any_of(parts_, [](const v1::CongestionPart& part) { return part.series().queues(); });
  std::vector<uint64_t> flows_before;
  std::vector<uint64_t> classes_before;
  for (int64_t at = interval; at <= last; at += interval) {
    v1::SeriesPointPart sum;
    for (const v1::CongestionPart& part : parts_) {
      const v1::SeriesPart& own = part.series();
      if (own.interval_fs() <= 0) continue;
      const int64_t index = at / own.interval_fs() - 1;
      const v1::SeriesPointPart& point = index < own.points_size() ? own.points(static_cast<int>(index)) : own.rest();
      add_up(point.flow_bytes(), *sum.mutable_flow_bytes());
      add_up(point.class_bytes(), *sum.mutable_class_bytes());
      add_up(point.flow_rate_bps(), *sum.mutable_flow_rate_bps());
      add_up(point.flow_window_bytes(), *sum.mutable_flow_window_bytes());
      sum.set_queue_bytes(std::max(sum.queue_bytes(), point.queue_bytes()));
      sum.set_pauses(sum.pauses() + point.pauses());
      sum.set_set_aside(sum.set_aside() + point.set_aside());
    }
    v1::SeriesPoint& line = *series.add_points();
    line.set_seconds(Time::from_fs(at).seconds());
    add_arrived(sum.flow_bytes(), flows_before, *line.mutable_flow_bytes());
    add_arrived(sum.class_bytes(), classes_before, *line.mutable_class_bytes());
    if (queues) line.set_queue_bytes(static_cast<uint64_t>(sum.queue_bytes()));
    if (pausing) line.set_pauses(sum.pauses());
    line.set_set_aside(static_cast<uint64_t>(sum.set_aside()));
    *line.mutable_flow_rate_bps() = sum.flow_rate_bps();
    *line.mutable_flow_window_bytes() = sum.flow_window_bytes();
  }
  NetworkSeries::drop_windows(series);
}

// A flow has its bytes where its destination is.
void Merge::report_goodput_window() {
  if (!experiment_.statistics.goodput_window.has_value()) return;
  v1::GoodputWindowPart sum;
  for (const v1::CongestionPart& part : parts_) {
    const v1::GoodputWindowPart& own = part.series().goodput_window();
    add_up(own.flow_bytes_before(), *sum.mutable_flow_bytes_before());
    add_up(own.flow_bytes_after(), *sum.mutable_flow_bytes_after());
    add_up(own.class_bytes_before(), *sum.mutable_class_bytes_before());
    add_up(own.class_bytes_after(), *sum.mutable_class_bytes_after());
  }
  GoodputWindow::report_sum(*experiment_.statistics.goodput_window, sum, end_, report_);
}

FlowPaths Merge::paths_of_flows() const {
  FlowPaths paths;
  paths.outputs.resize(static_cast<size_t>(report_.flows_size()));
  uint32_t first = ~uint32_t{0};
  for (const v1::CongestionPart& part : parts_) {
    for (const v1::FlowSignsPart& flow : part.flows()) {
      if (!flow.source() || flow.flow() >= paths.outputs.size()) continue;
      const v1::FlowReport& line = report_.flows(static_cast<int>(flow.flow()));
      if (flow.several() && flow.flow() < first) {
        first = flow.flow();
        paths.no_paths = several_paths(line.source(), line.destination());
      }
      for (const uint32_t output : flow.outputs()) {
        if (output < outputs_.size()) paths.outputs[flow.flow()].push_back(output);
      }
    }
  }
  for (const system::LinkEnd& end : outputs_) {
    const int32_t channel = graph_.channel_from(end.element, end.port);
    const system::Link& link = channel < 0 ? graph_.links[0] : graph_.channel_link(channel);
    paths.all.push_back({link.rate.bits_per_second, false});
  }
  for (const v1::CongestionPart& part : parts_) {
    for (const uint32_t output : part.congested_outputs()) {
      if (output < paths.all.size()) paths.all[output].congested = true;
    }
  }
  return paths;
}

void Merge::report_flows() {
  if (report_.flows_size() == 0 || !experiment_.transport.has_value()) return;
  std::vector<fabric::FlowSigns> signs(static_cast<size_t>(report_.flows_size()));
  for (const v1::CongestionPart& part : parts_) {
    for (const v1::FlowSignsPart& flow : part.flows()) {
      if (flow.flow() >= signs.size()) continue;
      signs[flow.flow()].marks += flow.marks();
      signs[flow.flow()].notices += flow.notices();
    }
  }
  const fabric::TransportHosts::Config config = network::transport_config(experiment_);
  const double share = static_cast<double>(config.payload) / config.wire_bytes(config.payload);
  measure_flows(paths_of_flows(), signs, share, report_);
}

}  // namespace

absl::Status report_congestion(const experiment::Experiment& experiment, const system::SystemGraph& graph,
                               const google::protobuf::RepeatedPtrField<v1::WorkloadPart>& parts, v1::Report& report) {
  std::vector<v1::CongestionPart> own;
  for (const v1::WorkloadPart& part : parts) {
    if (!part.has_congestion()) continue;
    if (absl::Status status = check_congestion_part(experiment, graph, part.congestion()); !status.ok()) return status;
    own.push_back(part.congestion());
  }
  if (!own.empty()) Merge(experiment, graph, std::move(own), report).report();
  return absl::OkStatus();
}

}  // namespace fabrictwin::partition::statistics
