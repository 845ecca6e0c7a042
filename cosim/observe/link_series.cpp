// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/observe/link_series.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "cosim/link/record.h"

namespace fabrictwin::observe {
namespace {

constexpr size_t kLeastIntervals = 8;

}  // namespace

LinkSeries::LinkSeries(Time interval, std::span<const int64_t> rates, std::vector<int32_t> channels, int32_t word_bits)
    : interval_(interval), detailed_(rates.size() <= kMostLinks), channels_(std::move(channels)) {
  if (interval == Time::zero() || channels_.empty()) {
    channels_.clear();
    return;
  }
  next_ = interval;
  for (const int32_t channel : channels_) {
    const int64_t rate = rates[static_cast<size_t>(channel)];
    word_seconds_.push_back(rate > 0 ? static_cast<double>(word_bits) / static_cast<double>(rate) : 0);
  }
  words_.resize(channels_.size());
  // Neighbours are merged in pairs, so the number is even.
  if (detailed_) most_intervals_ = std::clamp(kMostValues / rates.size(), kLeastIntervals, kMostIntervals) & ~size_t{1};
}

LinkSeries::Interval LinkSeries::current(std::span<const link::LinkCounters> counters) const {
  Interval interval;
  if (detailed_) interval.words.resize(words_.size());
  for (size_t i = 0; i < words_.size(); ++i) {
    const uint64_t now = counters[static_cast<size_t>(channels_[i])].words.get();
    const uint64_t words = now > words_[i] ? now - words_[i] : 0;
    if (words == 0) continue;
    if (detailed_) interval.words[i] = words;
    const double used = static_cast<double>(words) * word_seconds_[i];
    interval.used += used;
    interval.most = std::max(interval.most, used);
  }
  return interval;
}

void LinkSeries::sample(std::span<const link::LinkCounters> counters) {
  intervals_.push_back(current(counters));
  intervals_.back().most /= interval_.seconds();
  for (size_t i = 0; i < words_.size(); ++i) words_[i] = counters[static_cast<size_t>(channels_[i])].words.get();
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

void LinkSeries::report(std::span<const link::LinkCounters> counters, v1::LinkSeriesPart& part) const {
  if (channels_.empty()) return;
  part.set_interval_fs(interval_.fs());
  part.mutable_channels()->Assign(channels_.begin(), channels_.end());
  const auto add = [](const Interval& interval, v1::LinkSeriesCounts& counts) {
    counts.mutable_words()->Assign(interval.words.begin(), interval.words.end());
    counts.set_used_seconds(interval.used);
    counts.set_most(interval.most);
  };
  for (const Interval& interval : intervals_) add(interval, *part.add_intervals());
  add(current(counters), *part.mutable_rest());
}

}  // namespace fabrictwin::observe
