// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "cosim/base/time.h"

namespace fabrictwin::partition::statistics {

/// States at the ends of equal intervals of simulated time, a bounded number of them. When there are kMostPoints, every
/// second one goes, and the interval doubles. Not thread-safe.
template <typename State>
class PointSeries {
 public:
  static constexpr size_t kMostPoints = 8192;

  /// No points are taken if `interval` is zero.
  explicit PointSeries(Time interval) : interval_(interval) {}

  Time interval() const { return interval_; }
  /// When the next point is due.
  Time next() const { return interval_ > Time::zero() ? end(points_.size()) : Time::never(); }
  /// The end of the interval of a point.
  Time end(size_t point) const { return Time::from_fs(interval_.fs() * static_cast<int64_t>(point + 1)); }
  const std::vector<State>& points() const { return points_; }

  /// Takes all points up to and including `until`; `state` is what each has, as nothing happens before `until`.
  template <typename StateNow>
  void sample(Time until, const StateNow& state) {
    while (next() <= until && !next().is_never()) {
      points_.push_back(state());
      if (points_.size() == kMostPoints) halve();
    }
  }

 private:
  void halve() {
    for (size_t i = 0; i < kMostPoints / 2; ++i) points_[i] = std::move(points_[2 * i + 1]);
    points_.resize(kMostPoints / 2);
    interval_ = interval_ + interval_;
  }

  Time interval_;
  std::vector<State> points_;
};

}  // namespace fabrictwin::partition::statistics
