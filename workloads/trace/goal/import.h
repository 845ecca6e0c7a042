// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Import of GOAL schedules (the text form of LogGOPSim's Schedgen).
#pragma once

#include <string>

#include "absl/status/status.h"

namespace fabrictwin::trace::goal {

/// Converts the GOAL schedule `path` (a file, or a folder with trace.goal) to the trace file `out`. Operations of a
/// rank become calls in an order that its dependencies allow, the earliest in the file first: nonblocking sends and
/// receives, waits before the operations that require them, and computations one after the other, in nanoseconds.
/// Memory grows with the operations of one rank. NotFound if the file cannot be opened; InvalidArgument "FILE:LINE:COL:
/// error: ..." for invalid input; Unimplemented in the same form for a second processor. `out` appears only if the
/// conversion succeeds.
absl::Status import_goal(const std::string& path, const std::string& out);

}  // namespace fabrictwin::trace::goal
