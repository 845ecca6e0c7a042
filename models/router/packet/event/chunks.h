// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Many lists in one pool of memory, allocated in chunks of cache lines.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cosim/base/prefetch.h"
#include "models/kernel/pool.h"

namespace fabrictwin::router::packet::event {

/// Unordered lists of small values of type T. A list is named by the number of its first chunk, 0 if it is empty. Freed
/// chunks are reused first, so that the working set stays small. Not thread-safe.
template <typename T>
class Chunks {
 public:
  /// Adds a value to the list `head`, which may change.
  void add(uint32_t& head, const T& value) {
    if (head == 0 || chunks_[head].count == kValues) {
      const uint32_t made = chunks_.make();
      chunks_[made].next = head;
      chunks_[made].count = 0;
      head = made;
    }
    Chunk& chunk = chunks_[head];
    chunk.values[chunk.count++] = value;
  }
  /// Moves the values of the list `head`, which is empty afterwards, to the end of `values`.
  void take(uint32_t& head, std::vector<T>& values) {
    while (head != 0) {
      Chunk& chunk = chunks_[head];
      values.insert(values.end(), chunk.values.begin(), chunk.values.begin() + chunk.count);
      const uint32_t next = chunk.next;
      if (next != 0) prefetch(chunks_[next]);
      chunks_.drop(head);
      head = next;
    }
  }
  /// Prefetch hint: the list `head` will be taken soon.
  void expect(uint32_t head) const {
    if (head != 0) prefetch(chunks_[head]);
  }

  /// Calls `visit` with each value of the list `head`.
  template <typename Visit>
  void for_each(uint32_t head, const Visit& visit) const {
    for (; head != 0; head = chunks_[head].next) {
      for (uint32_t i = 0; i < chunks_[head].count; ++i) visit(chunks_[head].values[i]);
    }
  }

 private:
  static constexpr size_t kBytes = 2048;
  static constexpr uint32_t kValues = (kBytes - 2 * sizeof(uint32_t)) / sizeof(T);
  struct alignas(64) Chunk {
    uint32_t next = 0;
    uint32_t count = 0;
    std::array<T, kValues> values;
  };

  kernel::Pool<Chunk> chunks_;
};

}  // namespace fabrictwin::router::packet::event
