// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Arrays of records that hot loops access at random.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <vector>

namespace fabrictwin {

/// Allocates memory aligned to cache lines, so that records whose size divides a line, or is a multiple of one, occupy
/// as few lines as possible. From 2 MiB on, the memory is aligned to huge pages, and the kernel is asked for them.
/// Allocators of this kind have no state.
template <typename T>
class LineAllocator {
 public:
  // NOLINTNEXTLINE(readability-identifier-naming): the name that the standard asks for.
  using value_type = T;

  LineAllocator() = default;
  template <typename U>
  // NOLINTNEXTLINE(google-explicit-constructor): the standard asks for the conversion.
  LineAllocator(const LineAllocator<U>&) {}

  /// Throws std::bad_alloc.
  T* allocate(size_t count) {
    const size_t bytes = count * sizeof(T);
    void* memory = ::operator new(bytes, alignment(bytes));
    // This is a hint: without huge pages the memory works as well, but more slowly.
    if (bytes >= kHugePage) madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t count) { ::operator delete(memory, alignment(count * sizeof(T))); }

  bool operator==(const LineAllocator&) const { return true; }

 private:
  static constexpr size_t kLine = 64;
  static_assert(alignof(T) <= kLine);
  static constexpr size_t kHugePage = size_t{2} << 20;
  static std::align_val_t alignment(size_t bytes) { return std::align_val_t{bytes >= kHugePage ? kHugePage : kLine}; }
};

template <typename T>
using LineVector = std::vector<T, LineAllocator<T>>;

}  // namespace fabrictwin
