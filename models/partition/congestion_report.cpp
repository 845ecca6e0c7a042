// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/congestion_report.h"

#include <algorithm>
#include <numeric>

#include "fmt/format.h"

namespace fabrictwin::partition {
namespace {

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
  point.set_aside = static_cast<uint64_t>(network_.set_aside().in_use());
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

void CongestionReport::report(Time at, v1::Report& report) const {
  if (network_.counts_queues()) {
    const router::packet::ShardedNetwork::Queues queues = network_.queues(at);
    v1::QueuesReport& line = *report.mutable_queues();
    const auto name = [this](const system::LinkEnd& end) {
      const system::Element& element = graph_.elements[static_cast<size_t>(end.element)];
      return fmt::format("{}.{}", element.name, element.ports[static_cast<size_t>(end.port)]);
    };
    line.set_max_bytes(static_cast<uint64_t>(queues.most));
    line.set_mean_bytes(queues.mean);
    if (queues.most > 0) {
      line.set_max_port(name(queues.most_at));
      line.set_mean_port(name(queues.mean_at));
    }
    if (network_.sets_aside()) {
      const router::packet::SetAsideCount& set_aside = network_.set_aside();
      line.set_set_aside_most(static_cast<uint64_t>(set_aside.most()));
      line.set_set_aside_at_end(static_cast<uint64_t>(set_aside.in_use()));
      if (set_aside.released() > 0) line.set_set_aside_released_seconds(Time::from_fs(set_aside.released()).seconds());
    }
  }
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
    line.set_set_aside(point.set_aside);
    before = &point;
  }
}

}  // namespace fabrictwin::partition
