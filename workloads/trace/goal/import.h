// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Import of GOAL schedules (the text form of LogGOPSim's Schedgen).
#pragma once

#include <string>

#include "absl/status/status.h"

namespace fabrictwin {

/// Converts the GOAL schedule `path` (a file, or a folder with trace.goal) to the trace file `out`. Operations of a
/// rank become calls in an order that its dependencies allow, the earliest in the file first: sends and receives that
/// do not block, waits in front of what requires them, and computations of so many nanoseconds one after the other.
/// Memory grows with the operations of one rank. Errors: NotFound where the file cannot be opened; InvalidArgument
/// "FILE:LINE:COL: error: ..." for what cannot be understood; Unimplemented, likewise, for a second processor. `out`
/// appears only if all could be converted.
absl::Status import_goal(const std::string& path, const std::string& out);

}  // namespace fabrictwin
