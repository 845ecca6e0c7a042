// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cosim/base/clock.h"
#include "cosim/base/time.h"
#include "cosim/metric/sink.h"
#include "fabrictwin/v1/hosts_report.pb.h"
#include "fabrictwin/v1/report.pb.h"
#include "models/host/workload.h"
#include "models/partition/network_series.h"
#include "models/router/input_queued/network.h"

namespace fabrictwin::partition {

/// Adds how many queues that are set aside are in use now.
void measure_set_aside(int64_t in_use, metric::Sink& sink);

/// Follows flows and queues of a network of routers of the model INPUT_QUEUED. Not thread-safe.
class InputQueueReport {
 public:
  /// `network` and `workload` outlive it. `clock` is that of the routers. Points of the series are taken each
  /// `interval`; none if that is zero.
  InputQueueReport(const router::input_queued::Network& network, const host::Workload& workload, const Clock& clock,
                   Time interval);

  /// When the next point is due; the network must not have been simulated beyond.
  Time next() const { return series_.next(); }
  /// Takes all points up to and including `until`, before which nothing happens.
  void sample(Time until) {
    series_.sample(until, [this] { return state(); });
  }
  void measure(metric::Sink& sink) const {
    if (sets_aside_) measure_set_aside(network_.set_aside_use().now, sink);
  }
  /// Adds what is known to a report of a run that has come to `at`, where its workload had ended if `complete`.
  void report(Time at, bool complete, v1::Report& report) const;
  /// Where others have parts of the network: all of that, as far as it is known here. False if there is nothing to
  /// tell.
  bool report_part(v1::CongestionPart& part) const;

 private:
  NetworkPoint state() const;

  const router::input_queued::Network& network_;
  const host::Workload& workload_;
  Clock clock_;
  bool sets_aside_;
  NetworkSeries series_;
};

}  // namespace fabrictwin::partition
