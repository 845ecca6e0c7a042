// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Assembles the parts of a run into one file.
#pragma once

#include <string>

namespace fabrictwin::recorder {

/// The path of a part: "OUTPUT.parts/rank-R.part".
std::string part_path(const std::string& output, int rank);
/// Creates the folder of the parts and removes files of an earlier run from it. Returns errno if that fails.
int prepare_parts(const std::string& output);
/// Runs `fabrictwin trace assemble` and waits for it. False, with a message on stderr, if it fails or is not found. A
/// separate process keeps protobuf and its failures out of the application.
bool assemble_parts(const std::string& output);
/// Removes the parts and their folder.
void remove_parts(const std::string& output);

}  // namespace fabrictwin::recorder
