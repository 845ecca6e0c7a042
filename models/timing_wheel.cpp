// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/timing_wheel.h"

#include <algorithm>
#include <bit>

namespace fabrictwin {

void TimingWheel::add(int64_t cycle, int32_t item) {
  if (cycle < base_ + kBuckets) {
    buckets_[cycle & kMask].push_back(item);
    occupied_[(cycle & kMask) / 64] |= uint64_t{1} << (cycle & 63);
  } else {
    far_.emplace(cycle, item);
  }
  next_ = std::min(next_, cycle);
}

const std::vector<int32_t>& TimingWheel::take() {
  taken_.clear();
  base_ = next_;
  while (!far_.empty() && far_.top().first < base_ + kBuckets) {
    const auto [cycle, item] = far_.top();
    far_.pop();
    buckets_[cycle & kMask].push_back(item);
    occupied_[(cycle & kMask) / 64] |= uint64_t{1} << (cycle & 63);
  }
  taken_.swap(buckets_[base_ & kMask]);
  occupied_[(base_ & kMask) / 64] &= ~(uint64_t{1} << (base_ & 63));
  ++base_;
  find_next();
  return taken_;
}

void TimingWheel::find_next() {
  constexpr int64_t kWords = kBuckets / 64;
  const int64_t start = base_ & kMask;
  for (int64_t i = 0; i <= kWords; ++i) {
    const int64_t word = (start / 64 + i) % kWords;
    uint64_t bits = occupied_[word];
    // The first word is visited twice: above the start first, below it after a full turn.
    if (i == 0) bits &= ~uint64_t{0} << (start & 63);
    if (i == kWords) bits &= ~(~uint64_t{0} << (start & 63));
    if (bits == 0) continue;
    const int64_t bucket = word * 64 + std::countr_zero(bits);
    next_ = base_ + ((bucket - start) & kMask);
    return;
  }
  next_ = far_.empty() ? kNever : far_.top().first;
}

}  // namespace fabrictwin
