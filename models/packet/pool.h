// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Records that come and go, named by 32-bit numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fabrictwin {

/// A pool of records of type T, which has a member `uint32_t next` that a free record lends to the pool. Number 0 is
/// never given out. References end with the next make(). Allocates only while more records are in use than ever before.
template <typename T>
class Pool {
 public:
  static constexpr uint32_t kNone = 0;

  uint32_t make() {
    if (free_ == kNone) {
      records_.emplace_back();
      return static_cast<uint32_t>(records_.size() - 1);
    }
    const uint32_t id = free_;
    free_ = records_[id].next;
    return id;
  }
  void drop(uint32_t id) {
    records_[id].next = free_;
    free_ = id;
  }
  T& operator[](uint32_t id) { return records_[id]; }
  const T& operator[](uint32_t id) const { return records_[id]; }
  /// Records made so far, free ones included.
  size_t size() const { return records_.size() - 1; }

 private:
  std::vector<T> records_ = std::vector<T>(1);
  uint32_t free_ = kNone;
};

}  // namespace fabrictwin
