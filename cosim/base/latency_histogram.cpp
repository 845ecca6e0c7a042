// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/latency_histogram.h"

#include <algorithm>

namespace fabrictwin {

LatencyHistogram::LatencyHistogram() : counts_(index_of(std::numeric_limits<int64_t>::max()) + 1) {}

// Buckets of shift s hold the kSteps indices from (s + 1) * kSteps on; shift 0 also those below.
int64_t LatencyHistogram::least_of(size_t index) {
  if (index < static_cast<size_t>(kExact)) return static_cast<int64_t>(index);
  const size_t shift = (index >> kStepBits) - 1;
  return static_cast<int64_t>(index - (shift << kStepBits)) << shift;
}

int64_t LatencyHistogram::greatest_of(size_t index) {
  const size_t shift = index < static_cast<size_t>(kExact) ? 0 : (index >> kStepBits) - 1;
  return least_of(index) + ((int64_t{1} << shift) - 1);
}

void LatencyHistogram::merge(const LatencyHistogram& other) {
  for (size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

void LatencyHistogram::merge(std::span<const Bucket> buckets, unsigned __int128 sum, int64_t min, int64_t max) {
  if (buckets.empty()) return;
  for (const Bucket& bucket : buckets) {
    counts_[index_of(bucket.least)] += bucket.count;
    count_ += bucket.count;
  }
  sum_ += sum;
  min_ = std::min(min_, min);
  max_ = std::max(max_, max);
}

void LatencyHistogram::clear() {
  std::fill(counts_.begin(), counts_.end(), 0);
  count_ = 0;
  sum_ = 0;
  min_ = std::numeric_limits<int64_t>::max();
  max_ = 0;
}

double LatencyHistogram::mean() const {
  return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

int64_t LatencyHistogram::percentile(int32_t ten_thousandths) const {
  if (count_ == 0) return 0;
  // The nearest rank, from 1, is computed in integers, as 0.9999 * 10000 is not 9999 for a double.
  const auto share = static_cast<unsigned __int128>(std::clamp(ten_thousandths, 0, 10'000));
  const auto rank = std::max<uint64_t>(1, static_cast<uint64_t>((share * count_ + 9'999) / 10'000));
  uint64_t below = 0;
  for (size_t i = index_of(min_); i < counts_.size(); ++i) {
    below += counts_[i];
    if (below >= rank) return std::min(greatest_of(i), max_);
  }
  return max_;
}

std::vector<LatencyHistogram::Bucket> LatencyHistogram::buckets() const {
  std::vector<Bucket> buckets;
  for (size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] > 0) buckets.push_back({least_of(i), greatest_of(i), counts_[i]});
  }
  return buckets;
}

}  // namespace fabrictwin
