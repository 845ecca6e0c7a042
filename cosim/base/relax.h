// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A pause for loops that wait for another core.
#pragma once

namespace fabrictwin {

/// Pauses briefly between two reads of a word that another core will write. Reading without a pause would take the
/// cache line away from the writer.
inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace fabrictwin
