// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How full routers are, over simulated time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cosim/base/time.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin {

/// How full the input buffers of routers are at one time.
struct BufferFill {
  uint64_t flits = 0;  ///< In all routers.
  int64_t most = 0;    ///< In one.

  /// Of `routers`, of which `held` says how many flits one holds.
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
/// the run is: when there are too many intervals, each two neighbours become one. Not thread-safe.
class OccupancySeries {
 public:
  static constexpr size_t kMaxIntervals = 256;

  /// `routers` are sampled, each of which has room for `capacity` flits at most. An interval of zero: no samples.
  OccupancySeries(Time interval, int32_t routers, int64_t capacity);

  /// The next time at which to sample, never() if not at all.
  Time next() const { return next_; }
  /// From next() on, up to and including `until`, routers are so full: adds the samples of that time. Its cost does not
  /// grow with their number.
  void add(const BufferFill& fill, Time until);
  void report(v1::OccupancyReport& report) const;
  /// Reports how full routers are now, whether there are samples or not: an interval without length.
  void report_now(const BufferFill& fill, v1::OccupancyReport& report) const;

 private:
  struct Interval {
    uint64_t samples = 0;
    unsigned __int128 flits = 0;
    int64_t most = 0;
  };
  void halve();

  Time interval_;
  int32_t routers_;
  int64_t capacity_;
  Time next_;
  uint64_t stride_ = 1;  ///< Samples of an interval.
  std::vector<Interval> intervals_;
};

}  // namespace fabrictwin
