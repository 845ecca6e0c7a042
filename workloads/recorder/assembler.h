// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts of a run, and how they become one file.
#pragma once

#include <string>

namespace fabrictwin::recorder {

/// "OUTPUT.parts/rank-R.part".
std::string part_path(const std::string& output, int rank);
/// Makes the folder of the parts and removes what an earlier run left in it. An errno if it cannot be made.
int prepare_parts(const std::string& output);
/// Runs `fabrictwin trace assemble` and waits for it. False, with a message of it on stderr, if it fails or is not
/// found. It is a process of its own so that neither protobuf nor its faults are in the application.
bool assemble_parts(const std::string& output);
/// Removes the parts and their folder.
void remove_parts(const std::string& output);

}  // namespace fabrictwin::recorder
