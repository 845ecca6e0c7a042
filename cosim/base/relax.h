// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What a loop does that waits for another core.
#pragma once

namespace fabrictwin {

/// A short pause between two looks at a word that another core will write. Who looks without one takes the cache line
/// away from who is writing it.
inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace fabrictwin
