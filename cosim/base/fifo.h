// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A growing queue for hot paths.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace fabrictwin {

/// A FIFO queue like std::deque, but one that keeps its memory: once it has grown to the size that its user needs, it
/// never allocates again. std::deque allocates and frees a node for every few large elements that pass through. `T` is
/// default-constructible; unused slots keep their old values. Used by one thread at a time.
template <typename T>
class Fifo {
 public:
  bool empty() const { return first_ == last_; }
  size_t size() const { return last_ - first_; }

  /// The element `index` positions behind the front; `index` < size().
  T& operator[](size_t index) { return slots_[(first_ + index) & mask()]; }
  const T& operator[](size_t index) const { return slots_[(first_ + index) & mask()]; }
  T& front() { return (*this)[0]; }
  const T& front() const { return (*this)[0]; }
  T& back() { return (*this)[size() - 1]; }
  const T& back() const { return (*this)[size() - 1]; }

  void push_back(const T& value) { append() = value; }
  /// Adds an element of unspecified value, which the caller fills in place.
  T& append() {
    if (size() == slots_.size()) grow();
    return slots_[last_++ & mask()];
  }
  /// Removes the front; the queue must not be empty.
  void pop_front() { ++first_; }

 private:
  static constexpr size_t kFirstSize = 8;

  size_t mask() const { return slots_.size() - 1; }

  void grow() {
    std::vector<T> larger(slots_.empty() ? kFirstSize : 2 * slots_.size());
    const size_t count = size();
    for (size_t i = 0; i < count; ++i) larger[i] = std::move((*this)[i]);
    slots_ = std::move(larger);
    first_ = 0;
    last_ = count;
  }

  std::vector<T> slots_;  ///< The size is a power of two.
  size_t first_ = 0;      ///< Elements removed so far; modulo the size it is the front slot.
  size_t last_ = 0;       ///< Elements added so far.
};

}  // namespace fabrictwin
