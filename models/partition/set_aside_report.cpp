// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/set_aside_report.h"

#include <cstddef>

namespace fabrictwin::partition {
namespace {

const metric::Gauge kSetAside{{.name = "fabrictwin_set_aside_queues",
                               .help = "Queues that inputs have set aside for congested outputs and use now",
                               .order = 443,
                               .in_report = false}};

}  // namespace

void measure_set_aside(int64_t in_use, metric::Sink& sink) { sink.add(kSetAside, static_cast<double>(in_use)); }

void SetAsideReport::report(Time at, bool complete, v1::Report& report) const {
  const router::input_queued::Network::SetAsideUse& use = network_.set_aside_use();
  v1::QueuesReport& queues = *report.mutable_queues();
  queues.set_set_aside_most(static_cast<uint64_t>(use.most));
  queues.set_set_aside_at_end(static_cast<uint64_t>(use.now));
  if (use.released >= 0) queues.set_set_aside_released_seconds(clock_.edge(use.released).seconds());
  for (size_t i = 0; i < series_.points().size(); ++i) {
    // What came after the end of the workload does not belong to it.
    if (complete && series_.end(i) > at) break;
    report.mutable_series()->set_interval_seconds(series_.interval().seconds());
    v1::SeriesPoint& point = *report.mutable_series()->add_points();
    point.set_seconds(series_.end(i).seconds());
    point.set_set_aside(static_cast<uint64_t>(series_.points()[i]));
  }
}

void SetAsideReport::report_part(v1::CongestionPart& part) const {
  v1::QueuesPart& queues = *part.mutable_queues();
  queues.set_sets_aside(true);
  queues.set_only_set_aside(true);
  for (const router::input_queued::Network::SetAsideChange& change : network_.set_aside_changes()) {
    queues.add_set_aside_fs(clock_.edge(change.cycle).fs());
    queues.add_set_aside_change(change.change);
  }
  if (series_.interval() == Time::zero()) return;
  v1::SeriesPart& series = *part.mutable_series();
  series.set_interval_fs(series_.interval().fs());
  for (const int64_t set_aside : series_.points()) series.add_points()->set_set_aside(set_aside);
  series.mutable_rest()->set_set_aside(network_.set_aside_use().now);
}

}  // namespace fabrictwin::partition
