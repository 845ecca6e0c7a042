// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The loads of links over simulated time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cosim/base/time.h"
#include "cosim/link/counters.h"
#include "fabrictwin/v1/activity_report.pb.h"

namespace fabrictwin::observe {

/// What all directions of links have sent in intervals of simulated time. Memory and report stay small: when there are
/// too many intervals, neighbours are merged in pairs, and of many links only the mean and the most are kept. Not
/// thread-safe.
class LinkSeries {
 public:
  static constexpr size_t kMostIntervals = 64;
  /// Each of so many directions of links is kept.
  static constexpr size_t kMostLinks = 6000;
  /// Intervals times links that are kept.
  static constexpr size_t kMostValues = 80'000;

  /// Never samples.
  LinkSeries() = default;
  /// `rates` are those of the directions of links, in bits a second. An interval of zero turns sampling off.
  LinkSeries(Time interval, std::vector<int64_t> rates);

  /// The time of the next sample; never() if sampling is off.
  Time next() const { return next_; }
  /// Takes the sample of next(); `counters`, one for each direction, are what had been sent before then.
  void sample(std::span<const link::LinkCounters> counters);
  /// Reports on a run that has come to `end` with these counters.
  void report(Time end, std::span<const link::LinkCounters> counters, v1::LinkSeriesReport& report) const;

 private:
  struct Interval {
    std::vector<uint64_t> words;  ///< By direction; none if only the rest is kept.
    double used = 0;              ///< Seconds in which directions sent, all together.
    double most = 0;              ///< The largest load of one in a sample.
  };
  Interval interval_since(std::span<const link::LinkCounters> counters, double seconds) const;
  void halve();
  /// `length` is for what the interval counted; it may end before that.
  void report_interval(const Interval& interval, Time length, Time end, v1::LinkSeriesReport& report) const;
  bool detailed() const { return word_seconds_.size() <= kMostLinks; }

  Time interval_;
  Time next_ = Time::never();
  size_t most_intervals_ = kMostIntervals;
  std::vector<double> word_seconds_;  ///< How long a word takes, by direction.
  std::vector<uint64_t> words_;       ///< What had been sent at the last sample, by direction.
  std::vector<Interval> intervals_;
};

}  // namespace fabrictwin::observe
