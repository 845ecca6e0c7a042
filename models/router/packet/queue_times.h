// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How long a queue had which length.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>

namespace fabrictwin::router::packet {

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

 private:
  struct Free {
    void operator()(int64_t* memory) const { std::free(memory); }
  };
  std::unique_ptr<int64_t[], Free> times_;
};

}  // namespace fabrictwin::router::packet
