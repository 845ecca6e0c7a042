// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace fabrictwin {

/// Prefetches all cache lines of a record that will soon be used. GCC considers a function that only prefetches to be
/// without effect and removes its calls, unless it is inlined into one that does more.
template <typename T>
[[gnu::always_inline]] inline void prefetch(const T& record) {
  constexpr size_t kLine = 64;
  const char* const first = reinterpret_cast<const char*>(&record);
  for (size_t at = 0; at < sizeof(T); at += kLine) __builtin_prefetch(first + at, 1);
  // A record that is not aligned to a line may end in another line.
  constexpr size_t kEnd = sizeof(T) - 1;
  if constexpr (alignof(T) < kLine && kEnd / alignof(T) != 0) __builtin_prefetch(first + kEnd, 1);
}

/// Prefetches the first `lines` cache lines of a record whose size only its class knows. `record` is not null; the
/// record may be shorter.
[[gnu::always_inline]] inline void prefetch_lines(const void* record, int lines) {
  constexpr size_t kLine = 64;
  for (int line = 0; line < lines; ++line) __builtin_prefetch(static_cast<const char*>(record) + line * kLine, 1);
}

/// Prefetches only the first cache line of a record, for long ones that are used from their beginning.
template <typename T>
[[gnu::always_inline]] inline void prefetch_begin(const T& record) {
  __builtin_prefetch(&record, 1);
}

}  // namespace fabrictwin
