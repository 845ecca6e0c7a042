// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/timing_wheel.h"

#include <algorithm>
#include <bit>

namespace fabrictwin::kernel {

void TimingWheel::add(int64_t cycle, int32_t item) {
  if (cycle < base_ + kBuckets) {
    put(cycle, item);
  } else {
    far_.emplace(cycle, item);
  }
  next_ = std::min(next_, cycle);
}

void TimingWheel::put(int64_t cycle, int32_t item) {
  const int64_t word = (cycle & kMask) / 64;
  buckets_[cycle & kMask].push_back(item);
  occupied_[word] |= uint64_t{1} << (cycle & 63);
  words_ |= uint64_t{1} << word;
}

const std::vector<int32_t>& TimingWheel::take() {
  taken_.clear();
  base_ = next_;
  while (!far_.empty() && far_.top().first < base_ + kBuckets) {
    const auto [cycle, item] = far_.top();
    far_.pop();
    put(cycle, item);
  }
  taken_.swap(buckets_[base_ & kMask]);
  const int64_t word = (base_ & kMask) / 64;
  occupied_[word] &= ~(uint64_t{1} << (base_ & 63));
  if (occupied_[word] == 0) words_ &= ~(uint64_t{1} << word);
  ++base_;
  find_next();
  return taken_;
}

void TimingWheel::find_next() {
  const int64_t start = base_ & kMask;
  int64_t word = start / 64;
  uint64_t bits = occupied_[word] & ~uint64_t{0} << (start & 63);
  if (bits == 0) {
    // Words after this one, wrapping around to this one, in which only buckets before the start are left.
    const uint64_t others = std::rotr(words_, static_cast<int>(word + 1));
    if (others == 0) {
      next_ = far_.empty() ? kNever : far_.top().first;
      return;
    }
    word = (word + 1 + std::countr_zero(others)) % kWords;
    bits = occupied_[word];
  }
  next_ = base_ + ((word * 64 + std::countr_zero(bits) - start) & kMask);
}

}  // namespace fabrictwin::kernel
