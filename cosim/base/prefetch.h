// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace fabrictwin {

/// Fetches all cache lines of a record that will soon be used, without waiting for them. GCC takes a function that only
/// fetches for one without effect and leaves out its calls, unless it is inlined into one that does more.
template <typename T>
[[gnu::always_inline]] inline void prefetch(const T& record) {
  constexpr size_t kLine = 64;
  const char* const first = reinterpret_cast<const char*>(&record);
  for (size_t at = 0; at < sizeof(T); at += kLine) __builtin_prefetch(first + at, 1);
  // One that is not aligned to a line may end in another one.
  constexpr size_t kEnd = sizeof(T) - 1;
  if constexpr (alignof(T) < kLine && kEnd / alignof(T) != 0) __builtin_prefetch(first + kEnd, 1);
}

/// The same of the first lines of a record, not null, whose size only its class knows. It may be shorter.
[[gnu::always_inline]] inline void prefetch_lines(const void* record, int lines) {
  constexpr size_t kLine = 64;
  for (int line = 0; line < lines; ++line) __builtin_prefetch(static_cast<const char*>(record) + line * kLine, 1);
}

/// The same of its first line only: of a long record that is used from its beginning.
template <typename T>
[[gnu::always_inline]] inline void prefetch_begin(const T& record) {
  __builtin_prefetch(&record, 1);
}

}  // namespace fabrictwin
