// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The context of a Verilated model that runs in its caller's thread.
#pragma once

#include "verilated.h"

namespace fabrictwin::rtl {

/// Otherwise a context starts a thread for each further core with its first model, for models made with --threads; the
/// number can be set only before there is a model.
struct SingleThreadContext : VerilatedContext {
  SingleThreadContext() { threads(1); }
};

}  // namespace fabrictwin::rtl
