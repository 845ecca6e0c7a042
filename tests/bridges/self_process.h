// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Test programs that are also the workers and boards of their own runs.
#pragma once

#include <string>

namespace fabrictwin {

/// Path of this program, for ConnectorOptions::executable.
std::string self_executable();

/// If this process was started by a run (first argument "worker" or "board"), serves token systems and returns the exit
/// code; else -1.
int serve_if_asked(int argc, char** argv);

}  // namespace fabrictwin
