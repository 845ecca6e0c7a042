// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cosim/base/time.h"
#include "cosim/metric/sink.h"
#include "cosim/system/system_graph.h"
#include "fabrictwin/v1/hosts_report.pb.h"
#include "fabrictwin/v1/report.pb.h"
#include "models/host/workload.h"
#include "models/kernel/input_meter.h"
#include "models/kernel/queue_times.h"
#include "models/partition/statistics/network_series.h"
#include "models/router/input_queued/network.h"

namespace fabrictwin::partition::statistics {

/// Follows flows and queues of a network of routers of the model INPUT_QUEUED. Not thread-safe.
class InputQueueReport {
 public:
  /// `network`, `graph` and `workload` outlive it. Points are added to `series`, which is empty.
  InputQueueReport(const router::input_queued::Network& network, const system::SystemGraph& graph,
                   const host::Workload& workload, NetworkSeries series);

  /// When the next point is due; the network must not have been simulated beyond.
  Time next() const { return series_.next(); }
  /// Takes all points up to and including `until`, before which nothing happens.
  void sample(Time until) {
    series_.sample(until, workload_, [this] { return state(); });
  }
  /// Gives metrics of what is known now to a sink.
  void measure(metric::Sink& sink) const;
  /// Adds what is known to a report of a run that has come to `at`, where its workload had ended if `complete`.
  void report(Time at, bool complete, v1::Report& report) const;
  /// Where others have parts of the network: all of that, as far as it is known here. Nothing happens any more before
  /// `still`. False if there is nothing to tell.
  bool report_part(Time still, v1::CongestionPart& part) const;

 private:
  NetworkPoint state() const;
  /// When the first cycle that has not been simulated begins.
  Time now() const;
  /// Converts the number of an input in the network to the one among the ports of all elements.
  uint32_t port_number(uint32_t input) const;
  /// By those numbers, in a run that has come to `at`.
  kernel::QueueTotals totals(const kernel::InputMeter& meter, Time at) const;

  const router::input_queued::Network& network_;
  const system::SystemGraph& graph_;
  const host::Workload& workload_;
  bool sets_aside_;
  NetworkSeries series_;
};

}  // namespace fabrictwin::partition::statistics
