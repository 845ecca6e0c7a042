// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The context of a Verilated model that runs in its caller's thread.
#pragma once

#include "verilated.h"

namespace fabrictwin::rtl {

/// Otherwise a context starts a thread for each further core with its first model, for models made with --threads; the
/// number can be set only before there is a model.
///
/// A model that is destroyed clears up in the context that its thread had last (Verilator 5.006), which must be there
/// still: where it was this one, it is then the one that lasts as long as the program.
struct SingleThreadContext : VerilatedContext {
  SingleThreadContext() { threads(1); }
  ~SingleThreadContext() {
    if (Verilated::threadContextp() == this) Verilated::threadContextp(Verilated::defaultContextp());
  }
};

}  // namespace fabrictwin::rtl
