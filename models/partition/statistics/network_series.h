// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What flows and queues of a network do over simulated time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cosim/base/time.h"
#include "cosim/experiment/experiment.h"
#include "fabrictwin/v1/hosts_report.pb.h"
#include "fabrictwin/v1/report.pb.h"
#include "models/host/workload.h"
#include "models/partition/statistics/goodput_window.h"
#include "models/partition/statistics/point_series.h"

namespace fabrictwin::partition::statistics {

/// Above so many flows, only all of them together are followed.
constexpr size_t kMostFollowedFlows = 64;

/// A network at one time.
struct NetworkPoint {
  std::vector<uint64_t> flow_bytes;   ///< Bytes that have arrived so far: by flow, or of all flows.
  std::vector<uint64_t> class_bytes;  ///< Bytes of each class of traffic that have arrived so far.
  int64_t queue_bytes = 0;            ///< The longest queue.
  uint64_t pauses = 0;                ///< So far.
  int64_t set_aside = 0;              ///< Queues that are set aside.
  /// What a scheme lets each flow do, if there is one and there are not too many flows; see SeriesPoint.
  std::vector<uint64_t> flow_rates;
  std::vector<uint64_t> flow_windows;

  /// The bytes of each flow, or of all if there are many.
  static std::vector<uint64_t> of_flows(std::span<const uint64_t> bytes);
};

/// Points at equal intervals, and their lines in a report. Not thread-safe.
class NetworkSeries {
 public:
  /// What the network has.
  struct Has {
    bool queues = true;    ///< Queues that can be looked into.
    bool pausing = false;  ///< Senders that can be paused.
  };
  /// What an experiment asks for: no points without an interval.
  NetworkSeries(const experiment::StatisticsSpec& statistics, Has has)
      : points_(statistics.series_interval), has_(has), window_(statistics.goodput_window) {}

  /// When the next point is due, or an end of the goodput window; the network must not have been simulated beyond.
  Time next() const { return std::min(points_.next(), window_.next()); }
  /// Takes all of them up to and including `until`, before which nothing happens; `state` is what each point has.
  template <typename State>
  void sample(Time until, const host::Workload& workload, const State& state) {
    points_.sample(until, state);
    window_.sample(until, workload);
  }
  /// Takes windows out of a series if no flow ever had one.
  static void drop_windows(v1::SeriesReport& series);
  /// Adds the points and the goodput window to a report of a run that has come to `at`, where its workload had ended if
  /// `complete`.
  void report(Time at, bool complete, v1::Report& report) const;
  /// Whether anything is taken.
  bool active() const { return points_.interval() > Time::zero() || window_.active(); }
  /// Where others have parts of the network: all of that, and the state now.
  void report_part(const host::Workload& workload, const NetworkPoint& now, v1::SeriesPart& part) const;

 private:
  PointSeries<NetworkPoint> points_;
  Has has_;
  GoodputWindow window_;
};

}  // namespace fabrictwin::partition::statistics
