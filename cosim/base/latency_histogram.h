// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A histogram with a bounded relative error in fixed memory.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace fabrictwin {

/// Counts values from 0 up in log-linear buckets, like HdrHistogram (Tene): values below kExact have a bucket each, and
/// from there on each power of two is cut into kSteps equal parts. So a value and the greatest one
/// of its bucket differ by less than 1 / kSteps of the value, at most 0.8 %. Count, least, greatest and sum are exact,
/// and the histogram does not depend on the order of additions and merges. It always takes 57 KiB. Value type.
class LatencyHistogram {
 public:
  static constexpr int kStepBits = 7;
  static constexpr int64_t kSteps = int64_t{1} << kStepBits;  ///< The number of buckets of each power of two.
  static constexpr int64_t kExact = 2 * kSteps;               ///< Every value below this has its own bucket.

  /// A bucket that is not empty.
  struct Bucket {
    int64_t least = 0;     ///< The least value that falls into it.
    int64_t greatest = 0;  ///< The greatest value that falls into it.
    uint64_t count = 0;
    bool operator==(const Bucket&) const = default;
  };

  LatencyHistogram();

  /// Counts a value; one below zero counts as 0.
  void add(int64_t value) {
    if (value < 0) value = 0;
    ++counts_[index_of(value)];
    ++count_;
    sum_ += static_cast<uint64_t>(value);
    if (value < min_) min_ = value;
    if (value > max_) max_ = value;
  }
  /// Adds everything that `other` has counted.
  void merge(const LatencyHistogram& other);
  /// Adds what a histogram with these buckets(), sum, least and greatest value has counted.
  void merge(std::span<const Bucket> buckets, unsigned __int128 sum, int64_t min, int64_t max);
  void clear();

  uint64_t count() const { return count_; }
  unsigned __int128 sum() const { return sum_; }
  /// The least and the greatest value, 0 if there is none.
  int64_t min() const { return count_ == 0 ? 0 : min_; }
  int64_t max() const { return max_; }
  /// The sum divided by the count, 0 if there is none.
  double mean() const;

  /// A value that at least `ten_thousandths` / 10000 of all do not exceed (9990 is p99.9; 0 to 10000). It is never
  /// below the least such value of those that were added, and above it by less than 1 / kSteps of it. 0 if there is
  /// none.
  int64_t percentile(int32_t ten_thousandths) const;

  /// All buckets that are not empty, in rising order.
  std::vector<Bucket> buckets() const;

  bool operator==(const LatencyHistogram&) const = default;

 private:
  static size_t index_of(int64_t value) {
    const auto bits = static_cast<uint64_t>(value);
    const int shift = value < kExact ? 0 : std::bit_width(bits) - kStepBits - 1;
    return (static_cast<size_t>(shift) << kStepBits) + static_cast<size_t>(bits >> shift);
  }
  static int64_t least_of(size_t index);
  static int64_t greatest_of(size_t index);

  std::vector<uint64_t> counts_;
  uint64_t count_ = 0;
  unsigned __int128 sum_ = 0;
  int64_t min_ = std::numeric_limits<int64_t>::max();
  int64_t max_ = 0;
};

}  // namespace fabrictwin
