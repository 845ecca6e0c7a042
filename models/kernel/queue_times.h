// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How long a queue had which length, and the longest of several.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "cosim/base/time.h"

namespace fabrictwin::kernel {

/// Times by the length of a queue, in log-linear buckets as in LatencyHistogram: lengths below 32 bytes have a bucket
/// each, and from there on each power of two is cut into 16 parts. Lengths from 4 GiB on are in the last bucket.
struct QueueTimes {
  static constexpr int kStepBits = 4;
  static constexpr int kMostBits = 32;
  static constexpr size_t kBuckets = static_cast<size_t>(kMostBits - kStepBits + 1) << kStepBits;

  static size_t index_of(int64_t bytes) {
    const auto value = static_cast<uint64_t>(std::min(bytes, (int64_t{1} << kMostBits) - 1));
    const int shift = std::max(static_cast<int>(std::bit_width(value)) - kStepBits - 1, 0);
    return (static_cast<size_t>(shift) << kStepBits) + static_cast<size_t>(value >> shift);
  }
  /// The greatest length of a bucket.
  static int64_t greatest_of(size_t index) {
    const size_t row = index >> kStepBits;
    const int shift = row == 0 ? 0 : static_cast<int>(row) - 1;
    const auto step = static_cast<int64_t>(index - (static_cast<size_t>(shift) << kStepBits));
    return ((step + 1) << shift) - 1;
  }
  /// A length that the queue did not exceed for `ten_thousandths` / 10000 of `time` femtoseconds, of which it was empty
  /// where `times` do not count; never below the least such length, and above it by less than 1/16 of it.
  static int64_t percentile(std::span<const int64_t> times, int64_t time, int32_t ten_thousandths) {
    // What is above the percentile is counted from the longest queue down.
    __int128 above = static_cast<__int128>(time) * (10'000 - ten_thousandths);
    for (size_t index = times.size(); index-- > 1;) {
      above -= static_cast<__int128>(times[index]) * 10'000;
      if (above < 0) return greatest_of(index);
    }
    return 0;
  }
};

/// Zeroed memory for the times of several queues, of which the operating system provides the pages that are used: most
/// queues are always empty. Throws std::bad_alloc.
class QueueTimesTable {
 public:
  QueueTimesTable() = default;
  explicit QueueTimesTable(size_t queues)
      : times_(static_cast<int64_t*>(std::calloc(queues, QueueTimes::kBuckets * sizeof(int64_t)))) {
    if (times_ == nullptr && queues > 0) throw std::bad_alloc();
  }
  int64_t* of(size_t queue) { return times_.get() + queue * QueueTimes::kBuckets; }
  const int64_t* of(size_t queue) const { return times_.get() + queue * QueueTimes::kBuckets; }

 private:
  struct Free {
    void operator()(int64_t* memory) const { std::free(memory); }
  };
  std::unique_ptr<int64_t[], Free> times_;
};

/// The length of a queue over time.
struct QueueLength {
  int64_t bytes = 0;    ///< What is in the queue,
  int64_t most = 0;     ///< and the most that there was.
  int64_t changed = 0;  ///< When `bytes` last changed, in femtoseconds.
  double area = 0;      ///< Bytes times femtoseconds until then.

  /// `lengths`, by QueueTimes, count the time since the last change, unless the queue was empty.
  void add(int64_t change, int64_t now, int64_t* lengths) {
    if (bytes != 0 && now != changed) {
      area += static_cast<double>(bytes) * static_cast<double>(now - changed);
      lengths[QueueTimes::index_of(bytes)] += now - changed;
    }
    changed = now;
    bytes += change;
    most = std::max(most, bytes);
  }
};

/// What is reported of several queues.
struct QueueSummary {
  int64_t most = 0;  ///< The longest that there was, in bytes.
  double mean = 0;   ///< The largest mean over time of one of them,
  int64_t p50 = 0;   ///< and percentiles over time of that one: see QueueTimes::percentile().
  int64_t p99 = 0;
};

/// What a QueueSummary of queues that have numbers is made of. Parts of a network are put together by add().
struct QueueTotals {
  int64_t most = 0;
  uint32_t most_queue = 0;  ///< Its number.
  double area = 0;          ///< Bytes times femtoseconds, of the queue with the largest mean,
  int64_t until = 0;        ///< up to this time, since when it has had
  int64_t bytes = 0;        ///< so many bytes,
  uint32_t mean_queue = 0;
  int64_t mean_most = 0;
  std::vector<int64_t> times;  ///< and for how long it had which length: QueueTimes. Empty if all are empty.

  /// The area up to a time, and the mean.
  double area_at(Time at) const { return area + static_cast<double>(bytes) * static_cast<double>(since(at)); }
  double mean_at(Time at) const;
  /// Adds one queue of a part whose run has come to `at`, in the order of numbers; `length_most` is the most that it
  /// had. Afterwards, `times` are to be filled from those of `mean_queue` if its mean is above zero.
  void take(uint32_t number, const QueueLength& length, int64_t length_most, Time at);
  /// Adds those of another part of a network, whose run ends at `at`; of two queues that are equal the first counts.
  void add(const QueueTotals& other, Time at);
  QueueSummary at(Time at) const;

 private:
  int64_t since(Time at) const { return std::max(at.fs(), until) - until; }
};

}  // namespace fabrictwin::kernel
