// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What one of several partitions tells of congestion.
#include <algorithm>

#include "models/partition/statistics/congestion_report.h"
#include "models/partition/statistics/control_report.h"
#include "models/partition/statistics/flow_measures.h"
#include "models/partition/statistics/queue_report.h"

namespace fabrictwin::partition::statistics {

bool CongestionReport::report_part(Time still, v1::CongestionPart& part) const {
  if (network_.counts_queues()) report_part(std::max(network_.now(), still), *part.mutable_queues());
  for (const router::packet::FaultOutcome& outcome : network_.fault_outcomes()) {
    if (!network_.is_here(outcome.element)) continue;
    v1::FaultPart& fault = *part.add_faults();
    fault.set_fault(outcome.fault);
    fault.set_queue_bytes(outcome.queue_bytes);
    fault.set_recovered_fs(outcome.recovered.fs());
    for (const int64_t at : outcome.damaged) fault.add_damaged_fs(at);
  }
  if (!hosts_.empty()) {
    report_control(control(), *part.mutable_control());
    for (const fabric::TransportHosts::Late& late : hosts_[0]->late()) {
      v1::ControlLatePart& line = *part.add_late();
      line.set_at_fs(late.at);
      line.set_marks(late.counted.marks);
      line.set_acknowledgements(late.counted.acknowledgements);
      line.set_notices(late.counted.notices);
      line.set_bytes(late.counted.bytes);
    }
  }
  for (const v1::TreePart& tree : tree_parts_) *part.add_trees() = tree;
  if (series_.active()) series_.report_part(workload_, state(), *part.mutable_series());
  if (!flows_.signs.empty()) report_flow_parts(part);
  if (part.ByteSizeLong() == 0 && tree_at_.empty()) return false;
  part.set_window_fs(network_.window());
  return true;
}

void CongestionReport::report_part(Time at, v1::QueuesPart& part) const {
  report_queue_totals(network_.queue_totals(at), part);
  if (network_.pausing()) {
    const auto [paused, outputs] = network_.pauses_of_outputs();
    part.set_pausing(true);
    part.set_pauses(network_.pauses());
    part.set_paused_fs(paused);
    part.set_paused_outputs(outputs);
  }
  if (!network_.sets_aside()) return;
  part.set_sets_aside(true);
  for (const router::packet::buffer::SetAsideChange& change : network_.set_aside().kept()) {
    part.add_set_aside_fs(change.time);
    part.add_set_aside_change(change.change);
  }
}

void CongestionReport::report_flow_parts(v1::CongestionPart& part) const {
  for (size_t flow = 0; flow < flows_.signs.size(); ++flow) {
    const fabric::FlowSigns& signs = flows_.signs[flow];
    const bool source = signs.source >= 0;
    if (!source && signs.marks == 0 && signs.notices == 0) continue;
    v1::FlowSignsPart& line = *part.add_flows();
    line.set_flow(static_cast<uint32_t>(flow));
    line.set_marks(signs.marks);
    line.set_notices(signs.notices);
    line.set_source(source);
    if (!source || flows_.signs.size() > static_cast<size_t>(kMostFairFlows) || signs.source == signs.destination)
      continue;
    const router::packet::FlowRoute route =
        network_.flow_route(signs.source, signs.port, signs.destination, signs.queue_pair);
    line.set_several(!route.only);
    if (!route.only) continue;
    for (const uint32_t output : route.outputs) line.add_outputs(output);
  }
  for (uint32_t output = 0; output < network_.output_count(); ++output) {
    if (network_.output(output).congested) part.add_congested_outputs(output);
  }
}

}  // namespace fabrictwin::partition::statistics
