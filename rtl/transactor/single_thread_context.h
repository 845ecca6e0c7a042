// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The context of a Verilated model that runs in its caller's thread.
#pragma once

#include <cstdint>

#include "verilated.h"

namespace fabrictwin::rtl {

/// Gives the seed of what registers and memories of the next model begin with, if that is one of ANY_STATE
/// (rtl/CMakeLists.txt). Null, as everywhere but in test benches: they begin with zeros.
using StateSeed = uint32_t (*)();
inline StateSeed& state_seed() {
  static StateSeed seed = nullptr;
  return seed;
}

/// Otherwise a context starts a thread for each further core with its first model, for models made with --threads; the
/// number can be set only before there is a model.
///
/// A model that is destroyed clears up in the context that its thread had last (Verilator 5.006), which must be there
/// still: where it was this one, it is then the one that lasts as long as the program.
struct SingleThreadContext : VerilatedContext {
  SingleThreadContext() {
    threads(1);
    if (state_seed() == nullptr) return;
    randReset(2);
    randSeed(static_cast<int>(state_seed()()));
  }
  ~SingleThreadContext() {
    if (Verilated::threadContextp() == this) Verilated::threadContextp(Verilated::defaultContextp());
  }
};

}  // namespace fabrictwin::rtl
