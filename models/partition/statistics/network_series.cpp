// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/statistics/network_series.h"

#include <algorithm>
#include <numeric>

namespace fabrictwin::partition::statistics {
namespace {

void add(const NetworkPoint& point, v1::SeriesPointPart& line) {
  for (const uint64_t bytes : point.flow_bytes) line.add_flow_bytes(bytes);
  for (const uint64_t bytes : point.class_bytes) line.add_class_bytes(bytes);
  line.set_queue_bytes(point.queue_bytes);
  line.set_pauses(point.pauses);
  line.set_set_aside(point.set_aside);
  line.mutable_flow_rate_bps()->Add(point.flow_rates.begin(), point.flow_rates.end());
  line.mutable_flow_window_bytes()->Add(point.flow_windows.begin(), point.flow_windows.end());
}

}  // namespace

std::vector<uint64_t> NetworkPoint::of_flows(std::span<const uint64_t> bytes) {
  if (bytes.size() <= kMostFollowedFlows) return {bytes.begin(), bytes.end()};
  return {std::accumulate(bytes.begin(), bytes.end(), uint64_t{0})};
}

void NetworkSeries::report(Time at, bool complete, v1::Report& report) const {
  const NetworkPoint* before = nullptr;
  for (size_t i = 0; i < points_.points().size(); ++i) {
    // What came after the end of the workload does not belong to it.
    if (complete && points_.end(i) > at) break;
    const NetworkPoint& point = points_.points()[i];
    report.mutable_series()->set_interval_seconds(points_.interval().seconds());
    v1::SeriesPoint& line = *report.mutable_series()->add_points();
    line.set_seconds(points_.end(i).seconds());
    for (size_t flow = 0; flow < point.flow_bytes.size(); ++flow)
      line.add_flow_bytes(point.flow_bytes[flow] - (before == nullptr ? 0 : before->flow_bytes[flow]));
    for (size_t i = 0; i < point.class_bytes.size(); ++i)
      line.add_class_bytes(point.class_bytes[i] - (before == nullptr ? 0 : before->class_bytes[i]));
    if (has_.queues) line.set_queue_bytes(static_cast<uint64_t>(point.queue_bytes));
    if (has_.pausing) line.set_pauses(point.pauses);
    line.set_set_aside(static_cast<uint64_t>(point.set_aside));
    line.mutable_flow_rate_bps()->Add(point.flow_rates.begin(), point.flow_rates.end());
    line.mutable_flow_window_bytes()->Add(point.flow_windows.begin(), point.flow_windows.end());
    before = &point;
  }
  if (before != nullptr) drop_windows(*report.mutable_series());
  window_.report(at, report);
}

void NetworkSeries::drop_windows(v1::SeriesReport& series) {
  const auto has_window = [](const v1::SeriesPoint& point) {
    return std::ranges::any_of(point.flow_window_bytes(), [](uint64_t bytes) { return bytes > 0; });
  };
  if (std::ranges::any_of(series.points(), has_window)) return;
  for (v1::SeriesPoint& point : *series.mutable_points()) point.clear_flow_window_bytes();
}

void NetworkSeries::report_part(const host::Workload& workload, const NetworkPoint& now, v1::SeriesPart& part) const {
  part.set_interval_fs(points_.interval().fs());
  part.set_pausing(has_.pausing);
  part.set_queues(has_.queues);
  for (const NetworkPoint& point : points_.points()) add(point, *part.add_points());
  add(now, *part.mutable_rest());
  if (window_.active()) window_.report_part(workload, *part.mutable_goodput_window());
}

}  // namespace fabrictwin::partition::statistics
