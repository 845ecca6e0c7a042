// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Arrivals on a link that wait for the clock cycle that samples them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace fabrictwin::rtl {

/// A FIFO queue of entries with a sampling cycle (`int64_t cycle`). It keeps its memory, as it fills and empties in
/// every quantum.
/// empties at every quantum.
template <class Entry>
class ArrivalQueue {
 public:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  void push(const Entry& entry) {
    // A queue that is never empty would otherwise keep entries that were taken.
    if (head_ > 64 && head_ * 2 > entries_.size()) {
      entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(head_));
      head_ = 0;
    }
    entries_.push_back(entry);
  }
  const Entry& front() const { return entries_[head_]; }
  void pop() {
    if (++head_ == entries_.size()) {
      entries_.clear();
      head_ = 0;
    }
  }
  bool empty() const { return entries_.empty(); }
  /// The cycle of the oldest entry, or kNever.
  int64_t next_cycle() const { return entries_.empty() ? kNever : entries_[head_].cycle; }

 private:
  std::vector<Entry> entries_;  ///< Empty whenever head_ has reached its end.
  size_t head_ = 0;
};

}  // namespace fabrictwin::rtl
