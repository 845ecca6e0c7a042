// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The occupancy of router buffers over simulated time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cosim/base/time.h"
#include "cosim/metric/sink.h"
#include "fabrictwin/v1/hosts_report.pb.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::observe {

/// The occupancy of the routers' input buffers at one time.
struct BufferFill {
  uint64_t flits = 0;  ///< The flits in all routers together.
  int64_t most = 0;    ///< The flits in the fullest router.

  /// Adds up `routers` routers; `held` returns the number of flits in one.
  template <typename Held>
  static BufferFill of(int32_t routers, Held held) {
    BufferFill fill;
    for (int32_t router = 0; router < routers; ++router) {
      const int64_t flits = held(router);
      fill.flits += static_cast<uint64_t>(flits);
      fill.most = std::max(fill.most, flits);
    }
    return fill;
  }
};

/// Samples of the input buffers of all routers at multiples of an interval. Memory and report stay small however long
/// the run is: when there are too many intervals, neighbours are merged in pairs. Not thread-safe.
class OccupancySeries {
 public:
  static constexpr size_t kMaxIntervals = 256;
  static constexpr size_t kMostRecent = size_t{1} << 18;

  /// Samples `routers` routers, each with space for at most `capacity` flits. An interval of zero turns sampling off.
  OccupancySeries(Time interval, int32_t routers, int64_t capacity);
  /// Keeps samples one by one, as the run may turn out to have ended before the last of them. The oldest are merged
  /// where more than kMostRecent of them differ.
  void keep_recent() { keeps_recent_ = true; }

  /// The time of the next sample; never() if sampling is off.
  Time next() const { return next_; }
  /// Adds the samples from next() up to and including `until`, during which the occupancy is `fill`. The cost does not
  /// grow with the number of samples.
  void add(const BufferFill& fill, Time until);
  void report(v1::OccupancyReport& report) const;
  /// What one of several partitions has sampled, where the occupancy is now `rest`.
  void report_part(const BufferFill& rest, v1::OccupancyPart& part) const;
  /// Reports what partitions of the same routers have sampled up to and including `end`. DataLoss if parts are not what
  /// report_part() makes, or if a part has merged samples from after the end.
  static absl::Status report_parts(std::span<const v1::OccupancyPart* const> parts, Time end,
                                   v1::OccupancyReport& report);
  /// Adds the present occupancy, with or without samples.
  void measure(const BufferFill& fill, metric::Sink& sink) const;

 private:
  struct Interval {
    uint64_t samples = 0;
    unsigned __int128 flits = 0;
    int64_t most = 0;
  };
  static Interval interval_of(const v1::OccupancySamples& samples);
  static void set(const Interval& interval, v1::OccupancySamples& samples);
  static absl::StatusOr<OccupancySeries> series_of(const v1::OccupancyPart& part, uint64_t samples);
  void keep(const BufferFill& fill, uint64_t samples);
  /// Adds samples that are alike to the last interval and to new ones.
  void merge(const BufferFill& fill, uint64_t samples);
  void halve();

  Time interval_;
  int32_t routers_;
  int64_t capacity_;
  Time next_;
  uint64_t stride_ = 1;  ///< The number of samples of an interval.
  std::vector<Interval> intervals_;
  bool keeps_recent_ = false;
  std::deque<Interval> recent_;  ///< After those in intervals_; samples of one are alike.
};

}  // namespace fabrictwin::observe
