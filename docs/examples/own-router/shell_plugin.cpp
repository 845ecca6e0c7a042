// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The router behind its shell as a shared library, which `fabrictwin board --shell --library` plays a card with.
#include <memory>

#include "VOwnRouterShell.h"
#include "rtl/external/shell.h"

using fabrictwin::rtl::external::kShellInterfaceVersion;
using fabrictwin::rtl::external::Shell;
using fabrictwin::rtl::external::VerilatedShell;

extern "C" {
const int32_t fabrictwin_external_shell_version = kShellInterfaceVersion;
Shell* fabrictwin_make_external_shell() { return std::make_unique<VerilatedShell<VOwnRouterShell>>().release(); }
}
