// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/statistics/input_queue_report.h"

#include <algorithm>
#include <utility>

#include "cosim/link/record.h"
#include "models/partition/statistics/queue_report.h"
#include "models/router/input_queued/network.h"

namespace fabrictwin::partition::statistics {

InputQueueReport::InputQueueReport(const router::input_queued::Network& network, const system::SystemGraph& graph,
                                   const host::Workload& workload, NetworkSeries series)
    : network_(network),
      graph_(graph),
      workload_(workload),
      sets_aside_(network.config().router.queues.scheme == v1::Queues::FBICM),
      series_(std::move(series)) {}

Time InputQueueReport::now() const { return graph_.router_clock.edge(network_.cycle()); }

uint32_t InputQueueReport::port_number(uint32_t input) const {
  const router::input_queued::End end = network_.input(input);
  uint32_t number = 0;
  for (system::ElementId element = 0; element < graph_.host_count() + end.element; ++element)
    number += static_cast<uint32_t>(graph_.elements[element].ports.size());
  return number + static_cast<uint32_t>(end.port);
}

kernel::QueueTotals InputQueueReport::totals(const kernel::InputMeter& meter, Time at) const {
  kernel::QueueTotals totals = meter.totals(at);
  totals.most_queue = port_number(totals.most_queue);
  totals.mean_queue = port_number(totals.mean_queue);
  return totals;
}

// What waits in such a router waits in its inputs.
NetworkPoint InputQueueReport::state() const {
  return {NetworkPoint::of_flows(workload_.flow_bytes()), workload_.class_bytes(),
          network_.fullest_input() * link::kWordBytes, 0, network_.set_aside_use().now};
}

void InputQueueReport::measure(metric::Sink& sink) const {
  if (const auto* meter = network_.input_meter(); meter != nullptr)
    measure_queues(network_.fullest_input() * link::kWordBytes, meter->totals(now()).at(now()), sink);
  if (sets_aside_) measure_set_aside(network_.set_aside_use().now, sink);
}

void InputQueueReport::report(Time at, bool complete, v1::Report& report) const {
  if (const auto* meter = network_.input_meter(); meter != nullptr)
    report_input_queues(totals(*meter, at), at, graph_, *report.mutable_queues());
  if (sets_aside_) {
    const router::input_queued::Network::SetAsideUse& use = network_.set_aside_use();
    v1::QueuesReport& queues = *report.mutable_queues();
    queues.set_set_aside_most(static_cast<uint64_t>(use.most));
    queues.set_set_aside_at_end(static_cast<uint64_t>(use.now));
    if (use.released >= 0) queues.set_set_aside_released_seconds(graph_.router_clock.edge(use.released).seconds());
  }
  series_.report(at, complete, report);
}

bool InputQueueReport::report_part(Time still, v1::CongestionPart& part) const {
  if (const auto* meter = network_.input_meter(); meter != nullptr)
    report_input_queue_totals(totals(*meter, std::max(now(), still)), *part.mutable_queues());
  if (sets_aside_) {
    v1::QueuesPart& queues = *part.mutable_queues();
    queues.set_sets_aside(true);
    for (const router::input_queued::Network::SetAsideChange& change : network_.set_aside_changes()) {
      queues.add_set_aside_fs(graph_.router_clock.edge(change.cycle).fs());
      queues.add_set_aside_change(change.change);
    }
  }
  if (series_.active()) series_.report_part(workload_, state(), *part.mutable_series());
  return part.has_queues() || series_.active();
}

}  // namespace fabrictwin::partition::statistics
