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
#include "cosim/link/record.h"
#include "fabrictwin/v1/activity_report.pb.h"
#include "fabrictwin/v1/hosts_report.pb.h"

namespace fabrictwin::observe {

/// What the directions of links that begin in one partition have sent in intervals of simulated time. Memory and report
/// stay small: when there are too many intervals, neighbours are merged in pairs, and of systems with many links only
/// the mean and the most are kept. Series of the same interval and number of links merge at the same times, so that
/// those of all partitions fit together. Not thread-safe.
class LinkSeries {
 public:
  static constexpr size_t kMostIntervals = 64;
  /// Each of so many directions of links is kept.
  static constexpr size_t kMostLinks = 6000;
  /// Intervals times links that are kept.
  static constexpr size_t kMostValues = 80'000;

  /// Never samples.
  LinkSeries() = default;
  /// `rates` are those of all directions of links of the system in bits a second, of which `channels` are sampled, and
  /// `word_bits` are those of a word. An interval of zero turns sampling off.
  LinkSeries(Time interval, std::span<const int64_t> rates, std::vector<int32_t> channels,
             int32_t word_bits = link::kWordBits);

  /// The time of the next sample; never() if sampling is off.
  Time next() const { return next_; }
  /// Takes the sample of next(); `counters`, by channel of the system, are what had been sent before then.
  void sample(std::span<const link::LinkCounters> counters);
  /// What has been sampled, and what has been sent since then.
  void report(std::span<const link::LinkCounters> counters, v1::LinkSeriesPart& part) const;

 private:
  struct Interval {
    std::vector<uint64_t> words;  ///< By sampled channel; none if only the rest is kept.
    double used = 0;              ///< Seconds in which directions sent, all together.
    double most = 0;              ///< Seconds in which the busiest one sent, or its largest load in a sample.
  };
  /// Since the last sample; `most` is in seconds.
  Interval current(std::span<const link::LinkCounters> counters) const;
  void halve();

  Time interval_;
  Time next_ = Time::never();
  bool detailed_ = true;
  size_t most_intervals_ = kMostIntervals;
  std::vector<int32_t> channels_;
  std::vector<double> word_seconds_;  ///< How long a word takes, by sampled channel.
  std::vector<uint64_t> words_;       ///< What had been sent at the last sample, by sampled channel.
  std::vector<Interval> intervals_;
};

/// The series of a system from the parts of its partitions, up to `end`; `rates` and `word_bits` as for LinkSeries.
/// Directions of which no part knows are named in the report. Parts that do not fit the system are left out.
v1::LinkSeriesReport merge_link_series(const google::protobuf::RepeatedPtrField<v1::LinkSeriesPart>& parts,
                                       std::span<const int64_t> rates, Time end, int32_t word_bits = link::kWordBits);

}  // namespace fabrictwin::observe
