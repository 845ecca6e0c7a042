// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/input_queue_report.h"

#include "cosim/link/record.h"
#include "models/router/input_queued/network.h"

namespace fabrictwin::partition {
namespace {

const metric::Gauge kSetAside{{.name = "fabrictwin_set_aside_queues",
                               .help = "Queues that inputs have set aside for congested outputs and use now",
                               .order = 443,
                               .in_report = false}};

}  // namespace

void measure_set_aside(int64_t in_use, metric::Sink& sink) { sink.add(kSetAside, static_cast<double>(in_use)); }

InputQueueReport::InputQueueReport(const router::input_queued::Network& network, const host::Workload& workload,
                                   const Clock& clock, Time interval)
    : network_(network),
      workload_(workload),
      clock_(clock),
      sets_aside_(network.config().router.queues.scheme == v1::Queues::FBICM),
      series_(interval, false) {}

// What waits in such a router waits in its inputs.
NetworkPoint InputQueueReport::state() const {
  return {NetworkPoint::of_flows(workload_.flow_bytes()), workload_.class_bytes(),
          network_.fullest_input() * link::kWordBytes, 0, network_.set_aside_use().now};
}

void InputQueueReport::report(Time at, bool complete, v1::Report& report) const {
  if (sets_aside_) {
    const router::input_queued::Network::SetAsideUse& use = network_.set_aside_use();
    v1::QueuesReport& queues = *report.mutable_queues();
    queues.set_set_aside_most(static_cast<uint64_t>(use.most));
    queues.set_set_aside_at_end(static_cast<uint64_t>(use.now));
    if (use.released >= 0) queues.set_set_aside_released_seconds(clock_.edge(use.released).seconds());
  }
  series_.report(at, complete, report);
}

bool InputQueueReport::report_part(v1::CongestionPart& part) const {
  if (sets_aside_) {
    v1::QueuesPart& queues = *part.mutable_queues();
    queues.set_sets_aside(true);
    queues.set_only_set_aside(true);
    for (const router::input_queued::Network::SetAsideChange& change : network_.set_aside_changes()) {
      queues.add_set_aside_fs(clock_.edge(change.cycle).fs());
      queues.add_set_aside_change(change.change);
    }
  }
  if (series_.active()) series_.report_part(state(), *part.mutable_series());
  return sets_aside_ || series_.active();
}

}  // namespace fabrictwin::partition
