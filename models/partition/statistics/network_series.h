// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What flows and queues of a network do over simulated time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cosim/base/time.h"
#include "fabrictwin/v1/hosts_report.pb.h"
#include "fabrictwin/v1/report.pb.h"
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
  /// No points are taken if `interval` is zero.
  NetworkSeries(Time interval, Has has) : points_(interval), has_(has) {}

  /// When the next point is due; the network must not have been simulated beyond.
  Time next() const { return points_.next(); }
  /// Takes all points up to and including `until`, before which nothing happens; `state` is what each has.
  template <typename State>
  void sample(Time until, const State& state) {
    points_.sample(until, state);
  }
  /// Takes windows out of a series if no flow ever had one.
  static void drop_windows(v1::SeriesReport& series);
  /// Adds the points to a report of a run that has come to `at`, where its workload had ended if `complete`.
  void report(Time at, bool complete, v1::Report& report) const;
  /// Whether points are taken.
  bool active() const { return points_.interval() > Time::zero(); }
  /// Where others have parts of the network: all points, and the state now.
  void report_part(const NetworkPoint& now, v1::SeriesPart& part) const;

 private:
  PointSeries<NetworkPoint> points_;
  Has has_;
};

}  // namespace fabrictwin::partition::statistics
