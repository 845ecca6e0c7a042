// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "cosim/link/record.h"
#include "cosim/observe/link_series.h"

namespace fabrictwin::observe {
namespace {

/// What all directions sent in one interval.
struct Sent {
  std::vector<uint64_t> words;  ///< By channel of the system; none if only the rest is kept.
  double used = 0;              ///< Seconds, over all directions.
  double most = 0;              ///< The largest load of one in a sample.
};

/// Adds up the parts of all partitions.
class LinkSeriesMerger {
 public:
  LinkSeriesMerger(std::span<const int64_t> rates, int32_t word_bits, Time interval, Time end)
      : rates_(rates),
        word_bits_(word_bits),
        detailed_(rates.size() <= LinkSeries::kMostLinks),
        interval_(interval),
        end_(end) {
    // The last interval ends with the run.
    const int64_t count = (end.fs() - 1) / interval.fs() + 1;
    sent_.resize(static_cast<size_t>(count));
    if (detailed_) {
      for (Sent& sent : sent_) sent.words.resize(rates.size());
    }
  }

  bool fits(const v1::LinkSeriesPart& part) const {
    if (part.interval_fs() <= 0 || interval_.fs() % part.interval_fs() != 0) return false;
    const auto is_here = [this](int32_t channel) {
      return channel >= 0 && static_cast<size_t>(channel) < rates_.size();
    };
    const int words = detailed_ ? part.channels_size() : 0;
    const auto has_all = [&](const v1::LinkSeriesCounts& counts) { return counts.words_size() == words; };
    return std::all_of(part.channels().begin(), part.channels().end(), is_here) && has_all(part.rest()) &&
           std::all_of(part.intervals().begin(), part.intervals().end(), has_all);
  }

  void add(const v1::LinkSeriesPart& part) {
    int64_t at = 0;
    // An interval that was sampled after the end of the workload is shorter.
    for (const v1::LinkSeriesCounts& counts : part.intervals()) {
      add(part, counts, at, counts.most() * length_ratio(part, at));
      ++at;
    }
    // The rest ends with the run or with the partition, at the latest when its interval does. Whether the last interval
    // is a sample or the rest depends on the threads, so the load is worked out in the same steps.
    add(part, part.rest(), at,
        part.rest().most() / Time::from_fs(part.interval_fs()).seconds() * length_ratio(part, at));
  }

  void report(size_t channels, v1::LinkSeriesReport& report) const {
    report.set_interval_seconds(interval_.seconds());
    Time begin;
    for (const Sent& sent : sent_) {
      const Time until = std::min(begin + interval_, end_);
      report_interval(sent, (until - begin).seconds(), channels, until, *report.add_intervals());
      begin = until;
    }
  }

 private:
  /// How much of an interval of a part is before the end.
  Time length_of(const v1::LinkSeriesPart& part, int64_t at) const {
    const Time begin = Time::from_fs(at * part.interval_fs());
    return std::min(Time::from_fs(part.interval_fs()), std::max(end_, begin) - begin);
  }

  /// The length of an interval of a part over the length of what is before the end; 0 if nothing is.
  double length_ratio(const v1::LinkSeriesPart& part, int64_t at) const {
    const Time length = length_of(part, at);
    return length > Time::zero() ? static_cast<double>(part.interval_fs()) / static_cast<double>(length.fs()) : 0;
  }

  double word_seconds(size_t channel) const {
    return rates_[channel] > 0 ? static_cast<double>(word_bits_) / static_cast<double>(rates_[channel]) : 0;
  }

  void add(const v1::LinkSeriesPart& part, const v1::LinkSeriesCounts& counts, int64_t at, double most) {
    const auto index = static_cast<size_t>(at * part.interval_fs() / interval_.fs());
    // What was sent after the end of the workload is not shown.
    if (index >= sent_.size()) return;
    Sent& sent = sent_[index];
    for (int i = 0; i < counts.words_size(); ++i) sent.words[static_cast<size_t>(part.channels(i))] += counts.words(i);
    sent.used += counts.used_seconds();
    sent.most = std::max(sent.most, most);
  }

  void report_interval(const Sent& sent, double seconds, size_t channels, Time until, v1::LinkInterval& line) const {
    line.set_end_seconds(until.seconds());
    // With the words of each direction, the sum does not depend on the partitions.
    double used = detailed_ ? 0 : sent.used;
    line.mutable_permille()->Reserve(static_cast<int>(sent.words.size()));
    for (size_t i = 0; i < sent.words.size(); ++i) {
      const double of_channel = static_cast<double>(sent.words[i]) * word_seconds(i);
      used += of_channel;
      // A word counts as a whole when it starts, so that it may reach into the next interval.
      line.add_permille(static_cast<uint32_t>(std::lround(1000 * std::min(1.0, of_channel / seconds))));
    }
    line.set_mean_utilization(std::min(1.0, used / seconds / static_cast<double>(channels)));
    line.set_max_utilization(std::min(1.0, sent.most));
  }

  std::span<const int64_t> rates_;
  int32_t word_bits_;
  bool detailed_;
  Time interval_;
  Time end_;
  std::vector<Sent> sent_;
};

}  // namespace

v1::LinkSeriesReport merge_link_series(const google::protobuf::RepeatedPtrField<v1::LinkSeriesPart>& parts,
                                       std::span<const int64_t> rates, Time end, int32_t word_bits) {
  v1::LinkSeriesReport report;
  int64_t interval = 0;
  for (const v1::LinkSeriesPart& part : parts) interval = std::max(interval, part.interval_fs());
  if (interval <= 0 || end == Time::zero()) return report;
  // Parts do not go on for so long by themselves, but what another process tells must not take all memory.
  const auto most = static_cast<int64_t>(LinkSeries::kMostIntervals) + 1;
  while (interval < end.fs() / most && interval <= std::numeric_limits<int64_t>::max() / 2) interval *= 2;
  LinkSeriesMerger merger(rates, word_bits, Time::from_fs(interval), end);
  std::vector<bool> known(rates.size(), false);
  for (const v1::LinkSeriesPart& part : parts) {
    if (!merger.fits(part)) continue;
    merger.add(part);
    for (const int32_t channel : part.channels()) known[static_cast<size_t>(channel)] = true;
  }
  const auto channels = static_cast<size_t>(std::count(known.begin(), known.end(), true));
  if (channels > 0) merger.report(channels, report);
  for (size_t channel = 0; channel < known.size(); ++channel) {
    if (!known[channel]) report.add_unknown(static_cast<uint32_t>(channel));
  }
  return report;
}

}  // namespace fabrictwin::observe
