// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A pool of records named by 32-bit numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cosim/base/line_vector.h"
#include "cosim/base/prefetch.h"

namespace fabrictwin::kernel {

/// A pool of records of type T. Number 0 is never used. References are valid until the next make(). Allocates only when
/// more records are in use than ever before. Not thread-safe.
template <typename T>
class Pool {
 public:
  static constexpr uint32_t kNone = 0;

  /// Returns a record with its previous content.
  uint32_t make() {
    if (free_.empty()) {
      records_.emplace_back();
      // Reserved here so that drop() never allocates.
      if (free_.capacity() < records_.capacity()) free_.reserve(records_.capacity());
      return static_cast<uint32_t>(records_.size() - 1);
    }
    const uint32_t id = free_.back();
    free_.pop_back();
    // Free records have long left the caches, so the next ones are prefetched.
    if (free_.size() >= kAhead) prefetch_begin(records_[free_[free_.size() - kAhead]]);
    return id;
  }
  void drop(uint32_t id) { free_.push_back(id); }
  T& operator[](uint32_t id) { return records_[id]; }
  const T& operator[](uint32_t id) const { return records_[id]; }
  /// Records made so far, including free ones.
  size_t size() const { return records_.size() - 1; }

 private:
  static constexpr size_t kAhead = 4;

  LineVector<T> records_ = LineVector<T>(1);
  LineVector<uint32_t> free_;
};

}  // namespace fabrictwin::kernel
