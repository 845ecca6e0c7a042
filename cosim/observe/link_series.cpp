// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/observe/link_series.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cosim/link/record.h"

namespace fabrictwin::observe {
namespace {

constexpr size_t kLeastIntervals = 8;

}  // namespace

LinkSeries::LinkSeries(Time interval, std::vector<int64_t> rates) : interval_(interval) {
  if (interval == Time::zero() || rates.empty()) return;
  next_ = interval;
  for (const int64_t rate : rates)
    word_seconds_.push_back(rate > 0 ? static_cast<double>(link::kWordBits) / static_cast<double>(rate) : 0);
  words_.resize(rates.size());
  // Neighbours are merged in pairs, so the number is even.
  if (detailed())
    most_intervals_ = std::clamp(kMostValues / rates.size(), kLeastIntervals, kMostIntervals) & ~size_t{1};
}

LinkSeries::Interval LinkSeries::interval_since(std::span<const link::LinkCounters> counters, double seconds) const {
  Interval interval;
  if (detailed()) interval.words.resize(words_.size());
  for (size_t i = 0; i < words_.size(); ++i) {
    const uint64_t now = counters[i].words.get();
    const uint64_t words = now > words_[i] ? now - words_[i] : 0;
    if (words == 0) continue;
    if (detailed()) interval.words[i] = words;
    const double used = static_cast<double>(words) * word_seconds_[i];
    interval.used += used;
    interval.most = std::max(interval.most, used / seconds);
  }
  return interval;
}

void LinkSeries::sample(std::span<const link::LinkCounters> counters) {
  intervals_.push_back(interval_since(counters, interval_.seconds()));
  for (size_t i = 0; i < words_.size(); ++i) words_[i] = counters[i].words.get();
  if (intervals_.size() == most_intervals_) halve();
  const auto intervals = static_cast<int64_t>(intervals_.size()) + 1;
  const bool more = interval_.fs() <= std::numeric_limits<int64_t>::max() / intervals;
  next_ = more ? Time::from_fs(interval_.fs() * intervals) : Time::never();
}

void LinkSeries::halve() {
  for (size_t i = 0; i < intervals_.size() / 2; ++i) {
    Interval merged = std::move(intervals_[2 * i]);
    const Interval& second = intervals_[2 * i + 1];
    for (size_t j = 0; j < merged.words.size(); ++j) merged.words[j] += second.words[j];
    merged.used += second.used;
    merged.most = std::max(merged.most, second.most);
    intervals_[i] = std::move(merged);
  }
  intervals_.resize(intervals_.size() / 2);
  interval_ = interval_ + interval_;
}

void LinkSeries::report_interval(const Interval& interval, Time length, Time end, v1::LinkSeriesReport& report) const {
  const double seconds = length.seconds();
  v1::LinkInterval& line = *report.add_intervals();
  line.set_end_seconds(end.seconds());
  // A word counts as a whole when it starts, so that it may reach into the next interval.
  line.set_mean_utilization(std::min(1.0, interval.used / seconds / static_cast<double>(words_.size())));
  line.set_max_utilization(std::min(1.0, interval.most));
  line.mutable_permille()->Reserve(static_cast<int>(interval.words.size()));
  for (size_t i = 0; i < interval.words.size(); ++i) {
    const double used = static_cast<double>(interval.words[i]) * word_seconds_[i] / seconds;
    line.add_permille(static_cast<uint32_t>(std::lround(1000 * std::min(1.0, used))));
  }
}

void LinkSeries::report(Time end, std::span<const link::LinkCounters> counters, v1::LinkSeriesReport& report) const {
  if (words_.empty()) return;
  report.set_interval_seconds(interval_.seconds());
  Time begin;
  for (const Interval& interval : intervals_) {
    // The last sample may lie beyond the end of the workload.
    const Time until = std::min(begin + interval_, end);
    if (until <= begin) return;
    report_interval(interval, interval_, until, report);
    begin = until;
  }
  if (end > begin) report_interval(interval_since(counters, (end - begin).seconds()), end - begin, end, report);
}

}  // namespace fabrictwin::observe
